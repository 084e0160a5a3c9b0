"""What stands beside the conversation on a wide screen, and what a click on it opens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.remembered import Remembered
from agent_cockpit.cockpit.screens.diff_modal import DiffModal
from agent_cockpit.events.harness import ToolEnd, ToolStart
from agent_cockpit.events.plans import PlanProgressed, PlanStepState
from agent_cockpit.events.sitting import CheckFinished, CheckStarted, PromptQueued
from tests.cockpit.screen import at_rest, text_of, type_in, until
from tests.cockpit.test_look import DIFF, goal, still
from tests.support.scripted_source import ScriptedSource, asks
from tests.transcript.stories import passing_check, stamped

OTHER = DIFF.replace("calc.py", "src/a/very/deep/folder/of/[things]/test_calc.py")
STEPS = [
    PlanStepState(number=1, text="Divide by the count", state="done", why="edit of calc.py"),
    PlanStepState(number=2, text="Add a test for a single value", state="working"),
    PlanStepState(number=3, text="Run the tests"),
]
WORK = (
    goal(),
    PlanProgressed(steps=STEPS, strays=["notes.md"]),
    ToolStart(call_id="c1", tool="str_replace", input={"path": "calc.py"}),
    ToolEnd(call_id="c1", tool="str_replace", success=True, diff=DIFF),
    ToolStart(call_id="c2", tool="str_replace", input={"path": "test_calc.py"}),
    ToolEnd(call_id="c2", tool="str_replace", success=True, diff=OTHER),
    ToolStart(call_id="c3", tool="run_tests", input={"command": "python -m pytest -q"}),
    PromptQueued(text="use plain asserts, please"),
    PromptQueued(kind="follow_up", text="then update the changelog"),
)


def side_of(app: CockpitApp) -> str:
    """The columns at the right of the screen."""
    return "\n".join(line[112:] for line in text_of(app).split("\n"))


async def working(pilot: Pilot[Any], app: CockpitApp, source: ScriptedSource) -> None:
    await until(pilot, lambda: app.driving.source is not None)
    source.say(*stamped(WORK))
    await until(pilot, lambda: "changelog" in text_of(app))


async def test_it_tells_plan_queue_jobs_and_files() -> None:
    source = ScriptedSource()
    app = still(source)
    async with app.run_test(size=(150, 40)) as pilot:
        await working(pilot, app, source)
        words = side_of(app)
    for line in (
        "plan                        1 of 3",
        "✔ 1. Divide by the count",
        "▸ 2. Add a test for a single value",
        "☐ 3. Run the tests",
        "! not in the plan: notes.md",
        "↳ then update the changelog  after",
        "● test python -m pytest -q",
        "changed                      +2 −2",
        "calc.py                      +1 −1",
        "…er/of/[things]/test_calc.py +1 −1",
    ):
        assert line in words, line


async def test_a_check_that_runs_is_a_job_until_it_is_over() -> None:
    source = ScriptedSource()
    app = still(source)
    async with app.run_test(size=(150, 40)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await pilot.press("ctrl+t")
        source.say(goal(), CheckStarted(name="tests", command="make test"))
        await until(pilot, lambda: "● check make test" in side_of(app))
        source.say(CheckFinished(result=passing_check()))
        await until(pilot, lambda: "nothing planned" in side_of(app))


async def test_it_stays_away_until_something_lasting_stands_on_it_or_it_is_asked_for() -> None:
    source = ScriptedSource()
    app = still(source)
    async with app.run_test(size=(150, 40)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(goal(), CheckStarted(name="tests", command="make test"))
        await until(pilot, lambda: "make test" in text_of(app))
        assert not app.query("#side")
        source.say(*stamped(WORK[2:4]))
        await until(pilot, lambda: "calc.py" in side_of(app))


async def test_asked_for_it_stands_beside_the_welcome_too_and_says_so_while_empty() -> None:
    source = ScriptedSource()
    app = still(source)
    async with app.run_test(size=(150, 40)) as pilot:
        await until(pilot, lambda: app.driving.bridge is not None)
        await pilot.press("ctrl+t")
        await until(pilot, lambda: "nothing planned" in side_of(app))
        await pilot.press("ctrl+t")
        await until(pilot, lambda: not app.query_one("#side").display)
        source.say(goal(), *stamped(WORK[2:4]))
        await until(pilot, lambda: app.query_one("#side").display)


@pytest.mark.parametrize("size", [(139, 40), (80, 24), (40, 15)])
async def test_a_narrower_screen_has_none_and_says_so(size: tuple[int, int]) -> None:
    source = ScriptedSource()
    app = still(source)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(*WORK)
        await until(pilot, lambda: app.transcript_view.display)
        assert not app.query("#side")
        await pilot.press("ctrl+t")
        await until(pilot, lambda: "side panel off" in text_of(app))


async def test_resizing_hides_it_and_brings_it_back_with_all_that_it_said() -> None:
    source = ScriptedSource()
    app = still(source)
    async with app.run_test(size=(150, 40)) as pilot:
        await working(pilot, app, source)
        await at_rest(pilot)
        before = side_of(app)
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "joins after this step" in text_of(app))
        await pilot.resize_terminal(150, 40)
        await until(pilot, lambda: side_of(app) == before)


async def test_it_is_switched_off_for_later_cockpits_too(tmp_path: Path) -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source, remembered=Remembered(tmp_path / "cockpit.json"))
    async with app.run_test(size=(150, 40)) as pilot:
        await working(pilot, app, source)
        await type_in(pilot, "/panel")
        await pilot.press("enter")
        await until(pilot, lambda: not app.query_one("#side").display)
    later_source = ScriptedSource()
    later = CockpitApp(lambda: later_source, remembered=Remembered(tmp_path / "cockpit.json"))
    async with later.run_test(size=(150, 40)) as pilot:
        await working(pilot, later, later_source)
        assert not later.query("#side")
        await pilot.press("ctrl+t")
        await until(pilot, lambda: "1 of 3" in side_of(later))


async def test_a_click_on_a_file_shows_what_was_done_to_it() -> None:
    source = ScriptedSource()
    app = still(source)
    async with app.run_test(size=(150, 40)) as pilot:
        await working(pilot, app, source)
        row = next(y for y, line in enumerate(side_of(app).split("\n")) if "│ calc.py" in line)
        await pilot.click(offset=(118, row))
        await until(pilot, lambda: isinstance(app.screen, DiffModal))
        assert "1 file · +1 −1" in text_of(app)
        assert "test_calc" not in text_of(app)


async def test_a_click_on_a_job_leads_to_its_call() -> None:
    source = ScriptedSource()
    app = still(source)
    async with app.run_test(size=(150, 20)) as pilot:
        await working(pilot, app, source)
        app.transcript_view.scroll_home()
        await pilot.pause()
        row = next(y for y, line in enumerate(side_of(app).split("\n")) if "● test" in line)
        await pilot.click(offset=(118, row))
        await until(pilot, lambda: "test    python -m pytest -q" in text_of(app))


async def test_a_question_beside_it_keeps_each_answer_whole() -> None:
    source = ScriptedSource()
    app = still(source)
    async with app.run_test(size=(150, 40)) as pilot:
        await working(pilot, app, source)
        source.say(asks())
        await until(pilot, lambda: app.panel.is_lit)
        await until(pilot, lambda: "[v] all of it" in text_of(app))


@pytest.mark.parametrize("theme", ["cockpit-dark", "cockpit-light"])
def test_a_wide_screen(snap_compare: Callable[..., bool], theme: str) -> None:
    source = ScriptedSource()
    app = still(source)

    async def before(pilot: Pilot[Any]) -> None:
        await working(pilot, app, source)
        app.looks.preview(theme)

    assert snap_compare(app, terminal_size=(150, 40), run_before=before)
