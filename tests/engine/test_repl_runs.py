"""ReplSession, the rest: whole runs, the cancel handle, model, effort and announcements."""

from __future__ import annotations

import asyncio

import pytest

from agent_cockpit.engine.record.journal import JsonlEventJournal
from agent_cockpit.engine.record.journal_reader import load_events
from agent_cockpit.errors import ProviderError
from agent_cockpit.events.harness import AgentEnd
from agent_cockpit.events.messages import Message, TextBlock
from agent_cockpit.events.sitting import SittingStarted
from tests.support.goals import Folder, of, writes
from tests.support.scripted_provider import ScriptedProvider, calls, says
from tests.support.waiting import until


class Router:
    """A classifier that is there to be waited for."""

    async def classify(self, prompt: str, *, history: list[str]) -> str | None:
        return "investigate"


# ── run and run_text ─────────────────────────────────────────────────────────────────────────────


async def test_run_text_reports_the_goal(folder: Folder) -> None:
    repl = folder.sitting(calls(("read_file", {"path": "a.txt"})), says("a.txt is bad"))
    report = await repl.run_text("what is it?")
    assert (report.status, report.outcome, report.turns) == ("completed", "success", 2)
    assert report.final_message == "a.txt is bad"
    assert report.session_id == repl.state.session_id
    assert (report.usage.input_tokens, report.usage.output_tokens) == (20, 10)


async def test_run_takes_message_blocks(folder: Folder) -> None:
    repl = folder.sitting(says("hello"))
    await repl.run([TextBlock(text="what"), TextBlock(text="is it?")])
    assert repl.state.history[0].text == "what\n\nis it?"


async def test_run_text_never_raises(folder: Folder) -> None:
    gone = folder.sitting(says("hello"))
    await gone.run_text("what is it?")
    folder.root.rename(folder.root.with_name("moved"))
    report = await gone.run_text("and now?")
    assert (report.status, report.outcome) != ("completed", "success")
    assert report.error
    assert not gone.execution.is_active


async def test_run_text_of_a_dirty_tree_says_what_to_do(folder: Folder) -> None:
    (folder.root / "a.txt").write_text("mine\n")
    report = await folder.sitting().run_text("what is it?")
    assert (report.status, report.outcome) == ("error", "incomplete")
    assert "commit or stash" in (report.error or "")


async def test_run_text_while_a_goal_runs_is_queued(folder: Folder) -> None:
    held = asyncio.Event()
    repl = folder.sitting([held, *says("one")], says("two"))  # type: ignore[misc]
    running = asyncio.create_task(repl.run_text("what is it?"))
    await until(lambda: folder.provider.requests)
    assert (await repl.run_text("and why?")).status == "queued"
    held.set()
    assert (await running).final_message == "two"


async def test_a_goal_that_was_cancelled_before_it_began_has_its_own_report(
    folder: Folder,
) -> None:
    router = Router()
    repl = folder.sitting(says("one"), classifier=router)
    await repl.run_text("what is it?")
    repl.cancel_handle().cancel("no")
    report = await repl.run_text("and why?")
    assert (report.status, report.outcome, report.turns) == ("cancelled", "incomplete", 0)
    assert len(folder.provider.requests) == 1


# ── cancelling ───────────────────────────────────────────────────────────────────────────────────


async def test_a_late_cancel_hits_nobody(folder: Folder) -> None:
    repl = folder.sitting(says("one"), says("two"))
    handle = repl.cancel_handle()
    await repl.submit("what is it?")
    handle.cancel()
    handle.cancel()
    await repl.cancel("late")
    assert repl.cancel_handle() is not handle
    assert (await repl.submit("and why?")).outcome == "success"


async def test_the_handle_stops_the_running_goal(folder: Folder) -> None:
    repl = folder.sitting([asyncio.Event()], says("two"))
    handle = repl.cancel_handle()
    running = asyncio.create_task(repl.submit("what is it?"))
    await until(lambda: folder.provider.requests)
    await asyncio.to_thread(handle.cancel, "from a thread")
    state = await running
    assert (state.status, state.outcome) == ("cancelled", "incomplete")
    assert (await repl.submit("and why?")).outcome == "success"


async def test_a_cancel_of_the_next_goals_handle_stops_it_before_its_first_call(
    folder: Folder,
) -> None:
    repl = folder.sitting(says("two"))
    repl.cancel_handle().cancel("never mind")
    state = await repl.submit("what is it?")
    assert (state.status, state.iterations) == ("cancelled", 0)
    assert (await repl.submit("and why?")).outcome == "success"


async def test_a_goal_that_was_cancelled_and_never_run_does_not_stop_the_next(
    folder: Folder,
) -> None:
    repl = folder.sitting(says("two"))
    abandoned = repl.start("what is it?")
    await abandoned.cancel()
    assert (await repl.submit("and why?")).outcome == "success"


# ── model, effort, announcements ─────────────────────────────────────────────────────────────────


