"""ReplSession, the sitting: modes, goals in steps, and what is recorded."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agent_cockpit.engine.state import Turn
from agent_cockpit.errors import DirtyWorkspaceError
from agent_cockpit.events.harness import AgentStart, ApprovalRequested
from tests.support.goals import Folder, next_of, of, runs
from tests.support.scripted_provider import calls, says
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
