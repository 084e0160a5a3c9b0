"""A sitting taken up again: from wherever its process was killed, with nothing assumed."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_cockpit.engine.record.journal import JsonlEventJournal
from agent_cockpit.engine.record.journal_lock import is_locked
from agent_cockpit.engine.record.journal_reader import load_events
from agent_cockpit.engine.record.past import Past
from agent_cockpit.engine.record.recollection import recollect
from agent_cockpit.engine.record.resume import first_events, open_past
from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.engine.state import PlanDecision
from agent_cockpit.errors import SittingLocked, WorkspaceError
from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import AgentEnd, AgentStart, ApprovalRequested
from agent_cockpit.events.messages import Message, ToolResultBlock, ToolUseBlock
from agent_cockpit.events.sitting import (
    ContextCompacted,
    DamagedLines,
    ExecutionChanged,
    Notice,
    PlanProposed,
    PromptDelivered,
    PromptQueued,
    PromptsRecalled,
    SittingMessage,
    SittingResumed,
    SittingStarted,
)
from agent_cockpit.rules.model.pairing import repair
from agent_cockpit.rules.modes import Mode
from agent_cockpit.transcript.advancing import advance
from agent_cockpit.transcript.blocks import CallBlock, NoticeBlock, PromptBlock
from agent_cockpit.transcript.fold import Transcript
from agent_cockpit.transcript.status import Status
from tests.support.goals import Folder, next_of, of, runs, told, writes
from tests.support.scripted_provider import Reply, calls, says
from tests.support.waiting import until
from tests.transcript.test_any_order import EVENTS

STRIPES = 4
"""The cuts are spread over so many tests, each with its own time limit."""


class Cut(Folder):
    """A project whose sittings are taken up again, from journals cut anywhere."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self.copy = home / "copy.jsonl"

    def resume(
        self, *replies: Reply, journal: Path | None = None, dirty: bool = False, **parts: Any
    ) -> ReplSession:
        record = JsonlEventJournal(journal or self.journal)
        past = open_past(record)
        harness = self.harness(*replies, **parts)
        repl = ReplSession(harness, journal=record, past=past, allow_dirty=dirty)
        self._sittings.append(repl)
        return repl

    def resume_from(self, kept: bytes, *replies: Reply) -> ReplSession:
        """Take up again what a kill left of a journal."""
        self.copy.write_bytes(kept)
        return self.resume(*replies, journal=self.copy, dirty=True)

    async def killed(self, repl: ReplSession, goal: asyncio.Task[Any]) -> bytes:
        """What the journal held just now; the sitting is ended afterwards, unrecorded."""
        kept = self.journal.read_bytes()
        await repl.cancel()
        await goal
        await repl.aclose()
        self.journal.unlink()
        return kept


@pytest.fixture
async def folder(tmp_path: Path) -> AsyncIterator[Cut]:
    made = Cut(tmp_path)
    yield made
    await made.close()


async def recorded(folder: Cut) -> bytes:
    """The journal of two goals: one answers; one reads, edits, is steered, asks for a command
    that is denied, and answers."""
    repl = folder.sitting(
        says("It is a note."),
        calls(
            ("read_file", {"path": "notes.md"}),
            ("write_file", {"path": "a.txt", "content": "good\n", "overwrite": True}),
            text="I look first.",
        ),
        runs("git commit -qam done"),
        says("Made a.txt good."),
        recorded=True,
    )
    await repl.drive("what is notes.md?")
    stream = repl.events()
    going = asyncio.create_task(repl.drive("fix a.txt"))
    question = await next_of(stream, ApprovalRequested)
    await repl.drive("use tabs")
    await repl.drive("and then rest", kind="follow_up")
    repl.recall()
    await repl.drive("be brief")
    await repl.resolve_approval(question.approval_id, allow=False, reason="not yet")
    await going
    await repl.aclose()
    return folder.journal.read_bytes()


def ends_of(repl: ReplSession) -> list[Event]:
    """What the sitting says when it is taken up again."""
    return repl.events().take_unread()


# ── the whole of it ──────────────────────────────────────────────────────────────────────────────


