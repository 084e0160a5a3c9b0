"""What the other screens, lists and states of the cockpit look like."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.screens.diff_modal import DiffModal
from agent_cockpit.engine.state import MetaResult
from agent_cockpit.events.harness import ModelUpdate
from agent_cockpit.events.sitting import ToolProgress
from tests.cockpit.screen import text_of, until
from tests.cockpit.test_look import SIZES, after, at_every_size, goal, still
from tests.cockpit.test_side_panel import WORK
from tests.support.scripted_source import ScriptedSource, asks
from tests.transcript.stories import EDIT_DIFF, PARSER_DIFF, fixed_test, stamped

Compare = Callable[..., bool]
Play = Callable[[Pilot[Any], CockpitApp, ScriptedSource], Awaitable[None]]

OUTPUT = "collected 14 items\ntests/test_calc.py ......\ntests/test_parse.py ..."


def picture(compare: Compare, size: tuple[int, int], play: Play, *, theme: str = "") -> bool:
    """Whether the app looks as it did when it is brought there by `play`."""
    source = ScriptedSource()
    app = still(source)

    async def before(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: app.driving.source is not None)
        if theme:
            app.looks.preview(theme)
        await play(pilot, app, source)
        await pilot.pause(0.1)

    return compare(app, terminal_size=size, run_before=before)


@at_every_size
def test_a_goal_at_work(snap_compare: Compare, size: tuple[int, int]) -> None:
    async def play(pilot: Pilot[Any], app: CockpitApp, source: ScriptedSource) -> None:
        thought = ModelUpdate(kind="thought", delta="The divisor may be wrong, but look first.")
        printed = ToolProgress(call_id="c3", delta=OUTPUT)
        source.say(*stamped([WORK[0], thought, *WORK[1:], printed]))
        await until(pilot, lambda: "test_parse.py ..." in text_of(app))

    assert picture(snap_compare, size, play)


@pytest.mark.parametrize("size", [(120, 40), (40, 15)], ids=["120x40", "40x15"])
def test_the_list_of_themes(snap_compare: Compare, size: tuple[int, int]) -> None:
    async def play(pilot: Pilot[Any], app: CockpitApp, source: ScriptedSource) -> None:
        source.say(*fixed_test())
        await until(pilot, lambda: app.transcript_view.display)
        app.composer.text = "/theme"
        await pilot.press("enter")
        await until(pilot, lambda: not app.is_main)
        await pilot.press("down")
        await until(pilot, lambda: app.theme == "cockpit-light")

    assert picture(snap_compare, size, play)


@pytest.mark.parametrize(
    ("size", "theme"), [((120, 40), ""), ((80, 24), "cockpit-light"), ((40, 15), "")]
)
def test_a_diff(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    async def play(pilot: Pilot[Any], app: CockpitApp, source: ScriptedSource) -> None:
        source.meta = {"/diff": MetaResult("diff", EDIT_DIFF + PARSER_DIFF)}
        app.driving.meta("/diff")
        await until(pilot, lambda: isinstance(app.screen, DiffModal))

    assert picture(snap_compare, size, play, theme=theme)


@pytest.mark.parametrize("size", SIZES[1:], ids=["80x24", "40x15"])
def test_the_help_page(snap_compare: Compare, size: tuple[int, int]) -> None:
    async def play(pilot: Pilot[Any], app: CockpitApp, source: ScriptedSource) -> None:
        await pilot.press("f1")
        await until(pilot, lambda: not app.is_main)

    assert picture(snap_compare, size, play)


def test_commands_to_choose_from(snap_compare: Compare) -> None:
    async def play(pilot: Pilot[Any], app: CockpitApp, source: ScriptedSource) -> None:
        await pilot.press("/", "p")
        await until(pilot, lambda: "/permissions" in text_of(app))

    assert picture(snap_compare, (80, 24), play)


def test_the_menu_of_a_block(snap_compare: Compare) -> None:
    async def play(pilot: Pilot[Any], app: CockpitApp, source: ScriptedSource) -> None:
        source.say(*fixed_test())
        await until(pilot, lambda: "verified" in text_of(app))
        await pilot.press("alt+up", "alt+up", "enter")
        await until(pilot, lambda: "╭" in text_of(app))

    assert picture(snap_compare, (80, 24), play)


def test_a_question_in_the_light(snap_compare: Compare) -> None:
    async def play(pilot: Pilot[Any], app: CockpitApp, source: ScriptedSource) -> None:
        source.say(goal(), asks("call-1"), asks("call-2"))
        await until(pilot, lambda: app.panel.is_lit)

    assert picture(snap_compare, (80, 24), play, theme="cockpit-light")


def test_a_plan_in_the_light(snap_compare: Compare) -> None:
    async def play(pilot: Pilot[Any], app: CockpitApp, source: ScriptedSource) -> None:
        source.plan = ["1. Divide by the number of values in `calc.average`\n2. Run the tests"]
        await pilot.press("g", "enter")
        await until(pilot, lambda: getattr(app.screen, "is_lit", False))

    assert picture(snap_compare, (80, 24), play, theme="cockpit-light")


def test_a_goal_that_went_well_in_the_light(snap_compare: Compare) -> None:
    async def play(pilot: Pilot[Any], app: CockpitApp, source: ScriptedSource) -> None:
        await after(app, source, *fixed_test())(pilot)

    assert picture(snap_compare, (40, 15), play, theme="cockpit-light")
