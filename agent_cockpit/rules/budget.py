"""How much a goal may use up before it must stop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agent_cockpit.settings import HarnessConfig
from agent_cockpit.text import money

Budget = Literal["repairs", "turns", "failures", "refusals", "time", "cost"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetUse:
    """What one goal has used so far; `waited_s` is the part of `elapsed_s` in which a
    person was deciding, and costs nothing."""

    iterations: int = 0
    consecutive_failures: int = 0
    refusals: int = 0
    repair_failures: int = 0
    elapsed_s: float = 0.0
    waited_s: float = 0.0
    cost: float = 0.0
    """In dollars."""


def exhausted_budget(use: BudgetUse, limits: HarnessConfig) -> Budget | None:
    """The budget that is used up. Repairs come first, since they alone decide how the goal
    ended; without any repair attempt allowed, the first rejection ends it."""
    time_left = time_left_s(use, limits)
    if use.repair_failures >= max(1, limits.max_repair_attempts):
        return "repairs"
    if use.iterations >= limits.max_iterations:
        return "turns"
    if use.consecutive_failures >= limits.max_consecutive_failures:
        return "failures"
    if use.refusals >= limits.max_refusals:
        return "refusals"
    if time_left is not None and time_left <= 0:
        return "time"
    if limits.max_cost is not None and use.cost >= limits.max_cost:
        return "cost"
    return None


def budget_stop(use: BudgetUse, limits: HarnessConfig) -> str | None:
    """Why the goal must stop, in the person's words and with the setting that would allow
    more; None while it may go on."""
    match exhausted_budget(use, limits):
        case None:
            return None
        case "repairs":
            count = _count(use.repair_failures, "time")
            return f"verification failed {count} (max_repair_attempts)"
        case "turns":
            return f"stopped after {_count(use.iterations, 'turn')} (max_iterations)"
        case "failures":
            count = _count(use.consecutive_failures, "step")
            return f"{count} in a row failed (max_consecutive_failures)"
        case "refusals":
            return f"{_count(use.refusals, 'call')} in a row were refused (max_refusals)"
        case "time":
            worked = _duration(use.elapsed_s - use.waited_s)
            return f"stopped after {worked} of work (max_wall_clock_seconds)"
        case "cost":
            return f"stopped after {money(use.cost)} (max_cost)"


def time_left_s(use: BudgetUse, limits: HarnessConfig) -> float | None:
    """Seconds of work left, at least 0; None when time is not limited."""
    if limits.max_wall_clock_seconds is None:
        return None
    worked_s = max(0.0, use.elapsed_s - use.waited_s)
    return max(0.0, limits.max_wall_clock_seconds - worked_s)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60} s" if whole % 60 else f"{whole // 60} min"
