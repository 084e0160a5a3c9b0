"""The pictures of the README's tour: the cockpit itself, so that they are never older than it.

`pytest tests/cockpit/test_tour.py --snapshot-update` makes them anew.
"""

from __future__ import annotations

from collections.abc import Callable

from textual.pilot import Pilot

from agent_cockpit.events.consent import ConsentScope
from agent_cockpit.events.harness import AgentStart, ApprovalRequested
from agent_cockpit.events.sitting import BranchChanged
from tests.cockpit.screen import at_rest, text_of, until
from tests.cockpit.test_look import after, still
from tests.cockpit.test_side_panel import WORK
from tests.support.scripted_source import ScriptedSource, asks
from tests.transcript.stories import EDIT_DIFF, fixed_test, hard_goal, stamped

SCOPES = [
    ConsentScope(scope="once", covers="this call, once"),
    ConsentScope(scope="session", covers="exactly this command, in this sitting"),
    ConsentScope(scope="grant", covers="every `git commit …` in this sitting"),
]
ON_MAIN = BranchChanged(branch="main")
Compare = Callable[..., bool]
SIZE = (100, 30)


def test_a_sitting(snap_compare: Compare) -> None:
    source = ScriptedSource()
    app = still(source)
    commit = asks(
        input={"command": 'git commit -am "Divide by the count"'},
        reason="writes the repository's history",
        confinement="sandbox: workspace only, no network",
        scopes=SCOPES,
    )
    again = AgentStart(goal="Commit it", task_kind="edit")
    before = after(app, source, *stamped([ON_MAIN, *fixed_test(), again, commit]))
    assert snap_compare(app, terminal_size=(100, 33), run_before=before)


def test_a_question(snap_compare: Compare) -> None:
    source = ScriptedSource()
    app = still(source)
    story = fixed_test()
    asked = next(at for at, event in enumerate(story) if isinstance(event, ApprovalRequested))
    question = story[asked].model_copy(
        update={
            "reason": "changes calc.py (+1 −1)",
            "preview": EDIT_DIFF.partition("\n")[2],
            "grant_scope": "every edit in any file in this sitting",
        }
    )
    before = after(app, source, ON_MAIN, *story[:asked], question)
    assert snap_compare(app, terminal_size=SIZE, run_before=before)


def test_a_plan(snap_compare: Compare) -> None:
    source = ScriptedSource()
    app = still(source)
    first = "1. Divide by the number of values in `calc.average`\n2. Run the tests"
    second = f"{first}\n3. Add a test for a single value in `test_calc.py`"
    source.plan = [first, second]

    async def before(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.driving.source is not None)
        await pilot.press("g", "enter")
        await until(pilot, lambda: getattr(app.screen, "is_lit", False))
        await pilot.press("r", "enter")
        await until(pilot, lambda: source.decisions and getattr(app.screen, "is_lit", False))
        await pilot.press("down", "down", "c", *"one value is its own mean", "enter")
        await until(pilot, lambda: "one value is its own mean" in text_of(app))

    assert snap_compare(app, terminal_size=(100, 20), run_before=before)


def test_a_wide_screen(snap_compare: Compare) -> None:
    source = ScriptedSource()
    app = still(source)
    assert snap_compare(
        app, terminal_size=(140, 24), run_before=after(app, source, *stamped([ON_MAIN, *WORK]))
    )


def test_a_search(snap_compare: Compare) -> None:
    source = ScriptedSource()
    app = still(source)
    shown = after(app, source, ON_MAIN, *hard_goal()[:-2])

    async def before(pilot: Pilot[None]) -> None:
        await shown(pilot)
        await at_rest(pilot)
        await pilot.press("ctrl+f", *"fields")
        await until(pilot, lambda: " of 10 " in text_of(app))
        await pilot.press("enter", "enter")

    assert snap_compare(app, terminal_size=SIZE, run_before=before)
