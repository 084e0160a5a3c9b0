"""A few minutes of the storm; hours of it run by `python -m tests.cockpit.key_storm`."""

from __future__ import annotations

import pytest

from tests.cockpit.key_storm import play


@pytest.mark.timeout(300)  # a busy machine is no fault
@pytest.mark.parametrize("seed", range(3))
async def test_whatever_is_pressed_the_prompt_comes_back(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    assert await play(seed, 60) == ""
