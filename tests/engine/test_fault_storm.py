"""Whatever fails, at whatever moment: a goal ends once, is told once, and leaves nothing behind."""

from __future__ import annotations

import pytest

from tests.engine.fault_storm import act_at_every_await, run_seed

SITTINGS = 192
AT_ONCE = 24


@pytest.mark.parametrize("first", range(0, SITTINGS, AT_ONCE))
def test_no_sitting_of_random_faults_breaks_a_law(first: int) -> None:
    broken = {seed: faults for seed in range(first, first + AT_ONCE) if (faults := run_seed(seed))}
    assert broken == {}


@pytest.mark.parametrize("seed", [14])
@pytest.mark.parametrize("act", ["cancel", "hard", "hard twice", "plan", "close"])
def test_every_await_is_a_moment_to(act: str, seed: int) -> None:
    assert act_at_every_await(seed, act) == {}