async def test_another_model_speaks_from_the_next_goal_on_and_is_announced(folder: Folder) -> None:
    repl = folder.sitting(says("one"))
    await repl.submit("what is it?")
    other = ScriptedProvider([says("two")])
    other.model = "other-2"
    before = repl.history()
    announcement = repl.set_model(other)
    assert repl.history() == before
    assert "other-2" in announcement.text
    repl.announce(announcement)
    assert repl.history()[-1] == announcement
    assert repl.model == "other-2"
    await repl.submit("and why?")
    assert announcement in other.requests[0].messages
    assert other.requests[0].messages[0] == before[0]


async def test_a_running_goal_keeps_its_model(folder: Folder) -> None:
    held = asyncio.Event()
    look = calls(("read_file", {"path": "a.txt"}))
    repl = folder.sitting([held, *look], says("a.txt"))  # type: ignore[misc]
    running = asyncio.create_task(repl.submit("what is it?"))
    await until(lambda: folder.provider.requests)
    other = ScriptedProvider([])
    repl.set_model(other)
    held.set()
    assert (await running).outcome == "success"
    assert (len(folder.provider.requests), other.requests) == (2, [])


async def test_effort_reaches_the_model_and_says_nothing(folder: Folder) -> None:
    repl = folder.sitting(says("one"), says("two"))
    repl.set_effort("high")
    before = repl.history()
    await repl.submit("what is it?")
    repl.set_effort(None)
    await repl.submit("and why?")
    assert [request.effort for request in folder.provider.requests] == ["high", None]
    assert before == repl.history()[:1]
    with pytest.raises(ValueError, match="low, medium, high"):
        repl.set_effort("most")


async def test_an_announcement_joins_the_conversation_like_any_message(folder: Folder) -> None:
    repl = folder.sitting(says("one"))
    repl.announce(Message.of("user", "[the branch is main now]"))
    await repl.submit("what is it?")
    assert "[the branch is main now]" in [m.text for m in folder.provider.requests[0].messages]


async def test_project_instructions_reach_the_model_once_and_again_when_they_change(
    folder: Folder,
) -> None:
    more = folder.root.parent / "more"
    more.mkdir()
    (more / "AGENTS.md").write_text("always whisper\n")
    repl = folder.sitting(*[says("ok")] * 4)
    seen: list[int] = []
    for step in range(4):
        if step == 1:
            repl.add_root(more)
        if step == 3:
            (more / "AGENTS.md").write_text("always shout\n")
        await repl.submit("what is it?")
        heard = " ".join(
            block.text
            for message in folder.provider.requests[-1].messages
            for block in message.blocks
            if isinstance(block, TextBlock)
        )
        seen.append(heard.count("always whisper") * 10 + heard.count("always shout"))
    assert seen == [0, 10, 10, 11]


async def test_the_preamble_is_never_rewritten(folder: Folder) -> None:
    repl = folder.sitting(says("one"), says("two"))
    stream = repl.events()
    await repl.submit("what is it?")
    await repl.submit("and why?")
    first, second = folder.provider.requests
    assert first.messages[0] == second.messages[0] == repl.history()[0]
    assert second.messages[: len(first.messages)] == first.messages
    (begun,) = of(stream.take_unread(), SittingStarted)
    assert begun.preamble == repl.history()[0].text


async def test_a_sitting_ends_its_streams_and_stops_what_runs(folder: Folder) -> None:
    repl = folder.sitting([asyncio.Event()])
    stream = repl.events()
    running = asyncio.create_task(repl.drive("what is it?"))
    await until(lambda: folder.provider.requests)
    await repl.aclose()
    state = await running
    assert state is not None
    assert state.status == "cancelled"
    assert len(of([event async for event in stream], AgentEnd)) <= 1


async def test_ids_grow_over_the_whole_sitting(folder: Folder) -> None:
    repl = folder.sitting(writes(), says("done"), [ProviderError("no", kind="auth")], says("hi"))
    stream = repl.events()
    for prompt in ("fix a.txt", "why?", "what is it?"):
        await repl.drive(prompt)
    seen = stream.take_unread()
    ids = [event.event_id for event in seen]
    assert ids == list(range(1, len(ids) + 1))
    assert {event.session_id for event in seen} == {repl.state.session_id}
    assert [event.outcome for event in of(seen, AgentEnd)] == ["success", "incomplete", "success"]


async def test_one_goals_stream_ends_with_its_goal(folder: Folder) -> None:
    repl = folder.sitting(says("one"), says("two"))
    session = repl.start("what is it?")
    stream = session.events()
    repl.record(await session.run())
    await repl.submit("and why?")
    goals = {event.task_id for event in [event async for event in stream]}
    assert goals == {session.state.task_id}


async def test_a_sitting_that_is_closed_in_a_goal_has_its_end_in_the_record(folder: Folder) -> None:
    repl = folder.sitting([asyncio.Event()], recorded=True)
    running = asyncio.create_task(repl.drive("what is it?"))
    await until(lambda: folder.provider.requests)
    await repl.aclose()
    await running
    record = load_events(folder.journal)
    assert isinstance(record[-1], AgentEnd)
    assert record[-1].status == "cancelled"
    again = JsonlEventJournal(folder.journal)
    again.lock()
    again.close(release=True)