async def test_a_sitting_that_was_closed_is_the_same_again(folder: Cut) -> None:
    await recorded(folder)
    before = folder._sittings[-1]
    repl = folder.resume(says("Yes."))
    assert repl.history() == before.history()
    assert repl.state.history == before.state.history
    assert [t.task_id for t in repl.state.tasks] == [t.task_id for t in before.state.tasks]
    for again, was in zip(repl.state.tasks, before.state.tasks, strict=True):
        same = {"goal", "outcome", "status", "final_answer", "files_modified", "prompt_tokens"}
        assert again.model_dump(include=same) == was.model_dump(include=same)
    assert repl.state.session_id == before.state.session_id
    (only,) = ends_of(repl)
    assert isinstance(only, SittingResumed)


async def test_ids_go_on_and_there_is_no_second_header(folder: Cut) -> None:
    await recorded(folder)
    for _ in range(2):
        repl = folder.resume(says("Yes."))
        await repl.drive("what now?")
        await repl.aclose()
    events = load_events(folder.journal)
    ids = [event.event_id for event in events]
    assert ids == sorted(set(ids))
    assert len({event.session_id for event in events}) == 1
    assert len(of(events, SittingStarted)) == 1
    assert len(of(events, SittingResumed)) == 2


async def test_the_model_sees_the_conversation_and_what_was_refused(folder: Cut) -> None:
    await recorded(folder)
    repl = folder.resume(says("Yes."))
    await repl.drive("what now?")
    (request,) = folder.provider.requests
    assert [message.text for message in request.messages][:3] == [
        message.text for message in repl.history()[:3]
    ]
    assert "git commit -qam done: not yet" in told(request)


async def test_grants_and_trust_are_gone_and_the_next_call_asks(folder: Cut) -> None:
    repl = folder.sitting(runs("git commit -qam one"), says("Done."), recorded=True)
    stream = repl.events()
    going = asyncio.create_task(repl.drive("what is a commit?"))
    question = await next_of(stream, ApprovalRequested)
    await repl.resolve_approval(question.approval_id, allow=True, remember=True)
    await going
    assert repl.state.grants
    await repl.aclose()

    again = folder.resume(runs("git commit -qam one"), says("Done."))
    assert again.state.grants == []
    assert again.execution.trust_levels == {}
    stream = again.events()
    going = asyncio.create_task(again.drive("what is a commit?"))
    question = await next_of(stream, ApprovalRequested)
    await again.resolve_approval(question.approval_id, allow=False)
    await going


async def test_accepting_edits_does_not_outlive_the_process_but_plan_mode_does(
    folder: Cut,
) -> None:
    repl = folder.sitting(says("1. Look."), recorded=True, asks_edits=True)
    repl.cycle_consent()
    repl.cycle_consent()
    assert (repl.consent, repl.mode) == ("accept_edits", "plan")
    await repl.aclose()
    again = folder.resume(asks_edits=True)
    assert again.consent == "ask"
    assert again.mode == again.execution.mode == "plan"
    again.leave_plan()
    await again.aclose()
    once_more = folder.resume(asks_edits=True)
    assert (once_more.mode, once_more.execution.mode) == (None, "exec")


@pytest.mark.parametrize("mode", ["edit", "investigate", "test_only", None])
async def test_a_pinned_mode_outlives_the_process(folder: Cut, mode: Mode | None) -> None:
    repl = folder.sitting(says("hello"), recorded=True)
    repl.set_mode("investigate")
    await repl.drive("hello")
    repl.set_mode(mode)
    await repl.aclose()
    assert folder.resume().mode == mode


async def test_the_ends_come_first_whatever_is_done_first(folder: Cut) -> None:
    repl = folder.sitting(runs("git commit -qam one"), recorded=True)
    stream = repl.events()
    going = asyncio.create_task(repl.drive("what is a commit?"))
    await next_of(stream, ApprovalRequested)
    kept = await folder.killed(repl, going)
    again = folder.resume_from(kept, says("Yes."))
    again.set_mode("investigate")
    again.announce(Message.of("user", "[a word]"))
    await again.submit("what now?")
    await again.aclose()
    events = load_events(folder.copy)[len(_events_of(folder, kept)) :]
    kinds = [type(event) for event in events]
    assert kinds.index(AgentEnd) < kinds.index(SittingResumed) < kinds.index(AgentStart)
    told = [event.phase for event in events if isinstance(event, ExecutionChanged)]
    assert told[:2] == ["idle", "starting"]


async def test_a_sitting_that_begins_with_a_command_begins_with_its_header(folder: Cut) -> None:
    repl = folder.sitting(recorded=True)
    repl.run_meta("/boundary a.txt 2-4")
    first, second = load_events(folder.journal)
    assert isinstance(first, SittingStarted)
    assert isinstance(second, ExecutionChanged)


