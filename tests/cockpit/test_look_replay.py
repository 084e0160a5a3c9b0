"""What a recorded sitting looks like: its question of then, its beginning, the line that asks
where to go."""

from __future__ import annotations

from datetime import UTC

import pytest
from textual.pilot import Pilot

from agent_cockpit.cockpit.replay_app import ReplayApp
from agent_cockpit.engine.record.replay import ReplaySource
from tests.cockpit.screen import text_of, until
from tests.cockpit.test_look import SIZES, Before, Compare
from tests.cockpit.test_replay import STORY


def opened(*keys: str, shows: str) -> tuple[ReplayApp, Before]:
    """A replay in which these keys are pressed once it is there."""
    app = ReplayApp(lambda: ReplaySource(STORY), title="sitting.jsonl", zone=UTC)
    app.animation_level = "none"

    async def before(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.situation.replays)
        await pilot.press(*keys)
        await until(pilot, lambda: shows in text_of(app))

    return app, before


@pytest.mark.parametrize("size", SIZES)
def test_a_question_of_then(snap_compare: Compare, size: tuple[int, int]) -> None:
    app, before = opened("A", "A", shows="as it was asked")
    assert snap_compare(app, terminal_size=size, run_before=before)


def test_a_plan_of_then(snap_compare: Compare) -> None:
    app, before = opened("A", shows="a plan waited")
    assert snap_compare(app, terminal_size=(80, 24), run_before=before)


def test_the_beginning(snap_compare: Compare) -> None:
    app, before = opened("home", shows="event 0 of")
    assert snap_compare(app, terminal_size=(80, 24), run_before=before)


def test_where_to_go(snap_compare: Compare) -> None:
    app, before = opened("t", *"soon", "enter", shows="no place: soon")
    assert snap_compare(app, terminal_size=(80, 24), run_before=before)
