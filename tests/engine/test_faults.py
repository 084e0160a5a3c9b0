"""What a model, a disk or a bug can do to a goal: it ends, says so, and the next one works."""

from __future__ import annotations

import asyncio
import json
import shutil
from typing import Any

import pytest
from pydantic import BaseModel

from agent_cockpit.engine.record.journal_reader import load_events
from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.errors import ProviderError
from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import AgentEnd, AgentStart, ModelUpdate
from agent_cockpit.events.messages import ToolResultBlock
from agent_cockpit.events.sitting import GoalRecorded, RetryWaiting
from agent_cockpit.harness import Harness
from agent_cockpit.providers.protocol import Call, ModelRequest, Stop, Text, Thought
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.tools.facts import ALL_PHASES, reading
from agent_cockpit.tools.protocol import RunDeps, ToolResult
from agent_cockpit.tools.read_file import ReadFileInput
from agent_cockpit.tools.registry import Registry
from tests.support.goals import Folder, ends, of, run_with, told, writes, yes
from tests.support.scripted_provider import Reply, calls, says
from tests.support.waiting import until

PASSING = ProviderError("overloaded", retryable=True, kind="rate")


def paired(folder: Folder) -> None:
    """Every call that the model made has exactly one result before the model spoke again."""
    for request in folder.provider.requests:
        asked = [call.call_id for message in request.messages for call in message.calls]
        answered = [
            block.call_id
            for message in request.messages
            for block in message.blocks
            if isinstance(block, ToolResultBlock)
        ]
        assert asked == answered


# ── the provider ─────────────────────────────────────────────────────────────────────────────────


async def test_a_passing_fault_is_tried_again_and_said_so(folder: Folder) -> None:
    repl = folder.sitting([Text("I th"), PASSING], [PASSING], says("I think so"))
    stream = repl.events()
    state = await repl.submit("what is it?")
    assert (state.outcome, state.iterations) == ("success", 1)
    seen = stream.take_unread()
    waits = of(seen, RetryWaiting)
    assert [(event.attempt, event.attempts) for event in waits] == [(1, 3), (2, 3)]
    assert "overloaded" in waits[0].error
    after = [event for event in of(seen, ModelUpdate) if event.event_id > waits[-1].event_id]
    assert "".join(event.delta for event in after) == "I think so"
    assert [message.text for message in repl.history()][-1] == "I think so"


async def test_a_fault_that_stays_ends_the_goal_after_its_tries(folder: Folder) -> None:
    repl = folder.sitting([PASSING], [PASSING], [PASSING], says("hello"))
    stream = repl.events()
    report = await repl.run_text("what is it?")
    assert (report.status, report.outcome, report.turns) == ("model_error", "incomplete", 1)
    assert "overloaded" in (report.error or "")
    assert len(of(stream.take_unread(), RetryWaiting)) == 2
    assert (await repl.run_text("and now?")).outcome == "success"


async def test_a_fault_that_no_retry_mends_is_not_retried(folder: Folder) -> None:
    repl = folder.sitting([ProviderError("no key", kind="auth")])
    stream = repl.events()
    await repl.run_text("what is it?")
    assert (of(stream.take_unread(), RetryWaiting), len(folder.provider.requests)) == ([], 1)


async def test_a_server_that_wants_a_long_wait_is_not_waited_for(folder: Folder) -> None:
    slow = ProviderError("come back later", retryable=True, retry_after_s=3600)
    report = await folder.sitting([slow]).run_text("what is it?")
    assert report.status == "model_error"


async def test_a_cancel_in_a_wait_for_the_server_stops_at_once(folder: Folder) -> None:
    slow = ProviderError("come back later", retryable=True, retry_after_s=50)
    repl = folder.sitting([slow])
    stream = repl.events()
    running = asyncio.create_task(repl.submit("what is it?"))
    await until(lambda: of(list(stream._unread), RetryWaiting))
    await repl.cancel("esc")
    assert (await running).status == "cancelled"


