"""Plan, decide, build: one goal of the person in up to three kinds of runs."""

from __future__ import annotations

import asyncio

import pytest

from agent_cockpit.engine.plan_flow import MAX_REVISIONS
from agent_cockpit.engine.session_state import ReplSession
from agent_cockpit.engine.state import PlanDecision
from agent_cockpit.errors import DirtyWorkspaceError, ProviderError
from agent_cockpit.events.harness import AgentStart, ToolStart
from agent_cockpit.events.sitting import PlanDecided, PlanProposed, PromptsRecalled
from tests.support.goals import Folder, ends, of, run_with, runs, told, writes, yes
from tests.support.scripted_provider import Reply, calls, says
from tests.support.waiting import until

PLAN = says("1. write good into a.txt")


class Person:
    """Decides about plans in a fixed order, and keeps what was shown."""

    def __init__(self, *decisions: PlanDecision | None) -> None:
        self._decisions = list(decisions)
        self.shown: list[str] = []

    def __call__(self, plan: str) -> PlanDecision | None:
        self.shown.append(plan)
        return self._decisions.pop(0)

    async def later(self, plan: str) -> PlanDecision | None:
        await asyncio.sleep(0)
        return self(plan)


YES = PlanDecision(True, "")


@pytest.mark.parametrize("way", ["at once", "awaited"])
async def test_an_approved_plan_is_built_and_recorded_once(folder: Folder, way: str) -> None:
    repl = folder.sitting(PLAN, writes(), says("done"))
    stream = repl.events()
    person = Person(YES)
    state = await repl.submit_plan("make it good", person if way == "at once" else person.later)
    assert (state.outcome, state.task_kind, state.is_build) == ("success", "edit", True)
    assert person.shown == ["1. write good into a.txt"]
    assert any("1. write good into a.txt" in constraint for constraint in state.constraints)
    assert [task.task_id for task in repl.state.tasks] == [state.task_id]
    assert [turn.text for turn in repl.state.history] == ["make it good", "done"]
    seen = stream.take_unread()
    assert [event.task_kind for event in of(seen, AgentStart)] == ["plan", "edit"]
    assert [event.decision for event in of(seen, PlanDecided)] == ["approved"]
    assert repl.execution.mode == "exec"
    assert folder.text() == "good\n"


async def test_the_text_that_was_approved_is_what_gets_built(folder: Folder) -> None:
    repl = folder.sitting(PLAN, writes(), says("done"))
    stream = repl.events()
    state = await repl.submit_plan("go", Person(PlanDecision(True, "1. only a.txt, nothing else")))
    assert "1. only a.txt, nothing else" in told(folder.provider.requests[1])
    assert not any("write good" in constraint for constraint in state.constraints)
    assert of(stream.take_unread(), PlanDecided)[0].text == "1. only a.txt, nothing else"


async def test_a_revision_carries_the_plan_so_far_and_the_note(folder: Folder) -> None:
    repl = folder.sitting(PLAN, says("2. better"), writes(), says("done"))
    stream = repl.events()
    person = Person(PlanDecision(False, "shorter please"), YES)
    await repl.submit_plan("go", person)
    asked = told(folder.provider.requests[1])
    assert "1. write good into a.txt" in asked
    assert "shorter please" in asked
    assert person.shown == ["1. write good into a.txt", "2. better"]
    assert len(repl.state.tasks) == 1
    assert [event.version for event in of(stream.take_unread(), PlanProposed)] == [1, 2]


async def test_a_plan_that_nobody_decides_about_is_left_and_the_gate_stays(folder: Folder) -> None:
    repl = folder.sitting(PLAN)
    repl.enter_plan()
    state = await repl.submit_plan("go", Person(None))
    assert (state.outcome, len(folder.provider.requests)) == ("success", 1)
    assert (repl.mode, repl.execution.mode) == ("plan", "plan")
    assert [turn.role for turn in repl.state.history] == ["user", "agent"]


async def test_ten_notes_without_approval_end_as_incomplete(folder: Folder) -> None:
    repl = folder.sitting(*[PLAN] * MAX_REVISIONS)
    person = Person(*[PlanDecision(False, "")] * MAX_REVISIONS)
    state = await repl.submit_plan("go", person)
    assert (state.outcome, len(person.shown)) == ("incomplete", 10)
    assert state.evidence[-1].kind == "blocker"
    assert repl.state.tasks == [state]


UNUSABLE: dict[str, tuple[list[Reply], str]] = {
    "a question": ([calls(("ask_user", {"question": "which?"}))], "blocked"),
    "blank words": ([says(" \n ")], "incomplete"),
    "a fault": ([[ProviderError("gone", kind="auth")]], "incomplete"),
    "too long": ([calls(("read_file", {"path": "a.txt"}))] * 2, "incomplete"),
}


