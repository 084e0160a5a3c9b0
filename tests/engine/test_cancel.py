"""A goal can always be stopped, and what was done until then is told truthfully."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agent_cockpit.events.harness import CancellationObserved, ToolStart
from agent_cockpit.events.messages import ToolResultBlock
from agent_cockpit.events.sitting import CheckStarted
from agent_cockpit.providers.protocol import Text
from tests.support.goals import Folder, ends, next_of, of, runs, started, writes
from tests.support.scripted_provider import Reply, calls, says
from tests.support.waiting import until


async def test_a_cancel_in_mid_sentence_ends_the_request(folder: Folder) -> None:
    repl = folder.sitting([Text("I am about to"), asyncio.Event()], says("hello"))
    running = asyncio.create_task(repl.submit("what is it?"))
    await until(lambda: folder.provider.requests)
    await repl.cancel("esc")
    state = await running
    assert (state.status, state.outcome, state.error) == ("cancelled", "incomplete", None)
    assert folder.provider.closed_early == 1
    assert repl.history()[-1].role == "user"
    assert repl.state.history[-1].text == "incomplete"
    assert (await repl.submit("and now?")).outcome == "success"


async def test_a_cancel_in_a_batch_keeps_what_ran_and_runs_no_more(folder: Folder) -> None:
    batch = calls(
        ("write_file", {"path": "new.txt", "content": "x"}),
        ("run_command", {"command": "sleep 600"}),
        ("write_file", {"path": "newer.txt", "content": "x"}),
        ("run_command", {"command": "touch asked"}),
    )
    repl = folder.sitting(batch, says("hello"))
    repl.set_mode("edit")
    session = repl.start("go")
    stream = session.events()
    running = asyncio.create_task(session.run())
    while (await next_of(stream, ToolStart)).tool != "run_command":
        pass
    await session.cancel("esc")
    state = await running
    assert state.status == "cancelled"
    assert [event.tool for event in started(session)] == ["write_file", "run_command"]
    results = [block for block in repl.history()[-1].blocks if isinstance(block, ToolResultBlock)]
    assert [block.is_error for block in results] == [False, True, True, True]
    assert "cancelled" in results[2].content
    assert session.report is not None
    assert [call.name for call in session.report.tool_calls] == ["write_file", "run_command"]
    assert session.report.files_changed == ["new.txt"]
    assert len(ends(session)) == 2


async def test_a_cancel_ends_a_child_that_ignores_it(folder: Folder) -> None:
    command = "trap '' TERM INT; while true; do sleep 0.1; done"
    repl = folder.sitting(runs(command))
    session = repl.start("what is it?")
    stream = session.events()
    running = asyncio.create_task(session.run())
    await answer_if_asked(session, stream)
    await session.cancel("esc")
    await running


async def answer_if_asked(session: Any, stream: Any) -> None:
    async for event in stream:
        if isinstance(event, ToolStart):
            return
        if type(event).__name__ == "ApprovalRequested":
            await session.resolve_approval(event.approval_id, allow=True)


async def test_a_cancel_in_a_check_ends_the_check(folder: Folder) -> None:
    repl = folder.sitting(writes(), says("done"), test_command="sleep 600")
    repl.set_mode("edit")
    stream = repl.events()
    running = asyncio.create_task(repl.submit("go"))
    await next_of(stream, CheckStarted)
    await repl.cancel("esc")
    state = await running
    assert (state.status, state.outcome) == ("cancelled", "incomplete")
    assert state.files_modified == {"a.txt"}


@pytest.mark.parametrize("reply", [says("hello"), writes()], ids=["an answer", "a call"])
async def test_a_cancel_that_comes_with_the_last_word_wins(folder: Folder, reply: Reply) -> None:
    def cancelling(_: Any) -> Any:
        repl.cancel_handle().cancel("esc")
        return reply

    repl = folder.sitting(cancelling)
    state = await repl.submit("what is it?")
    assert (state.status, folder.text()) == ("cancelled", "bad\n")


async def test_a_cancel_is_observed_once_with_its_reason(folder: Folder) -> None:
    session = folder.goal([asyncio.Event()])
    running = asyncio.create_task(session.run())
    await until(lambda: folder.provider.requests)
    await session.cancel("esc")
    await session.cancel("esc again")
    await running
    assert [event.reason for event in of(session.history, CancellationObserved)] == ["esc"]


async def test_a_cancel_while_idle_is_nothing(folder: Folder) -> None:
    repl = folder.sitting(says("hello"))
    await repl.cancel("esc")
    assert (await repl.submit("what is it?")).outcome == "success"


async def test_every_moment_is_a_moment_to_stop(folder: Folder) -> None:
    """Cancel after the n-th event of a goal, for every n: it ends, paired and told once."""
    for moment in range(1, 40):
        batch = calls(
            ("read_file", {"path": "a.txt"}), ("write_file", {"path": "n", "content": ""})
        )
        repl = folder.sitting(batch, writes(), says("done"), allow_dirty=True)
        repl.set_mode("edit")
        session = repl.start("go")
        stream = session.events()
        running = asyncio.create_task(session.run())
        count = 0
        async for _ in stream:
            count += 1
            if count == moment:
                await session.cancel("esc")
        state = await running
        assert session.report is not None
        assert state.status in ("cancelled", "completed")
        asked = [call.call_id for message in repl.history() for call in message.calls]
        answered = [
            block.call_id
            for message in repl.history()
            for block in message.blocks
            if isinstance(block, ToolResultBlock)
        ]
        assert asked == answered
        assert not repl.execution.is_active
        if count < moment:
            assert state.outcome == "success"
            return
        (folder.root / "n").unlink(missing_ok=True)
        (folder.root / "a.txt").write_text("bad\n")