@pytest.mark.parametrize(
    "reply", [[], [Stop("refusal")], says(""), says(" \n\t"), says("\0")], ids=str
)
async def test_nothing_at_all_is_asked_for_again(folder: Folder, reply: Reply) -> None:
    repl = folder.sitting(reply, says("hello"))
    assert (await repl.submit("what is it?")).final_answer == "hello"


HALVES: dict[str, Reply] = {
    "the answer": [Text("half \ud83d of it"), Stop("end_turn")],
    "a thought": [Thought("half \ud83d of it"), Text("fine"), Stop("end_turn")],
    "an argument": [Call("1", "read_file", '{"path": "half \ud83d"}'), Stop("tool_use")],
    "a name": [Call("1", "read \ud83d", "{}"), Stop("tool_use")],
}


@pytest.mark.parametrize("where", HALVES)
async def test_halves_of_characters_do_no_harm(folder: Folder, where: str) -> None:
    rest = [says("fine")] * (2 if where in ("an argument", "a name") else 1)
    repl = folder.sitting(HALVES[where], *rest, recorded=True)
    assert (await repl.submit("what is it?")).outcome == "success"
    assert (await repl.submit("and why?")).outcome == "success"
    await repl.aclose()
    assert len(of(load_events(folder.journal), AgentEnd)) == 2


async def test_a_character_that_came_in_halves_is_whole_again(folder: Folder) -> None:
    repl = folder.sitting([Text("well \ud83d"), Text("\ude00 done"), Stop("end_turn")])
    assert (await repl.submit("what is it?")).final_answer == "well \U0001f600 done"


async def test_a_prompt_with_halves_of_characters_is_a_goal_like_any(folder: Folder) -> None:
    repl = folder.sitting(says("fine"), says("fine"))
    assert (await repl.run_text("what is \udcff\udcfe?")).outcome == "success"
    assert (await repl.submit("what is \ud83d?")).outcome == "success"


# ── calls that make no sense ─────────────────────────────────────────────────────────────────────

NONSENSE: dict[str, tuple[Call, tuple[str, ...]]] = {
    "no such tool": (Call("1", "read_fil", "{}"), ("no tool named 'read_fil'", "read_file")),
    "nothing like a tool": (Call("1", "zzz", "{}"), ("There are:", "write_file")),
    "a name out of bounds": (Call("1", "\x1b[2J" * 4000, "{}"), ("There is no tool named",)),
    "no JSON": (Call("1", "read_file", '{"path": "a.t'), ("no JSON object", '{"path": "a.t')),
    "JSON that is no object": (Call("1", "read_file", '["a.txt"]'), ("no JSON object",)),
    "no arguments": (Call("1", "read_file", ""), ("input of read_file is wrong", "path")),
    "a wrong type": (Call("1", "read_file", '{"path": 7}'), ("path", "string")),
    "one argument too many": (Call("1", "read_file", '{"path": "a", "x": 1}'), ("x",)),
    "not a number": (Call("1", "read_file", '{"path": NaN}'), ("path",)),
    "very deep": (Call("1", "read_file", "[" * 100_000), ("nothing ran",)),
    "a NUL": (Call("1", "read_file", '{"path": "a\\u0000b"}'), ("",)),
    "too many arguments": (
        Call("1", "read_file", json.dumps({f"x{number}": 1 for number in range(999)})),
        ("990 more",),
    ),
    "an argument with a long name": (
        Call("1", "read_file", json.dumps({"path": "a", "x" * 9000: 1})),
        ("xxx",),
    ),
    "half a character": (Call("1", "read_file", '{"path": "a\\ud800b"}'), ("",)),
    "a name too long": (Call("1", "read_file", json.dumps({"path": "x" * 5000})), ("",)),
    "a path too deep": (
        Call("1", "write_file", json.dumps({"path": "x/" * 3000, "content": ""})),
        ("",),
    ),
    "a NUL in a command": (Call("1", "run_command", '{"command": "echo \\u0000"}'), ("",)),
    "a folder": (Call("1", "read_file", '{"path": "."}'), ("",)),
}


