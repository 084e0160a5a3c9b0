"""What reading looks like: a search, the menu of a block, old and new beside each other."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.events.base import Event
from tests.cockpit.screen import text_of, until
from tests.cockpit.test_look import Before, Compare, still
from tests.support.scripted_source import ScriptedSource
from tests.transcript.stories import fixed_test, hard_goal

SMALLER = pytest.mark.parametrize(
    "size", [(120, 40), (40, 15)], ids=lambda size: f"{size[0]}x{size[1]}"
)


def told(app: CockpitApp, source: ScriptedSource, events: list[Event]) -> Before:
    """Have these events on the screen."""

    async def before(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(*events)
        await until(pilot, lambda: "verified" in text_of(app))

    return before


@SMALLER
def test_a_search(snap_compare: Compare, size: tuple[int, int]) -> None:
    source = ScriptedSource()
    app = still(source)

    async def before(pilot: Pilot[None]) -> None:
        await told(app, source, hard_goal()[:-6])(pilot)
        await pilot.press("ctrl+f", "c", "s", "v")
        search = app.transcript_view.search
        await until(pilot, lambda: search.is_complete and search.number)
        await pilot.press("enter")

    assert snap_compare(app, terminal_size=size, run_before=before)


@SMALLER
def test_the_menu_of_a_block(snap_compare: Compare, size: tuple[int, int]) -> None:
    source = ScriptedSource()
    app = still(source)

    async def before(pilot: Pilot[None]) -> None:
        await told(app, source, fixed_test())(pilot)
        await pilot.press("alt+up", "up", "up", "up", "enter")
        await until(pilot, lambda: "[c]" in text_of(app) or "c text" in text_of(app))
        await pilot.press("w")
        await until(pilot, lambda: text_of(app).count("allowed once by you") == 2)

    assert snap_compare(app, terminal_size=size, run_before=before)


def test_old_and_new_beside_each_other(snap_compare: Compare) -> None:
    source = ScriptedSource()
    app = still(source)

    async def before(pilot: Pilot[None]) -> None:
        await told(app, source, hard_goal()[:-6])(pilot)
        app.transcript_view.cycle_diff_view()
        app.transcript_view.jump_to(2)
        await until(pilot, lambda: "│" in text_of(app))

    assert snap_compare(app, terminal_size=(120, 40), run_before=before)
