"""Lines of pages are selected with the keyboard, copied with ctrl+c, and let go with esc."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from textual.pilot import Pilot

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.look.choosing_lines import ChoosesLines
from agent_cockpit.cockpit.screens.diff_modal import DiffModal
from agent_cockpit.events.harness import AgentStart
from tests.cockpit.screen import text_of, until
from tests.cockpit.test_consent_keys import edit
from tests.cockpit.test_diff_modal import TWO_HUNKS
from tests.cockpit.test_plan_modal import PLAN, proposed, scripted
from tests.support.scripted_source import ScriptedSource, asks

Open = Callable[[Pilot[None], CockpitApp, ScriptedSource], Awaitable[None]]


async def the_help(pilot: Pilot[None], app: CockpitApp, source: ScriptedSource) -> None:
    await pilot.press("f1")


async def the_keys(pilot: Pilot[None], app: CockpitApp, source: ScriptedSource) -> None:
    app.show_keys()


async def a_diff(pilot: Pilot[None], app: CockpitApp, source: ScriptedSource) -> None:
    app.show(DiffModal(TWO_HUNKS))


async def a_plan(pilot: Pilot[None], app: CockpitApp, source: ScriptedSource) -> None:
    await proposed(pilot, app, source, PLAN + "\n3. Commit")


async def all_of_a_call(pilot: Pilot[None], app: CockpitApp, source: ScriptedSource) -> None:
    source.say(AgentStart(goal="g", task_kind="edit"), asks())
    await until(pilot, lambda: app.panel.is_lit)
    await pilot.press("v")


def has_lines(app: CockpitApp) -> bool:
    """Whether lines that can be chosen are shown."""
    shown = app.screen.walk_children(with_self=False)
    return any(isinstance(each, ChoosesLines) and each.size.height for each in shown)


def copied_from(app: CockpitApp) -> list[str]:
    """The lines that are selected."""
    return (app.screen.get_selected_text() or "").split("\n")


@pytest.mark.parametrize("page", [the_help, the_keys, a_diff, a_plan, all_of_a_call])
async def test_lines_are_selected_and_copied_on(page: Open) -> None:
    source, app = scripted()
    async with app.run_test(size=(60, 20)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await page(pilot, app, source)
        await until(pilot, lambda: has_lines(app))
        before = app.screen
        await pilot.press("shift+down", "shift+down", "shift+down", "shift+up")
        await until(pilot, lambda: len(copied_from(app)) == 2)
        assert copied_from(app)[0].strip() in text_of(app)
        await pilot.press("escape")
        await until(pilot, lambda: not app.screen.get_selected_text())
        assert app.screen is before
        await pilot.press("shift+down", "shift+down")
        chosen = "\n".join(copied_from(app))
        await pilot.press("ctrl+c")
        await until(pilot, lambda: app.clipboard == chosen and not app.screen.get_selected_text())
        assert app.screen is before
        assert not source.decisions
        assert not [call for call in source.calls if call[0] == "resolve"]


async def test_the_first_line_is_one_in_sight_and_others_come_into_sight() -> None:
    _source, app = scripted()
    diff = "--- a\n+++ a\n@@ -0,0 +1,60 @@\n" + "".join(f"+line {n}\n" for n in range(60))
    async with app.run_test(size=(40, 12)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        app.show(DiffModal(diff))
        await until(pilot, lambda: "line 3" in text_of(app))
        await pilot.press("pagedown", "shift+up")
        await until(pilot, lambda: copied_from(app)[0].startswith("+line"))
        last = int(copied_from(app)[0].removeprefix("+line "))
        assert f"line {last}" in text_of(app)
        assert f"line {last + 1}" not in text_of(app)
        assert "1 line · ctrl+c copy · esc back" in text_of(app)
        await pilot.press("end", "shift+up")
        await until(pilot, lambda: f"line {last - 1}" in text_of(app))
        assert copied_from(app) == [f"+line {last - 1}", f"+line {last}"]


async def test_lines_of_a_plan_are_selected_from_the_marked_one_on() -> None:
    source, app = scripted()
    async with app.run_test(size=(60, 20)) as pilot:
        await proposed(pilot, app, source, PLAN + "\n3. Commit")
        await pilot.press("down", "shift+down", "shift+down")
        await until(pilot, lambda: len(copied_from(app)) == 2)
        assert copied_from(app) == [*PLAN.split("\n")[1:], "3. Commit"]
        await pilot.press("down")
        await until(pilot, lambda: not app.screen.get_selected_text())


async def test_who_points_at_blocks_selects_in_the_transcript_while_a_call_asks() -> None:
    source, app = scripted()
    async with app.run_test(size=(60, 20)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(AgentStart(goal="some words", task_kind="edit"), edit())
        await until(pilot, lambda: app.panel.is_lit)
        await pilot.press("shift+down")
        await until(pilot, lambda: "hunk 1" in copied_from(app)[0])
        await pilot.press("alt+up", "alt+up", "shift+down")
        await until(pilot, lambda: "some words" in copied_from(app)[0])
