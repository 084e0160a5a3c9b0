"""ReplSession, the sitting: modes, records, and the ways to run a goal."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agent_cockpit.engine.state import Turn
from agent_cockpit.errors import DirtyWorkspaceError, ProviderError
from agent_cockpit.events.harness import AgentEnd, AgentStart, ApprovalRequested
from agent_cockpit.events.messages import Message, TextBlock
from agent_cockpit.events.sitting import SittingStarted
from tests.support.goals import Folder, next_of, of, runs, writes
from tests.support.scripted_provider import ScriptedProvider, calls, says
from tests.support.waiting import until


class Router:
    """A classifier with a fixed answer; keeps what it was asked."""

    def __init__(self, answer: object) -> None:
        self.answer = answer
        self.asked: list[tuple[str, list[str]]] = []

    async def classify(self, prompt: str, *, history: list[str]) -> Any:
        self.asked.append((prompt, history))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


# ── modes ────────────────────────────────────────────────────────────────────────────────────────


async def test_words_decide_where_nothing_else_does(folder: Folder) -> None:
    repl = folder.sitting()
    assert repl.resolve_mode("please fix the bug") == "edit"
    assert repl.resolve_mode("why is it slow?") == "investigate"
    assert (repl.mode, repl.last_mode_source) == (None, "heuristic")


async def test_a_pin_wins_and_the_classifier_is_not_asked(folder: Folder) -> None:
    router = Router("investigate")
    repl = folder.sitting(classifier=router)
    repl.set_mode("test_only")
    assert repl.resolve_mode("fix it") == await repl.aresolve_mode("fix it") == "test_only"
    assert (repl.last_mode_source, router.asked) == ("override", [])


async def test_one_goal_asks_the_classifier_once_with_the_conversation(folder: Folder) -> None:
    router = Router("investigate")
    repl = folder.sitting(says("one"), says("two"), classifier=router)
    await repl.drive("fix it")
    assert router.asked == [("fix it", [])]
    await repl.drive("fix it")
    assert router.asked[1] == ("fix it", ["user: fix it", "agent: one"])
    assert [task.mode_source for task in repl.state.tasks] == ["classifier"] * 2


@pytest.mark.parametrize(
    "answer", [None, "plan", "EDIT", 7, RuntimeError("no network")], ids=lambda a: repr(a)[:12]
)
async def test_a_classifier_that_is_of_no_use_leaves_it_to_the_words(
    folder: Folder, answer: object
) -> None:
    repl = folder.sitting(classifier=Router(answer))
    assert await repl.aresolve_mode("fix it") == "edit"
    assert repl.last_mode_source == "heuristic"


async def test_a_classifier_that_never_answers_costs_its_time_only(folder: Folder) -> None:
    class Asleep:
        async def classify(self, prompt: str, *, history: list[str]) -> str | None:
            await asyncio.Event().wait()
            return None

    repl = folder.sitting(classifier=Asleep(), classifier_timeout_seconds=0.05)
    assert await repl.aresolve_mode("fix it") == "edit"
    assert repl.resolve_mode("fix that") == "edit"


async def test_the_verdict_and_its_source_open_the_goal(folder: Folder) -> None:
    repl = folder.sitting(says("hello"), says("hello"))
    stream = repl.events()
    await repl.drive("what is it?")
    repl.set_mode("test_only")
    repl.set_mode("investigate")
    await repl.drive("what is it?")
    opened = of(stream.take_unread(), AgentStart)
    assert [(event.task_kind, event.mode_source) for event in opened] == [
        ("investigate", "heuristic"),
        ("investigate", "override"),
    ]


# ── in steps ─────────────────────────────────────────────────────────────────────────────────────


async def test_start_builds_and_runs_nothing(folder: Folder) -> None:
    repl = folder.sitting(says("hello"))
    session = repl.start("what is it?")
    assert folder.provider.requests == []
    assert [turn.text for turn in repl.state.history] == ["what is it?"]
    assert repl.history()[1:] == ()
    state = await session.run()
    repl.record(state)
    repl.record(state)
    assert repl.state.history == [
        Turn(role="user", text="what is it?", task_id=state.task_id),
        Turn(role="agent", text="hello", task_id=state.task_id),
    ]
    assert repl.state.tasks == [state]


async def test_recording_a_goal_of_the_plan_flow_twice_changes_nothing(folder: Folder) -> None:
    repl = folder.sitting(says("1. go"))
    state = await repl.start_plan("make it so").run()
    assert repl.record_goal("make it so", state) is state
    repl.record_goal("make it so", state)
    repl.record(state)
    assert [turn.text for turn in repl.state.history] == ["make it so", "1. go"]


async def test_a_question_becomes_the_agents_turn(folder: Folder) -> None:
    repl = folder.sitting(calls(("ask_user", {"question": "which file?"})), says("that one"))
    first = await repl.submit("fix it")
    assert (first.outcome, first.status) == ("blocked", "completed")
    assert repl.state.history[-1].text == "which file?"
    repl.set_mode("investigate")
    second = await repl.submit("a.txt")
    assert second.outcome == "success"
    spoken = [message.text for message in folder.provider.requests[1].messages]
    assert any("fix it" in text for text in spoken)


async def test_a_dirty_tree_stops_the_first_goal_and_leaves_nothing(folder: Folder) -> None:
    (folder.root / "a.txt").write_text("mine\n")
    repl = folder.sitting(says("hello"))
    for start in (repl.submit, repl.drive):
        with pytest.raises(DirtyWorkspaceError, match=r"a\.txt"):
            await start("what is it?")
    with pytest.raises(DirtyWorkspaceError):
        repl.start("what is it?")
    assert (repl.state.history, repl.state.tasks, repl.history()[1:]) == ([], [], ())
    assert not repl.execution.is_active
    repl.tolerate_dirt()
    assert (await repl.submit("what is it?")).outcome == "success"


async def test_a_sitting_may_begin_on_a_dirty_tree_when_told_so(folder: Folder) -> None:
    (folder.root / "a.txt").write_text("mine\n")
    repl = folder.sitting(says("hello"), allow_dirty=True)
    assert (await repl.submit("what is it?")).outcome == "success"


async def test_files_that_git_does_not_know_are_no_dirt(folder: Folder) -> None:
    (folder.root / "new.txt").write_text("mine\n")
    repl = folder.sitting(says("hello"))
    assert (await repl.submit("what is it?")).outcome == "success"


async def test_a_second_goal_cannot_begin_beside_the_first(folder: Folder) -> None:
    repl = folder.sitting(runs("touch a"), says("ok"), max_repair_attempts=1)
    repl.set_mode("edit")
    stream = repl.events()
    running = asyncio.create_task(repl.submit("one"))
    question = await next_of(stream, ApprovalRequested)
    with pytest.raises(RuntimeError, match="another goal is running"):
        await repl.submit("two")
    built = repl.start("three")
    with pytest.raises(RuntimeError, match="another goal is running"):
        await built.run()
    await repl.resolve_approval(question.approval_id, allow=True)
    await running
    assert (folder.root / "a").exists()
    assert [task.goal for task in repl.state.tasks] == ["one"]


async def test_a_hard_cancel_leaves_no_turn_without_a_reply(folder: Folder) -> None:
    repl = folder.sitting([asyncio.Event()], [asyncio.Event()], says("hello"))
    for run in (repl.submit, repl.drive):
        running = asyncio.create_task(run("what is it?"))
        await until(lambda: len(folder.provider.requests) == len(repl.state.tasks) + 1)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    assert [turn.role for turn in repl.state.history] == ["user", "agent"] * 2
    assert not repl.execution.is_active
    assert (await repl.submit("and now?")).outcome == "success"


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
    router = Router("investigate")
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
