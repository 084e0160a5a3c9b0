"""What reading looks like: a search, the menu of a block, old and new beside each other."""

from __future__ import annotations

from textual.pilot import Pilot

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.events.base import Event
from tests.cockpit.screen import text_of, until
from tests.cockpit.test_look import Before, Compare, still
from tests.support.scripted_source import ScriptedSource
from tests.transcript.stories import hard_goal


def told(app: CockpitApp, source: ScriptedSource, events: list[Event]) -> Before:
    """Have these events on the screen."""

    async def before(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(*events)
        await until(pilot, lambda: "verified" in text_of(app))

    return before


def test_old_and_new_beside_each_other(snap_compare: Compare) -> None:
    source = ScriptedSource()
    app = still(source)

    async def before(pilot: Pilot[None]) -> None:
        await told(app, source, hard_goal()[:-6])(pilot)
        app.transcript_view.cycle_diff_view()
        app.transcript_view.jump_to(2)
        await until(pilot, lambda: "│" in text_of(app))

    assert snap_compare(app, terminal_size=(120, 40), run_before=before)
