"""The keyboard is in a search or a menu while a call asks: no answer there, and one afterwards."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.screens.diff_modal import DiffModal
from agent_cockpit.cockpit.screens.theme_screen import ThemeScreen
from agent_cockpit.cockpit.transcript.search_bar import FindField
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.events.harness import ApprovalResolved
from agent_cockpit.events.sitting import Notice
from tests.cockpit.screen import at_rest, text_of, until
from tests.support.scripted_source import ScriptedSource, asks

Way = Callable[[Pilot[None]], Awaitable[None]]


async def click_the_prompt(pilot: Pilot[None]) -> None:
    await pilot.click("#composer")


async def press_escape(pilot: Pilot[None]) -> None:
    await pilot.press("escape")


@pytest.mark.parametrize("way_in", [("ctrl+f",), ("alt+up", "enter")], ids="+".join)
@pytest.mark.parametrize("way_out", [click_the_prompt, press_escape])
async def test_the_question_takes_answers_again_when_the_keyboard_has_left(
    way_in: tuple[str, ...], way_out: Way
) -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source, quiet_s=0.05)
    async with app.run_test(size=(100, 40)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(Notice(text="one"), Notice(text="two"))
        await until(pilot, lambda: app.transcript_view.display)
        await pilot.press(*way_in)
        await until(pilot, lambda: app.reading_place in ("search", "menu"))
        source.say(asks("call-1"))
        await until(pilot, lambda: app.panel.is_open)
        await pilot.press("y")
        assert not app.panel.is_lit
        await way_out(pilot)
        await until(pilot, lambda: app.panel.is_lit)
        await pilot.press("y")
        await until(pilot, lambda: [call for call in source.calls if call[0] == "resolve"])


async def test_the_menu_of_a_block_opens_while_a_call_asks() -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source, quiet_s=0.05)
    async with app.run_test(size=(100, 40)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(Notice(text="one"), asks("call-1"))
        await until(pilot, lambda: app.panel.is_lit)
        await pilot.press("alt+up")
        await until(pilot, lambda: app.reading_place == "blocks" and app.panel.is_lit)
        await pilot.press("enter")
        await until(pilot, lambda: app.reading_place == "menu")
        assert not [call for call in source.calls if call[0] == "resolve"]


async def test_a_question_that_came_under_another_program_counts_from_when_it_is_seen() -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source, quiet_s=0.0)
    async with app.run_test(size=(100, 40)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(asks("call-1"))
        await until(pilot, lambda: app.panel.is_lit)
        painted = app.panel.quiet.painted_at
        assert painted is not None
        app.app_resume_signal.publish(app)
        await until(pilot, lambda: (app.panel.quiet.painted_at or 0.0) > painted)
        await until(pilot, lambda: app.panel.is_lit)


async def test_a_click_where_nothing_is_drawn_yet_leaves_the_keyboard_where_it_is() -> None:
    app = CockpitApp(lambda: ScriptedSource())
    async with app.run_test(size=(60, 20)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await pilot.press("o")
        below = (0, 40)
        for kind in (events.MouseDown, events.MouseUp, events.MouseScrollDown):
            app.post_message(kind(None, *below, 0, 0, 1, False, False, False))
        await pilot.pause()
        assert app.composer.has_focus
        app.screen.set_focus(None)
        await pilot.press("home", "l")
        assert app.composer.text == "lo"


async def test_an_answer_stays_the_only_one_when_its_question_comes_into_sight_again() -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source, quiet_s=0.0)
    async with app.run_test(size=(100, 40)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(asks("call-1"))
        await until(pilot, lambda: app.panel.is_lit)
        await pilot.press("n")
        await until(pilot, lambda: answers(source))
        app.app_resume_signal.publish(app)
        await pilot.press("f1")
        await until(pilot, lambda: not app.is_main)
        await pilot.press("escape")
        await until(pilot, lambda: app.is_main and app.focused is app.composer)
        await pilot.press("y")
        await until(pilot, lambda: app.composer.text == "y")
        source.say(ApprovalResolved(approval_id="call-1", allowed=False))
        await until(pilot, lambda: not app.panel.is_open)
        assert len(answers(source)) == 1


async def test_an_answer_that_was_not_taken_can_be_given_again() -> None:
    class Unwilling(ScriptedSource):
        async def resolve_approval(self, approval_id: str, **how: Any) -> None:
            await super().resolve_approval(approval_id, **how)
            if len(answers(self)) == 1:
                raise PersonCanAct("not now")

    source = Unwilling()
    app = CockpitApp(lambda: source, quiet_s=0.0)
    async with app.run_test(size=(100, 40)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(asks("call-1"))
        await until(pilot, lambda: app.panel.is_lit)
        await pilot.press("y")
        await until(pilot, lambda: answers(source) and app.panel.is_lit)
        await pilot.press("y")
        await until(pilot, lambda: len(answers(source)) == 2)


def answers(source: ScriptedSource) -> list[tuple[Any, ...]]:
    return [call for call in source.calls if call[0] == "resolve"]


@pytest.mark.parametrize(
    ("burst", "comes_to"),
    [
        (
            ("ctrl+f", "o", "n", "e"),
            lambda app: [each.text for each in app.query(FindField)] == ["one"],
        ),
        (("alt+up", "enter"), lambda app: app.reading_place == "menu"),
        (("alt+up", "up", "o", "h"), lambda app: app.composer.text == "draftoh"),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, tuple) else "",
)
async def test_what_is_typed_quickly_behind_a_key_goes_where_that_key_led(
    burst: tuple[str, ...], comes_to: Callable[[CockpitApp], bool]
) -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(Notice(text="one"), Notice(text="two"))
        await until(pilot, lambda: app.transcript_view.display)
        await pilot.press(*"draft")
        for key in burst:
            app.post_message(events.Key(key, key if len(key) == 1 else None))
        await until(pilot, lambda: comes_to(app))
        assert not [call for call in source.calls if call[0] == "drive"]


async def the_help(app: CockpitApp, source: ScriptedSource, pilot: Pilot[None]) -> None:
    app.action_help()


async def the_palette(app: CockpitApp, source: ScriptedSource, pilot: Pilot[None]) -> None:
    await pilot.press("ctrl+p")


async def the_themes(app: CockpitApp, source: ScriptedSource, pilot: Pilot[None]) -> None:
    app.show(ThemeScreen(app.looks))


async def the_keys(app: CockpitApp, source: ScriptedSource, pilot: Pilot[None]) -> None:
    app.show_keys()


async def a_diff(app: CockpitApp, source: ScriptedSource, pilot: Pilot[None]) -> None:
    app.show(DiffModal("--- a\n+++ b\n@@ -1 +1 @@\n-one\n+two\n"))


async def a_plan(app: CockpitApp, source: ScriptedSource, pilot: Pilot[None]) -> None:
    source.plan = ["\n".join(f"{n}. do" for n in range(60))]
    await pilot.press("g", "enter")


@pytest.mark.parametrize(
    ("page", "words"),
    [
        (the_help, "? a question waits · esc"),
        (the_palette, "? a question waits · esc"),
        (the_themes, "? a question waits · esc"),
        (the_keys, "? a question waits · esc"),
        (a_diff, "? a question waits · esc"),
        (a_plan, "? a question waits"),
    ],
)
async def test_a_page_says_as_long_as_it_is_so_that_a_question_waits_under_it(
    page: Callable[[CockpitApp, ScriptedSource, Pilot[None]], Awaitable[None]],
    words: str,
) -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source, quiet_s=0.0)
    async with app.run_test(size=(60, 14)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await page(app, source, pilot)
        await until(pilot, lambda: not app.is_main)
        await at_rest(pilot)
        before = text_of(app)
        assert "a question waits" not in before
        source.say(asks("call-1"))
        await until(pilot, lambda: text_of(app).split("\n")[-1].strip() == words)
        await at_rest(pilot)
        lost = set(" ".join(before.split("\n")[-2:]).split()) - set(text_of(app).split())
        assert not lost & {"close", "leave", "esc"}, text_of(app)
        source.say(ApprovalResolved(approval_id="call-1", allowed=False))
        await until(pilot, lambda: "a question waits" not in text_of(app))
        await at_rest(pilot)
        if not app.screen.is_modal:
            assert text_of(app) == before


async def test_a_page_that_is_opened_over_a_question_says_so_at_once() -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source, quiet_s=0.0)
    async with app.run_test(size=(60, 24)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(asks("call-1"))
        await until(pilot, lambda: app.panel.is_lit)
        await at_rest(pilot)
        app.action_help()
        await until(pilot, lambda: text_of(app).endswith("? a question waits · esc"))
        await pilot.press("escape")
        await until(pilot, lambda: "[y] once" in text_of(app))
