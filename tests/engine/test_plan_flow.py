"""Plan, decide, build: one goal of the person in up to three kinds of runs."""

from __future__ import annotations

import asyncio
from functools import reduce

import pytest

from agent_cockpit.engine.record.journal_reader import read_journal
from agent_cockpit.engine.record.recollection import recollect
from agent_cockpit.engine.sitting.plan_flow import MAX_REVISIONS
from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.engine.state import PlanDecision
from agent_cockpit.errors import DirtyWorkspaceError, ProviderError
from agent_cockpit.events.harness import AgentStart, ApprovalRequested, ToolStart
from agent_cockpit.events.sitting import PlanDecided, PlanProposed, PromptQueued, PromptsRecalled
from agent_cockpit.transcript.advancing import advance
from agent_cockpit.transcript.blocks import OutcomeBlock
from agent_cockpit.transcript.fold import Transcript
from agent_cockpit.transcript.status import Status
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
    assert not repl.execution.is_active


async def test_record_and_events_agree_on_a_plan_that_nobody_approved(folder: Folder) -> None:
    repl = folder.sitting(*[PLAN] * MAX_REVISIONS, recorded=True)
    stream = repl.events()
    person = Person(*[PlanDecision(False, "again")] * MAX_REVISIONS)
    state = await repl.submit_plan("make it good", person)
    events = stream.take_unread()
    last = of(events, PlanDecided)[-1]
    assert (last.outcome, last.task_id) == ("incomplete", state.task_id)
    assert [event.outcome for event in of(events, PlanDecided)[:-1]] == [None] * 9
    status = reduce(advance, events, Status())
    assert (status.outcome, status.plan) == ("incomplete", None)
    block = Transcript.of(events).blocks[-1]
    assert isinstance(block, OutcomeBlock)
    assert (block.outcome, "10 versions" in block.text) == ("incomplete", True)
    await repl.aclose()
    past = recollect(read_journal(folder.journal))
    assert [task.outcome for task in past.tasks] == ["incomplete"]
    assert [turn.text for turn in past.history] == [turn.text for turn in repl.state.history]


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
    began = [event.tool for event in of(session.history, ToolStart)]
    assert sorted(began) == ["read_file", "run_command"], "both read, so they run side by side"
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


class Thinker:
    """Decides once it is told what; `asked` is set when a plan is there."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.decided = asyncio.Event()
        self.decision: PlanDecision | None = None
        self.was_left = False

    async def __call__(self, _: str) -> PlanDecision | None:
        self.asked.set()
        try:
            await self.decided.wait()
        except asyncio.CancelledError:
            self.was_left = True
            raise
        return self.decision

    def decide(self, decision: PlanDecision | None) -> None:
        self.decision = decision
        self.decided.set()


async def test_what_is_sent_while_the_person_decides_joins_the_build(folder: Folder) -> None:
    repl = folder.sitting(PLAN, writes(), says("done"))
    repl.enter_plan()
    stream, person = repl.events(), Thinker()
    planning = asyncio.create_task(repl.drive("go", decide=person))
    await person.asked.wait()
    assert await repl.drive("mind the dots") is None
    assert of(stream.take_unread(), PromptQueued)[0].text == "mind the dots"
    person.decide(YES)
    state = await planning
    assert state is not None
    assert (state.outcome, state.is_build) == ("success", True)
    assert "mind the dots" in told(folder.provider.requests[2])
    assert not repl.execution.is_active


async def test_what_is_sent_while_the_person_decides_comes_next_when_they_leave(
    folder: Folder,
) -> None:
    repl = folder.sitting(PLAN, says("hello"))
    repl.enter_plan()
    person = Thinker()
    planning = asyncio.create_task(repl.drive("go", decide=person))
    await person.asked.wait()
    assert await repl.drive("what is it?", kind="follow_up") is None
    repl.set_mode("investigate")
    person.decide(None)
    state = await planning
    assert state is not None
    assert (state.goal, state.final_answer) == ("what is it?", "hello")
    assert [task.goal for task in repl.state.tasks] == ["go", "what is it?"]


async def test_no_other_goal_begins_while_the_person_decides(folder: Folder) -> None:
    repl = folder.sitting(PLAN, writes(), says("done"))
    repl.enter_plan()
    person = Thinker()
    planning = asyncio.create_task(repl.submit_plan("go", person))
    await person.asked.wait()
    repl.set_mode("investigate")
    with pytest.raises(RuntimeError, match="another goal is running"):
        await repl.submit("what is it?")
    person.decide(YES)
    assert (await planning).outcome == "success"
    assert not repl.execution.is_active


@pytest.mark.parametrize("way", ["cancelled", "closed"])
async def test_a_cancel_while_the_person_decides_leaves_the_plan(folder: Folder, way: str) -> None:
    repl = folder.sitting(PLAN, says("hello"))
    repl.enter_plan()
    stream, person = repl.events(), Thinker()
    planning = asyncio.create_task(repl.drive("go", decide=person))
    await person.asked.wait()
    await repl.drive("and this", kind="follow_up")
    if way == "closed":
        await repl.aclose()
    else:
        await repl.cancel("esc")
    state = await planning
    assert state is not None
    assert (state.is_plan, state.outcome, person.was_left) == (True, "success", True)
    seen = stream.take_unread()
    assert [event.decision for event in of(seen, PlanDecided)] == ["left"]
    assert [(e.texts, e.to) for e in of(seen, PromptsRecalled)] == [(["and this"], "composer")]
    assert not repl.execution.is_active
    if way == "cancelled":
        repl.set_mode("investigate")
        assert (await repl.submit("what is it?")).outcome == "success"


async def test_an_approval_may_accept_the_edits_of_the_sitting(folder: Folder) -> None:
    repl = folder.sitting(PLAN, writes(), says("done"), asks_edits=True)
    stream = repl.events()
    state = await repl.submit_plan("go", Person(PlanDecision(True, "", accept_edits=True)))
    assert (state.outcome, repl.consent) == ("success", "accept_edits")
    seen = stream.take_unread()
    assert of(seen, ApprovalRequested) == []
    assert of(seen, PlanDecided)[0].accepts_edits


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
