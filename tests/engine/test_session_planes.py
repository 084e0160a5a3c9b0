"""Session, the document: events out, decisions in, one end."""

from __future__ import annotations

import asyncio

import pytest

from agent_cockpit.errors import ProviderError
from agent_cockpit.events.base import Event
from agent_cockpit.events.codec import event_type
from agent_cockpit.events.harness import HARNESS_EVENT_TYPES as DOCUMENTED
from agent_cockpit.events.harness import (
    AgentEnd,
    AgentStart,
    CancellationObserved,
    ToolStart,
)
from agent_cockpit.providers.protocol import Text
from tests.support.goals import Folder, ends, next_of, of, runs, writes
from tests.support.scripted_provider import Reply, says
from tests.support.waiting import until

DONE = says("a.txt is good now")


async def everything(stream: object) -> list[Event]:
    return [event async for event in stream]  # type: ignore[attr-defined]


async def test_a_goal_is_announced_first_and_ended_last(folder: Folder) -> None:
    session = folder.goal(writes(), DONE)
    stream = session.events()
    state = await session.run()
    seen = await everything(stream)
    assert isinstance(seen[0], AgentStart)
    assert isinstance(seen[-1], AgentEnd)
    assert [event_type(event) for event in seen].count("agent_end") == 1
    assert (state.outcome, seen[-1].outcome) == ("success", "success")
    assert all(isinstance(event, DOCUMENTED) for event in seen)
    assert {event.session_id for event in seen} == {session.session_id}
    ids = [event.event_id for event in seen]
    assert ids == sorted(set(ids))


async def test_two_observers_see_the_same(folder: Folder) -> None:
    session = folder.goal(writes(), DONE)
    one, other = session.events(), session.events()
    await session.run()
    assert await everything(one) == await everything(other) != []


async def test_after_the_end_there_is_nothing_to_observe(folder: Folder) -> None:
    session = folder.goal(says("hello"), mode="investigate")
    await session.run()
    assert await everything(session.events()) == []


async def test_a_session_runs_once(folder: Folder) -> None:
    session = folder.goal(says("hello"), mode="investigate")
    await session.run()
    with pytest.raises(RuntimeError, match="has run already"):
        await session.run()
    assert len(of(session.history, AgentEnd)) == 1


FAULTS: dict[str, tuple[Reply, str, str]] = {
    "the provider gives up": ([ProviderError("no such model", kind="model")], "model_error", "no"),
    "the provider has a bug": ([KeyError("choices")], "error", "KeyError"),
    "the provider dies in mid sentence": ([Text("I am"), OSError("reset")], "error", "reset"),
    "nothing at all is answered": ([], "model_error", "nothing at all"),
}


@pytest.mark.parametrize("name", FAULTS)
async def test_a_fault_ends_the_goal_with_one_last_event(folder: Folder, name: str) -> None:
    reply, status, words = FAULTS[name]
    session = folder.goal(reply, transport_max_retries=0)
    stream = session.events()
    state = await session.run()
    seen = await everything(stream)
    last = seen[-1]
    assert isinstance(last, AgentEnd)
    assert len(of(seen, AgentEnd)) == 1
    assert (state.outcome, state.status, last.status) == ("incomplete", status, status)
    assert words in (last.error or "")
    assert session.report is not None
    assert (session.report.status, session.report.final_message) == (status, None)


async def test_a_hard_cancel_rises_and_still_ends_the_goal(folder: Folder) -> None:
    session = folder.goal(writes(), [asyncio.Event()])
    stream = session.events()
    task = asyncio.create_task(session.run())
    await until(lambda: len(folder.provider.requests) == 2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    seen = await everything(stream)
    assert [event_type(event) for event in seen[-2:]] == ["cancellation_observed", "agent_end"]
    assert session.report is not None
    assert (session.report.status, session.report.outcome) == ("cancelled", "incomplete")
    assert session.report.files_changed == ["a.txt"]
    assert folder.provider.closed_early == 1


async def test_a_hard_cancel_in_a_command_ends_the_command_and_its_call(folder: Folder) -> None:
    session = folder.goal(runs("sleep 600"))
    stream = session.events()
    task = asyncio.create_task(session.run())
    begun = await next_of(stream, ToolStart)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    (end,) = ends(session)
    assert (end.call_id, end.success) == (begun.call_id, False)


async def test_a_cancel_before_the_run_ends_it_without_a_model_call(folder: Folder) -> None:
    session = folder.goal()
    await session.cancel("changed my mind")
    state = await session.run()
    assert (state.status, state.outcome, state.iterations) == ("cancelled", "incomplete", 0)
    assert [event.reason for event in of(session.history, CancellationObserved)] == [
        "changed my mind"
    ]
    assert session.report is not None
    assert session.report.error is None


async def test_the_first_reason_of_a_cancel_stays(folder: Folder) -> None:
    session = folder.goal()
    await session.cancel("first")
    await session.cancel("second")
    await session.run()
    await session.cancel("too late")
    assert session.cancel_reason == "first"


async def test_an_observer_that_is_never_read_holds_nothing_up(folder: Folder) -> None:
    session = folder.goal([Text("word ")] * 3000, mode="investigate")
    unread = session.events()
    state = await session.run()
    assert state.outcome == "success"
    assert isinstance((await everything(unread))[-1], AgentEnd)