@pytest.mark.parametrize("name", NONSENSE)
async def test_a_call_that_makes_no_sense_is_answered_and_the_goal_goes_on(
    folder: Folder, name: str
) -> None:
    call, words = NONSENSE[name]
    batch: Reply = [call, Call("2", "read_file", '{"path": "notes.md"}'), Stop("tool_use")]
    repl = folder.sitting(batch, says("notes.md"), recorded=True)
    session = repl.start("what is it?")
    state = await run_with(session, yes(session))
    assert (state.status, state.outcome) == ("completed", "success")
    bad, good = (
        block
        for block in folder.provider.requests[1].messages[-1].blocks
        if isinstance(block, ToolResultBlock)
    )
    assert bad.is_error
    assert [word for word in words if word not in bad.content] == []
    assert len(bad.content) < 5000
    assert good.content.startswith("one")
    paired(folder)
    assert sorted(end.success for end in ends(session)) == [False, True]


async def test_failures_in_a_row_stop_the_goal(folder: Folder) -> None:
    wrong = calls(("read_file", {"path": "nowhere"}))
    session = folder.goal(*[wrong] * 3, max_consecutive_failures=3)
    state = await session.run()
    assert (state.outcome, state.status, state.iterations) == ("incomplete", "max_turns", 3)
    assert "max_consecutive_failures" in state.evidence[-1].summary


async def test_refusals_in_a_row_stop_the_goal(folder: Folder) -> None:
    wrong = calls(("write_file", {"path": "../x", "content": ""}))
    session = folder.goal(*[wrong] * 3, max_refusals=3)
    state = await session.run()
    assert (state.outcome, state.status, state.iterations) == ("incomplete", "max_turns", 3)
    assert "max_refusals" in state.evidence[-1].summary


async def test_a_call_that_worked_takes_both_counts_back(folder: Folder) -> None:
    script = []
    for _ in range(3):
        script += [calls(("write_file", {"path": "../x", "content": ""}))]
        script += [calls(("read_file", {"path": "nowhere"}))]
        script += [calls(("read_file", {"path": "a.txt"}))]
    session = folder.goal(
        *script, says("a.txt"), mode="investigate", max_refusals=2, max_consecutive_failures=2
    )
    assert (await session.run()).outcome == "success"


# ── tools, disks ─────────────────────────────────────────────────────────────────────────────────


async def test_a_snapshot_store_that_vanished_is_said_and_kills_nobody(folder: Folder) -> None:
    def vanish(_: ModelRequest) -> Any:
        shutil.rmtree(folder.state / "snapshots")
        return says("done")

    repl = folder.sitting(writes(), vanish, says("hello"), auto=True)
    repl.set_mode("edit")
    stream = repl.events()
    state = await repl.submit("go")
    assert (state.outcome, state.status) == ("incomplete", "error")
    assert state.error
    assert len(of(stream.take_unread(), AgentEnd)) == 1


async def test_a_hard_cancel_rises_even_when_the_changes_cannot_be_measured(
    folder: Folder,
) -> None:
    def vanish(_: ModelRequest) -> Any:
        shutil.rmtree(folder.state / "snapshots")
        return [asyncio.Event()]

    session = folder.goal(writes(), vanish)
    running = asyncio.create_task(session.run())
    await until(lambda: len(folder.provider.requests) == 2)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert session.report is not None
    assert session.report.status == "cancelled"


async def test_a_cancel_stays_a_cancel_when_the_changes_cannot_be_measured(
    folder: Folder,
) -> None:
    def vanish(_: ModelRequest) -> Any:
        shutil.rmtree(folder.state / "snapshots")
        return [asyncio.Event()]

    session = folder.goal(writes(), vanish)
    running = asyncio.create_task(session.run())
    await until(lambda: len(folder.provider.requests) == 2)
    await session.cancel("esc")
    assert (await running).status == "cancelled"