@pytest.mark.parametrize("name", UNUSABLE)
async def test_what_is_no_plan_is_never_offered(folder: Folder, name: str) -> None:
    script, outcome = UNUSABLE[name]
    repl = folder.sitting(*script, max_iterations=2, transport_max_retries=0)
    person = Person()
    state = await repl.submit_plan("go", person)
    assert (state.outcome, person.shown) == (outcome, [])
    assert repl.state.tasks == [state]
    assert len(repl.state.history) == 2


async def test_a_cancelled_plan_is_never_offered(folder: Folder) -> None:
    repl = folder.sitting([asyncio.Event()])
    person = Person()
    running = asyncio.create_task(repl.submit_plan("go", person))
    await until(lambda: folder.provider.requests)
    await repl.cancel("esc")
    state = await running
    assert (state.status, person.shown) == ("cancelled", [])
    assert repl.state.history[-1].text == "incomplete"


async def test_planning_refuses_what_changes_before_anybody_is_asked(folder: Folder) -> None:
    batch = calls(
        ("write_file", {"path": "a.txt", "content": "x", "overwrite": True}),
        ("delete_file", {"path": "a.txt"}),
        ("run_command", {"command": "touch b"}),
        ("run_command", {"command": "git status && rm a.txt"}),
        ("run_tests", {}),
        ("switch_to_editing", {"reason": "now"}),
        ("run_command", {"command": "cat notes.md"}),
        ("read_file", {"path": "notes.md"}),
    )
    repl = folder.sitting(batch, PLAN)
    session = repl.start_plan("go")
    state = await run_with(session, yes(session))
    assert [end.refused for end in ends(session)].count(True) == 6
    assert [event.tool for event in of(session.history, ToolStart)] == ["run_command", "read_file"]
    assert folder.text() == "bad\n"
    assert not (folder.root / "b").exists()
    assert state.outcome == "success"
    offered = {tool.name for tool in folder.provider.requests[0].tools}
    assert "write_file" not in offered


async def test_no_grant_or_trust_reaches_past_the_gate(folder: Folder) -> None:
    repl = folder.sitting(runs("touch a"), says("ok"), runs("touch a"), PLAN, max_repair_attempts=1)
    repl.set_mode("edit")
    first = repl.start("one")
    repl.record(await run_with(first, yes(first, remember=True, scope="session")))
    (folder.root / "a").unlink()
    repl.enter_plan()
    second = repl.start("two")
    await second.run()
    assert not (folder.root / "a").exists()
    assert "plan mode" in told(folder.provider.requests[3])


async def test_the_pin_from_before_comes_back_with_the_build(folder: Folder) -> None:
    repl = folder.sitting(PLAN, writes(), says("done"))
    repl.set_mode("investigate")
    repl.enter_plan()
    await repl.submit_plan("go", Person(YES))
    assert (repl.mode, repl.execution.mode) == ("investigate", "exec")


async def test_a_pin_on_plan_stays_over_a_build(folder: Folder) -> None:
    repl = folder.sitting(PLAN, writes(), says("done"))
    repl.set_mode("plan")
    await repl.submit_plan("go", Person(YES))
    assert repl.mode == "plan"


async def test_after_a_plan_without_a_pin_the_next_goal_may_edit(folder: Folder) -> None:
    repl = folder.sitting(PLAN, writes(), says("done"))
    await repl.submit_plan("go", Person(None))
    state = await repl.submit("fix a.txt")
    assert (state.outcome, folder.text()) == ("success", "good\n")


async def test_drive_sends_a_pinned_plan_to_the_person(folder: Folder) -> None:
    repl = folder.sitting(PLAN, writes(), says("done"))
    repl.set_mode("plan")
    state = await repl.drive("go", decide=Person(YES).later)
    assert state is not None
    assert state.outcome == "success"
    assert not repl.execution.is_active


async def test_a_follow_up_during_the_build_is_the_next_goal(folder: Folder) -> None:
    held = asyncio.Event()
    repl = folder.sitting(PLAN, writes(), [held, *says("done")], says("because"))  # type: ignore[misc]
    repl.enter_plan()
    stream = repl.events()
    running = asyncio.create_task(repl.drive("go", decide=Person(YES)))
    await until(lambda: len(folder.provider.requests) == 3)
    await repl.drive("why?", kind="follow_up")
    held.set()
    state = await running
    assert state is not None
    assert (state.goal, state.final_answer) == ("why?", "because")
    recalled = of(stream.take_unread(), PromptsRecalled)
    assert [(event.texts, event.to) for event in recalled] == [(["why?"], "next")]


async def test_plan_mode_entered_while_the_prompt_is_routed_makes_it_a_plan(
    folder: Folder,
) -> None:
    class Slow:
        async def classify(self, prompt: str, *, history: list[str]) -> str | None:
            await held.wait()
            return "edit"

    held = asyncio.Event()
    repl = folder.sitting(PLAN, classifier=Slow())
    person = Person(None)
    running = asyncio.create_task(repl.drive("go", decide=person))
    await until(lambda: repl.execution.is_active)
    repl.enter_plan()
    held.set()
    state = await running
    assert state is not None
    assert (state.is_plan, person.shown) == (True, ["1. write good into a.txt"])


