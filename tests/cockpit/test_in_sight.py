"""Screens that nobody sees are not drawn, and are as they should be when they are seen again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from agent_cockpit import cockpit
from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.events.sitting import Notice
from tests.cockpit.screen import at_rest, text_of, type_in, until
from tests.support.scripted_source import ScriptedSource


class Watched(CockpitApp):
    """Counts how often anything was drawn."""

    CSS_PATH = str(Path(cockpit.__file__).with_name("app.tcss"))
    drawn = 0

    def post_display_hook(self) -> None:
        self.drawn += 1


def watched(source: ScriptedSource) -> Watched:
    app = Watched(lambda: source)
    app.animation_level = "none"
    return app


async def say(pilot: Pilot[Any], source: ScriptedSource, text: str) -> None:
    """Let the transcript, seen or not, take a word in."""
    app = pilot.app
    assert isinstance(app, CockpitApp)
    source.say(Notice(text=text))
    bridge = app.driving.bridge
    assert bridge is not None
    await until(pilot, lambda: text in str(bridge.transcript.blocks[-1:]))
    await at_rest(pilot)


async def test_what_happens_behind_a_full_screen_draws_nothing_and_is_there_afterwards() -> None:
    source = ScriptedSource()
    app = watched(source)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await pilot.press("f1")
        await until(pilot, lambda: not app.is_main)
        await at_rest(pilot)
        before = app.drawn
        for word in ("one", "two", "three"):
            await say(pilot, source, word)
        assert app.drawn == before
        await pilot.press("escape")
        await until(pilot, lambda: "three" in text_of(app))


async def test_what_happens_behind_a_screen_that_lets_through_is_seen() -> None:
    source = ScriptedSource()
    app = watched(source)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await type_in(pilot, "/theme")
        await pilot.press("enter")
        await until(pilot, lambda: not app.is_main)
        await say(pilot, source, "a word")
        assert "a word" in text_of(app)


async def test_another_size_met_behind_a_full_screen_is_kept_to_afterwards() -> None:
    source = ScriptedSource()
    app = watched(source)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await say(pilot, source, "a word")
        await pilot.press("f1")
        await until(pilot, lambda: not app.is_main)
        await pilot.resize_terminal(60, 20)
        await pilot.press("escape")
        await until(pilot, lambda: app.is_main)
        await at_rest(pilot)
        assert "a word" in text_of(app)
        assert app.composer.region.right <= 60
        assert app.status_line.region.bottom == 20