class Faulty:
    """A tool with a bug in its facts or in its run."""

    name = "read_file"
    description = "Read."
    input_model: type[BaseModel] = ReadFileInput
    tier = 0
    phases = ALL_PHASES

    def __init__(self, where: str) -> None:
        self._where = where

    async def facts(self, args: Any, deps: RunDeps) -> CallFacts:
        if self._where == "facts":
            raise ZeroDivisionError("oops")
        return reading(self.name, "reads")

    async def run(self, args: Any, deps: RunDeps) -> ToolResult:
        raise ZeroDivisionError("oops")


@pytest.mark.parametrize("where", ["facts", "run"])
async def test_a_bug_in_a_tool_is_a_failed_call(folder: Folder, where: str) -> None:
    class WithFaulty(Harness):
        def toolbox(self) -> Registry:
            return Registry([Faulty(where)])

    made = folder.harness(calls(("read_file", {"path": "a.txt"})), says("hello"))
    harness = WithFaulty(config=made.config, provider=folder.provider, state=folder.state)
    repl = ReplSession(harness)
    session = repl.start("what is it?")
    state = await session.run()
    await repl.aclose()
    assert state.outcome == "success"
    assert "ZeroDivisionError: oops" in told(folder.provider.requests[1])
    assert [end.success for end in ends(session)] == [False]


async def test_a_journal_that_cannot_be_written_costs_the_record_only(folder: Folder) -> None:
    folder.journal.mkdir()
    repl = folder.sitting(says("hello"), recorded=True)
    stream = repl.events()
    assert (await repl.submit("what is it?")).outcome == "success"
    texts = [getattr(event, "text", "") for event in stream.take_unread()]
    assert any("no longer recorded" in text for text in texts)


async def test_after_any_fault_the_next_goal_sees_a_paired_conversation(folder: Folder) -> None:
    async def breaks(self: object, tool: str, tool_input: dict[str, Any]) -> str | None:
        raise KeyError("policy")

    broken = type("Broken", (), {"decide": breaks})()
    repl = folder.sitting(
        calls(("read_file", {"path": "a.txt"}), ("read_file", {"path": "notes.md"})),
        says("hello"),
    ).with_approver(broken)
    assert (await repl.submit("what is it?")).status == "error"
    repl.with_approver(type("Fine", (), {"decide": allow})())
    assert (await repl.submit("and now?")).outcome == "success"
    paired(folder)


async def allow(self: object, tool: str, tool_input: dict[str, Any]) -> str | None:
    return None


# ── the record alone ─────────────────────────────────────────────────────────────────────────────


async def test_every_goal_of_a_record_begins_and_ends_once(folder: Folder) -> None:
    repl = folder.sitting(
        writes(),
        says("done"),
        [ProviderError("no", kind="auth")],
        [KeyError("bug")],
        says("hello"),
        recorded=True,
    )
    for prompt in ("fix a.txt", "why?", "why?", "why?"):
        await repl.run_text(prompt)
    await repl.aclose()
    record: list[Event] = load_events(folder.journal)
    ids = [event.event_id for event in record]
    assert ids == sorted(set(ids))
    begun = [event.task_id for event in of(record, AgentStart)]
    assert begun == [event.task_id for event in of(record, AgentEnd)]
    assert begun == [event.task_id for event in of(record, GoalRecorded)]
    assert len(set(begun)) == 4
    assert isinstance(record[-1], AgentEnd)


async def test_the_messages_of_a_record_are_the_conversation(folder: Folder) -> None:
    repl = folder.sitting(
        calls(("read_file", {"path": "a.txt"}), text="let me see"),
        says("a.txt is bad"),
        [Text("I am"), asyncio.Event()],
        says("hello"),
        recorded=True,
    )
    await repl.submit("what is it?")
    running = asyncio.create_task(repl.submit("why?"))
    await until(lambda: len(folder.provider.requests) == 3)
    await repl.cancel()
    await running
    await repl.submit("and now?")
    await repl.aclose()
    record = load_events(folder.journal)
    rebuilt = [event.message for event in record if hasattr(event, "message")]
    assert tuple(rebuilt) == repl.history()[1:]
    assert told(folder.provider.requests[-1])
