"""A hard cancel always rises and a goal's end is always told; what only looks like a cancel is a
fault like any other."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel

from agent_cockpit.engine.record.journal_reader import load_events
from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.errors import SnapshotFailed
from agent_cockpit.events.harness import AgentEnd
from agent_cockpit.events.sitting import PromptsRecalled
from agent_cockpit.harness import Harness
from agent_cockpit.providers.protocol import ModelRequest, Text
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.tools.facts import ALL_PHASES, reading
from agent_cockpit.tools.protocol import RunDeps, ToolResult
from agent_cockpit.tools.read_file import ReadFileInput
from agent_cockpit.tools.registry import Registry
from tests.support.goals import Folder, of, told
from tests.support.scripted_provider import Reply, calls, says
from tests.support.waiting import until

READ: Reply = calls(("read_file", {"path": "a.txt"}))


class OneTool:
    """Reads, after its own fashion."""

    name = "read_file"
    description = "Read."
    input_model: type[BaseModel] = ReadFileInput
    tier = 0
    phases = ALL_PHASES

    def __init__(self) -> None:
        self.began = False

    async def facts(self, args: Any, deps: RunDeps) -> CallFacts:
        return reading(self.name, "reads")

    async def run(self, args: Any, deps: RunDeps) -> ToolResult:
        raise NotImplementedError


class StopsItself(OneTool):
    async def run(self, args: Any, deps: RunDeps) -> ToolResult:
        raise asyncio.CancelledError("inner")


class Deaf(OneTool):
    async def run(self, args: Any, deps: RunDeps) -> ToolResult:
        self.began = True
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return ToolResult(tool_name=self.name, success=True, content="done anyway")
        raise NotImplementedError


def sitting_with(folder: Folder, tool: OneTool, *replies: Reply) -> ReplSession:
    class WithTool(Harness):
        def toolbox(self) -> Registry:
            return Registry([tool])

    made = folder.harness(*replies)
    return ReplSession(WithTool(config=made.config, provider=folder.provider, state=folder.state))


async def test_a_model_call_that_stops_itself_is_a_fault_and_no_cancel(folder: Folder) -> None:
    def stray(_: ModelRequest) -> Any:
        yield Text("I")
        raise asyncio.CancelledError("inner")

    repl = folder.sitting(stray, says("hello"))
    state = await repl.submit("what is it?")
    assert (state.status, state.outcome) == ("error", "incomplete")
    assert "from within" in (state.error or "")
    assert (await repl.submit("and now?")).outcome == "success"


async def test_a_tool_that_stops_itself_is_a_failed_call(folder: Folder) -> None:
    repl = sitting_with(folder, StopsItself(), READ, says("hello"))
    assert (await repl.submit("what is it?")).outcome == "success"
    assert "stopped itself" in told(folder.provider.requests[1])
    await repl.aclose()


async def test_a_tool_that_is_deaf_to_it_swallows_no_hard_cancel(folder: Folder) -> None:
    tool = Deaf()
    repl = sitting_with(folder, tool, READ, says("never said"))
    running = asyncio.create_task(repl.submit("what is it?"))
    await until(lambda: tool.began)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert len(folder.provider.requests) == 1
    assert repl.state.tasks[-1].status == "cancelled"
    await repl.aclose()


async def test_a_sitting_is_closed_when_its_goal_is_over_and_starts_no_other(
    folder: Folder,
) -> None:
    repl = folder.sitting([asyncio.Event()], says("never said"), recorded=True)
    stream = repl.events()
    running = asyncio.create_task(repl.drive("what is it?"))
    await until(lambda: folder.provider.requests)
    await repl.drive("and then?", kind="follow_up")
    repl.input_queue().push("and also?")
    await repl.aclose()
    assert isinstance(load_events(folder.journal)[-1], AgentEnd)
    assert any(isinstance(event, AgentEnd) for event in stream.take_unread())
    with pytest.raises(RuntimeError, match="closed"):
        await repl.drive("once more?")
    await running
    assert len(folder.provider.requests) == 1


async def test_what_was_pushed_for_a_next_goal_comes_back_at_the_close(folder: Folder) -> None:
    repl = folder.sitting(says("hello"))
    stream = repl.events()
    repl.input_queue().push("for later")
    await repl.aclose()
    recalled = of(stream.take_unread(), PromptsRecalled)
    assert [event.texts for event in recalled] == [["for later"]]


async def test_a_close_stops_a_snapshot_that_nothing_waits_for(folder: Folder) -> None:
    class Slow:
        stopped = False

        def take(self, label: str = "", *, cancelled: Callable[[], bool]) -> None:
            while not cancelled():
                time.sleep(0.001)
            self.stopped = True
            raise SnapshotFailed("it was cancelled")

    slow = Slow()
    repl = folder.sitting(says("hello"))
    repl.harness.__dict__["snapshots"] = slow
    assert (await repl.submit("what is it?")).outcome == "success"
    await repl.aclose()
    assert slow.stopped
