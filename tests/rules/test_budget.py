"""When a goal must stop, and how a person is told."""

from __future__ import annotations

import pytest

from agent_cockpit.rules.budget import BudgetUse, budget_stop, exhausted_budget, time_left_s
from agent_cockpit.settings import HarnessConfig

LIMITS = HarnessConfig(max_cost=2)
UNTIMED = HarnessConfig(max_wall_clock_seconds=None)


@pytest.mark.parametrize(
    ("use", "budget", "words"),
    [
        (BudgetUse(), None, None),
        (BudgetUse(iterations=49), None, None),
        (BudgetUse(iterations=50), "turns", "stopped after 50 turns (max_iterations)"),
        (BudgetUse(consecutive_failures=4), None, None),
        (
            BudgetUse(consecutive_failures=5),
            "failures",
            "5 steps in a row failed (max_consecutive_failures)",
        ),
        (BudgetUse(cost=1.99), None, None),
        (BudgetUse(cost=2), "cost", "stopped after $2.00 (max_cost)"),
        (BudgetUse(refusals=7), None, None),
        (BudgetUse(refusals=8), "refusals", "8 calls in a row were refused (max_refusals)"),
        (BudgetUse(repair_failures=2), None, None),
        (
            BudgetUse(repair_failures=3),
            "repairs",
            "verification failed 3 times (max_repair_attempts)",
        ),
        (BudgetUse(elapsed_s=1799.9), None, None),
        (
            BudgetUse(elapsed_s=1800),
            "time",
            "stopped after 30 min of work (max_wall_clock_seconds)",
        ),
        (BudgetUse(elapsed_s=9000, waited_s=7200.5), None, None),
        (
            BudgetUse(elapsed_s=9000, waited_s=7150),
            "time",
            "stopped after 30 min 50 s of work (max_wall_clock_seconds)",
        ),
        (
            BudgetUse(iterations=99, repair_failures=3, elapsed_s=9999),
            "repairs",
            "verification failed 3 times (max_repair_attempts)",
        ),
    ],
)
def test_a_goal_stops_when_a_budget_is_used_up(
    use: BudgetUse, budget: str | None, words: str | None
) -> None:
    assert exhausted_budget(use, LIMITS) == budget
    assert budget_stop(use, LIMITS) == words


@pytest.mark.parametrize("attempts", [0, 1])
def test_without_repairs_the_first_rejection_ends_the_goal_and_its_start_does_not(
    attempts: int,
) -> None:
    limits = HarnessConfig(max_repair_attempts=attempts)
    assert budget_stop(BudgetUse(), limits) is None
    stop = budget_stop(BudgetUse(repair_failures=1), limits)
    assert stop == "verification failed 1 time (max_repair_attempts)"


def test_a_goal_without_a_clock_runs_as_long_as_it_needs() -> None:
    assert budget_stop(BudgetUse(elapsed_s=10**9), UNTIMED) is None
    assert time_left_s(BudgetUse(elapsed_s=10**9), UNTIMED) is None


@pytest.mark.parametrize(
    ("elapsed_s", "waited_s", "left_s"),
    [(0, 0, 1800), (600, 0, 1200), (600, 600, 1800), (600, 700, 1800), (5000, 0, 0)],
)
def test_the_time_of_a_person_costs_nothing(
    elapsed_s: float, waited_s: float, left_s: float
) -> None:
    assert time_left_s(BudgetUse(elapsed_s=elapsed_s, waited_s=waited_s), LIMITS) == left_s


def test_a_short_limit_is_told_in_seconds() -> None:
    limits = HarnessConfig(max_wall_clock_seconds=2)
    stop = budget_stop(BudgetUse(elapsed_s=2.4), limits)
    assert stop == "stopped after 2 s of work (max_wall_clock_seconds)"