async def test_submit_points_to_the_plan_flow(folder: Folder) -> None:
    repl = folder.sitting()
    repl.set_mode("plan")
    with pytest.raises(ValueError, match="submit_plan"):
        await repl.submit("go")
    assert (repl.state.history, repl.execution.is_active) == ([], False)


async def test_a_plan_beside_a_running_goal_is_refused_and_closes_no_gate(folder: Folder) -> None:
    held = asyncio.Event()
    repl = folder.sitting([held, *writes()], says("done"))  # type: ignore[misc]
    running = asyncio.create_task(repl.drive("fix a.txt"))
    await until(lambda: folder.provider.requests)
    with pytest.raises(RuntimeError, match="another goal is running"):
        await repl.submit_plan("go", Person())
    held.set()
    state = await running
    assert state is not None
    assert (state.outcome, repl.execution.mode) == ("success", "exec")


async def test_what_is_queued_under_a_pin_on_plan_becomes_a_plan(folder: Folder) -> None:
    held = asyncio.Event()
    repl = folder.sitting([held, *says("hello")], says("1. then this"))  # type: ignore[misc]
    person = Person(None)
    running = asyncio.create_task(repl.drive("what is it?", decide=person))
    await until(lambda: folder.provider.requests)
    await repl.drive("make it so", kind="follow_up")
    repl.set_mode("plan")
    held.set()
    state = await running
    assert state is not None
    assert (state.is_plan, person.shown) == (True, ["1. then this"])


async def test_a_build_that_cannot_begin_leaves_the_goal_that_runs_alone(folder: Folder) -> None:
    decided, held = asyncio.Event(), asyncio.Event()

    async def thinks(_: str) -> PlanDecision:
        await decided.wait()
        return YES

    repl = folder.sitting(PLAN, [held, *says("hello")])  # type: ignore[misc]
    repl.enter_plan()
    planning = asyncio.create_task(repl.drive("go", decide=thinks))
    await until(lambda: folder.provider.requests and not repl.execution.is_active)
    repl.set_mode("investigate")
    other = asyncio.create_task(repl.drive("what is it?"))
    await until(lambda: len(folder.provider.requests) == 2)
    await repl.drive("and why?", kind="follow_up")
    decided.set()
    with pytest.raises(RuntimeError, match="another goal is running"):
        await planning
    assert repl.execution.is_active
    assert repl.recall() == ["and why?"]
    held.set()
    state = await other
    assert state is not None
    assert state.outcome == "success"


async def test_a_decision_that_breaks_leaves_the_sitting_at_rest(folder: Folder) -> None:
    def breaks(_: str) -> PlanDecision:
        raise LookupError("no screen")

    repl = folder.sitting(PLAN, says("hello"))
    repl.set_mode("plan")
    with pytest.raises(LookupError):
        await repl.drive("go", decide=breaks)
    assert not repl.execution.is_active
    repl.set_mode("investigate")
    assert (await repl.submit("what is it?")).outcome == "success"


async def test_a_plan_that_cannot_start_leaves_no_turn(folder: Folder) -> None:
    (folder.root / "a.txt").write_text("mine\n")
    repl = folder.sitting()
    with pytest.raises(DirtyWorkspaceError):
        await repl.submit_plan("go", Person())
    assert (repl.state.history, repl.state.tasks) == ([], [])
    assert not repl.execution.is_active


async def test_a_hard_cancel_in_the_build_is_recorded_once(folder: Folder) -> None:
    repl = folder.sitting(PLAN, [asyncio.Event()])
    running = asyncio.create_task(repl.submit_plan("go", Person(YES)))
    await until(lambda: len(folder.provider.requests) == 2)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert [turn.text for turn in repl.state.history] == ["go", "incomplete"]


@pytest.mark.parametrize(
    ("answer", "steps", "text"),
    [("by words", ["a", "b"], "by words"), (None, ["a", "b"], "a\nb"), (None, [], "")],
)
async def test_a_plan_is_the_answer_or_else_the_steps(
    folder: Folder, answer: str | None, steps: list[str], text: str
) -> None:
    state = folder.goal().state.model_copy(update={"final_answer": answer, "current_plan": steps})
    assert ReplSession.extract_plan(state) == text


@pytest.mark.parametrize(
    ("answer", "outcome", "offered"),
    [
        ("a plan", "success", True),
        ("a plan", "failed", True),
        ("a plan", "blocked", False),
        ("a plan", "incomplete", False),
        ("  \n", "success", False),
        (None, "failed", False),
    ],
)
async def test_what_may_be_offered(
    folder: Folder, answer: str | None, outcome: str, offered: bool
) -> None:
    state = folder.goal().state.model_copy(update={"final_answer": answer, "outcome": outcome})
    assert ReplSession.plan_is_approvable(state) is offered