async def test_edit_boundaries_outlive_the_process(folder: Cut) -> None:
    repl = folder.sitting(recorded=True)
    repl.run_meta("/boundary a.txt 2-4")
    repl.run_meta("/boundary notes.md 1-1")
    repl.run_meta("/boundary clear notes.md")
    kept = folder.journal.read_bytes()
    again = folder.resume_from(kept)
    assert again.execution.boundaries == repl.execution.boundaries
    assert "only in lines 2-4" in again.run_meta("/permissions").text
    ends_of(again)
    await again.aclose()
    once_more = folder.resume(journal=folder.copy)
    assert once_more.execution.boundaries == repl.execution.boundaries


async def test_the_sittings_own_changes_do_not_stop_it(folder: Cut) -> None:
    repl = folder.sitting(writes(), says("Made a.txt good."), recorded=True)
    await repl.drive("fix a.txt")
    await repl.aclose()
    again = folder.resume(says("Yes."))
    state = await again.drive("what now?")
    assert state is not None
    assert state.outcome == "success"


# ── cut off anywhere ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("stripe", range(STRIPES))
async def test_a_kill_after_any_line_leaves_a_sitting_that_goes_on(
    folder: Cut, stripe: int
) -> None:
    lines = (await recorded(folder)).splitlines(keepends=True)
    assert len(lines) > 40
    for count in range(1 + stripe, len(lines) + 1, STRIPES):
        kept = b"".join(lines[:count])
        repl = folder.resume_from(kept, says("Going on."))
        stream = repl.events()
        left = Transcript.of(repl.past.events)
        for event in stream.take_unread():
            left.apply(event)
        assert not left.open_keys()
        await repl.drive("what now?")
        (request,) = folder.provider.requests
        assert not repair(request.messages)[1]
        assert request.messages[-1].text.endswith("what now?")
        await repl.aclose()

        events = load_events(folder.copy)
        ids = [event.event_id for event in events]
        assert ids == sorted(set(ids)), f"cut after line {count}"
        assert len(of(events, AgentStart)) == len(of(events, AgentEnd))
        assert recollect(events).messages == repl.history()[1:]
        shown = Transcript.of(events).blocks
        assert shown[: len(left)] == left.blocks


@pytest.mark.parametrize("stripe", range(STRIPES))
async def test_a_kill_inside_a_line_costs_that_line_and_is_told(folder: Cut, stripe: int) -> None:
    lines = (await recorded(folder)).splitlines(keepends=True)
    for count in range(1 + stripe, len(lines), STRIPES):
        whole, torn = b"".join(lines[:count]), lines[count]
        for size in {1, 2, len(torn) // 2, len(torn) - 2}:
            repl = folder.resume_from(whole + torn[:size])
            assert repl.past.events[:-1] == recollect(_events_of(folder, whole)).events
            damage = repl.past.events[-1]
            assert isinstance(damage, DamagedLines)
            assert (damage.count, damage.torn_tail) == (1, True)
            ends_of(repl)
            await repl.aclose()
            assert folder.copy.read_bytes().startswith(whole + torn[:size] + b"\n{")
        repl = folder.resume_from(whole + torn[:-1])
        assert len(repl.past.events) == count + 1, "a line that lacks only its end is whole"
        await repl.aclose()


def _bytes_of(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _events_of(folder: Cut, kept: bytes) -> list[Event]:
    whole = folder.copy.with_name("whole.jsonl")
    whole.write_bytes(kept)
    return load_events(whole)


@pytest.mark.parametrize(
    "kept",
    [b"", b"\n\n", b"{", b"\x00" * 4096, b'{"type": "a line of something else"}\n', b"[]\n" * 9],
    ids=["empty", "blank", "torn", "zeros", "foreign", "no objects"],
)
def test_what_holds_no_sitting_is_refused_and_left_alone(tmp_path: Path, kept: bytes) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(kept)
    with pytest.raises(WorkspaceError, match=r"j\.jsonl is no journal"):
        open_past(JsonlEventJournal(path))
    assert path.read_bytes() == kept
    assert not is_locked(path)


def test_a_journal_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="cannot go on with"):
        open_past(JsonlEventJournal(tmp_path / "none" / "j.jsonl"))
    assert list(tmp_path.iterdir()) == []


async def test_damage_in_the_middle_leaves_the_rest_in_order(folder: Cut) -> None:
    lines = (await recorded(folder)).splitlines(keepends=True)
    for hole in range(1, len(lines), 3):
        broken = [*lines[:hole], lines[hole][:20] + b"\xff\n", *lines[hole + 1 :]]
        repl = folder.resume_from(b"".join(broken))
        assert not repair(repl.history())[1]
        assert len(of(list(repl.past.events), DamagedLines)) == 1
        ends_of(repl)
        await repl.aclose()


# ── what was going on ────────────────────────────────────────────────────────────────────────────


async def test_a_call_that_waited_is_over_and_undecided_and_told_to_both(folder: Cut) -> None:
    repl = folder.sitting(runs("git commit -qam one"), recorded=True)
    stream = repl.events()
    going = asyncio.create_task(repl.drive("what is a commit?"))
    await next_of(stream, ApprovalRequested)
    kept = await folder.killed(repl, going)

    again = folder.resume_from(kept, says("Shall I?"))
    transcript = Transcript.of((*again.past.events, *(said := ends_of(again))))
    (call,) = (block for block in transcript.blocks if isinstance(block, CallBlock))
    assert (call.state, call.decided) == ("interrupted", "")
    assert [notice.text for notice in of(said, Notice)] == [
        "`run git commit -qam one` waited for your answer; it did not run and nothing was decided"
    ]
    assert [(end.outcome, end.status) for end in of(said, AgentEnd)] == [
        ("incomplete", "interrupted")
    ]
    assert again.past.unfinished == "what is a commit?"
    assert again.state.tasks[-1].status == "interrupted"
    assert [turn.text for turn in again.state.history] == ["what is a commit?", "incomplete"]
    await again.drive("go on")
    (request,) = folder.provider.requests
    (answer,) = (
        block
        for message in request.messages
        for block in message.blocks
        if isinstance(block, ToolResultBlock)
    )
    assert "waited for the person's answer" in answer.content
    assert answer.is_error


async def test_a_call_that_ran_is_told_as_cut_off_with_its_last_words(folder: Cut) -> None:
    batch = calls(
        ("read_file", {"path": "notes.md"}),
        ("run_command", {"command": "echo begun; sleep 600"}),
        ("delete_file", {"path": "a.txt"}),
    )
    repl = folder.sitting(batch, recorded=True)
    going = asyncio.create_task(repl.drive("what takes so long?"))
    await until(lambda: b'"kind":"output"' in _bytes_of(folder.journal))
    kept = await folder.killed(repl, going)

    again = folder.resume_from(kept, says("Odd."))
    said = ends_of(again)
    assert [notice.text.split("`")[2] for notice in of(said, Notice)] == [
        " was running; what it has done is not known",
        " was not reached",
    ]
    (message,) = (event.message for event in of(said, SittingMessage))
    first, second, third = (b.content for b in message.blocks if isinstance(b, ToolResultBlock))
    assert "two" in first
    assert "What it has done is not known" in second
    assert second.endswith("begun\n")
    assert third == "Not run: the program ended before it came to this call."


async def test_prompts_that_reached_nobody_come_back_to_the_composer(folder: Cut) -> None:
    repl = folder.sitting(runs("git commit -qam one"), recorded=True)
    stream = repl.events()
    going = asyncio.create_task(repl.drive("what is a commit?"))
    await next_of(stream, ApprovalRequested)
    await repl.drive("use tabs")
    await repl.drive("then rest", kind="follow_up")
    kept = await folder.killed(repl, going)
    again = folder.resume_from(kept)
    (recalled,) = of(ends_of(again), PromptsRecalled)
    assert (recalled.texts, recalled.to) == (["use tabs", "then rest"], "composer")
    await again.aclose()
    once_more = folder.resume(journal=folder.copy)
    assert of(ends_of(once_more), PromptsRecalled) == []


def a_sitting(*events: Event) -> Past:
    return recollect(
        [e.model_copy(update={"session_id": "s"}) for e in (SittingStarted(), *events)]
    )


@pytest.mark.parametrize(
    ("events", "unsent"),
    [
        ([PromptQueued(text="a")], ("a",)),
        ([PromptQueued(text="a"), PromptQueued(text="a")], ("a", "a")),
        ([PromptQueued(text="a"), PromptDelivered(texts=["a"])], ("a",)),
        ([PromptQueued(text="a"), PromptsRecalled(texts=["a"], to="next")], ("a",)),
        ([PromptQueued(text="a"), PromptsRecalled(texts=["a"], to="composer")], ()),
        ([PromptQueued(text="a"), PromptsRecalled(texts=["a"], to="dropped")], ()),
        ([PromptQueued(text="a"), PromptsRecalled(texts=["a"], to="next"), AgentStart()], ()),
        ([PromptsRecalled(texts=["never queued"], to="composer")], ()),
    ],
)
def test_a_queued_prompt_ends_once(events: list[Event], unsent: tuple[str, ...]) -> None:
    assert a_sitting(*events).unsent == unsent


def test_a_plan_that_waited_is_left_and_its_goal_recorded_once() -> None:
    past = a_sitting(
        AgentStart(goal="make it so", task_kind="plan", task_id="t"),
        AgentEnd(outcome="success", status="completed"),
        ExecutionChanged(mode="plan"),
        PlanProposed(text="1. go"),
    )
    assert (past.plan, past.is_planning, past.unfinished) == ("waiting", True, "make it so")
    assert [task.is_plan for task in past.tasks] == [True]
    assert [turn.text for turn in past.history] == ["make it so", "success"]


async def planned(folder: Cut) -> bytes:
    """The journal of a plan that is revised, approved and built."""
    repl = folder.sitting(
        says("1. Look at a.txt"),
        says("1. Write a.txt"),
        writes(),
        says("Made a.txt good."),
        recorded=True,
    )
    repl.enter_plan()
    decisions = iter([PlanDecision(False, "shorter"), PlanDecision(True, "")])
    await repl.drive("make it so", decide=lambda _: next(decisions))
    await repl.aclose()
    return folder.journal.read_bytes()


async def test_a_plan_flow_is_one_goal_again(folder: Cut) -> None:
    await planned(folder)
    before = folder._sittings[-1]
    repl = folder.resume()
    assert repl.state.history == before.state.history
    assert [task.task_id for task in repl.state.tasks] == [
        task.task_id for task in before.state.tasks
    ]
    assert repl.mode == before.mode is None
    assert repl.unfinished == ""


async def test_a_plan_flow_that_was_killed_anywhere_is_one_unfinished_goal(folder: Cut) -> None:
    lines = (await planned(folder)).splitlines(keepends=True)
    whole = len(lines)
    kinds = [json.loads(line)["type"] for line in lines]
    begun = kinds.index("agent_start") + 1
    ended = whole - kinds[::-1].index("agent_end")
    for count in range(1, whole + 1):
        repl = folder.resume_from(b"".join(lines[:count]))
        said = ends_of(repl)
        prompts = [turn.text for turn in repl.state.history if turn.role == "user"]
        assert prompts == (["make it so"] if count >= begun else []), f"after line {count}"
        assert bool(repl.unfinished) == (begun <= count < ended), f"after line {count}"
        assert not Transcript.of((*repl.past.events, *said)).open_keys()
        assert len(of(said, SittingResumed)) == 1
        gate = repl.execution.mode
        await repl.aclose()
        again = folder.resume(journal=folder.copy)
        assert [type(event) for event in ends_of(again)] == [SittingResumed]
        assert again.execution.mode == gate
        await again.aclose()


def test_two_sittings_in_one_journal_are_told_apart() -> None:
    first = [SittingStarted(session_id="a"), AgentStart(session_id="a", goal="old")]
    second = [SittingStarted(session_id="b"), AgentStart(session_id="b", goal="new", event_id=7)]
    past = recollect([*first, *second])
    assert (past.session_id, past.last_id, past.unfinished) == ("b", 7, "new")
    assert [b.text for b in Transcript.of(past.events).blocks if isinstance(b, PromptBlock)] == [
        "new"
    ]


STARTED = SittingStarted(model="m", provider="p", workspace="")


@settings(max_examples=150)
@given(st.lists(EVENTS, max_size=30))
def test_any_events_make_a_past_and_its_ends_are_said_once(events: list[Event]) -> None:
    past = a_sitting(*events)
    assert not repair(past.messages)[1]
    ends = list(first_events(past, STARTED, unattended=False))
    after = a_sitting(*events, *ends)
    again = list(first_events(after, STARTED, unattended=False))
    assert [type(event) for event in again] == [SittingResumed]
    assert after.messages == past.messages
    assert [turn.text for turn in after.history] == [turn.text for turn in past.history]
    assert [task.goal for task in after.tasks] == [task.goal for task in past.tasks]
    assert not Transcript.of((*events, *ends)).open_keys()
    status = reduce(advance, (*events, *ends), Status())
    assert (status.is_running, status.activity, status.queued) == (False, "idle", ())
    assert (status.approvals, status.running_calls, status.plan) == ((), (), None)


# ── one writer ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.skipif(sys.platform == "win32", reason="advisory locks are of POSIX systems")
async def test_a_live_sitting_is_not_taken_up_again(folder: Cut) -> None:
    await recorded(folder)
    repl = folder.resume()
    before = folder.journal.read_bytes()
    with pytest.raises(SittingLocked, match="close that one first"):
        folder.resume()
    assert folder.journal.read_bytes() == before
    await repl.aclose()
    folder.resume()


TAKER = """
import sys
from agent_cockpit.engine.record.journal import JsonlEventJournal
from agent_cockpit.engine.record.resume import open_past
from agent_cockpit.errors import SittingLocked
try:
    journal = JsonlEventJournal(sys.argv[1])
    open_past(journal)
except SittingLocked as locked:
    print(locked, flush=True)
else:
    print("mine", flush=True)
    sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="advisory locks are of POSIX systems")
async def test_of_processes_that_come_at_once_one_goes_on_and_a_kill_leaves_no_lock(
    folder: Cut,
) -> None:
    await recorded(folder)
    linked = folder.copy.with_name("linked.jsonl")
    linked.symlink_to(folder.journal)

    def take(path: Path) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", TAKER, str(path)]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    takers = [take(path) for path in (folder.journal, linked, folder.journal)]
    told = {taker: (taker.stdout.readline() if taker.stdout else "") for taker in takers}
    (winner,) = (taker for taker in takers if told[taker] == "mine\n")
    assert sum("is written by another running cockpit" in line for line in told.values()) == 2
    winner.kill()
    for taker in takers:
        taker.communicate()
    again = take(folder.journal)
    assert again.communicate()[0] == "mine\n"


async def test_a_diff_without_a_new_goal_says_since_when(folder: Cut) -> None:
    await recorded(folder)
    repl = folder.resume()
    result = await repl.arun_meta("/diff")
    assert (result.kind, "taken up again" in result.text) == ("message", True)
    assert (await repl.arun_meta("/diff head")).kind == "diff"


async def test_a_diff_after_a_new_goal_says_since_when(folder: Cut) -> None:
    await recorded(folder)
    repl = folder.resume(writes("another\n"), says("done"))
    repl.set_mode("edit")
    await repl.submit("change it again")
    text = (await repl.arun_meta("/diff")).text
    assert text.startswith("# since the sitting was taken up again")
    assert "+another" in text


async def test_taking_it_up_again_shows_in_the_transcript(folder: Cut) -> None:
    await recorded(folder)
    repl = folder.resume()
    block = Transcript.of(ends_of(repl)).blocks[-1]
    assert isinstance(block, NoticeBlock)
    assert block.text == "taken up again · scripted-1"


# ── a compacted conversation ─────────────────────────────────────────────────────────────────────


def said(text: str, role: Any = "user") -> SittingMessage:
    return SittingMessage(message=Message.of(role, text))


def test_a_compaction_counts_in_what_is_left_of_the_messages() -> None:
    summary = Message.of("user", "in short")
    whole = [said("a"), said("b", "assistant"), ContextCompacted(message=summary, stands_for=2)]
    compacted = a_sitting(*whole, said("c")).compacted
    assert compacted is not None
    assert compacted.stands_for == 2
    with_a_hole = a_sitting(*whole[1:], said("c"))
    assert with_a_hole.compacted is not None
    assert with_a_hole.compacted.stands_for == 1, "the message that came later is shown"


def test_a_compaction_that_was_counted_after_a_repair_keeps_its_place() -> None:
    asked = Message(role="assistant", blocks=(ToolUseBlock(call_id="c", name="read_file"),))
    events = [
        said("a"),
        SittingMessage(message=asked),
        said("b"),
        ContextCompacted(message=Message.of("user", "in short"), stands_for=3),
        said("c"),
    ]
    past = a_sitting(*events)
    assert past.compacted is not None
    shown = past.messages[past.compacted.stands_for :]
    assert [message.text for message in shown] == ["c"]
