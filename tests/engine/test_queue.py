"""Prompts that are written while a goal runs: each ends as exactly one thing."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agent_cockpit.engine.model.instructions import STEERING_MARK
from agent_cockpit.errors import DirtyWorkspaceError, ProviderError
from agent_cockpit.events.harness import AgentStart, ApprovalRequested
from agent_cockpit.events.messages import TextBlock, ToolResultBlock
from agent_cockpit.events.sitting import PromptDelivered, PromptQueued, PromptsRecalled
from agent_cockpit.providers.protocol import ModelRequest
from tests.support.goals import Folder, next_of, of, runs, told, writes
from tests.support.scripted_provider import Reply, calls, says
from tests.support.waiting import until

READ = calls(("read_file", {"path": "notes.md"}))


class Gate:
    """A reply that comes when it is let through."""

    def __init__(self, reply: Reply) -> None:
        self._open = asyncio.Event()
        self.reply: Reply = [self._open, *reply]  # type: ignore[misc]

    def let_through(self) -> None:
        self._open.set()


async def at(folder: Folder, number: int) -> None:
    """The moment at which the model was called so often."""
    await until(lambda: len(folder.provider.requests) >= number)


def recalled(events: list[Any]) -> list[tuple[list[str], str]]:
    return [(event.texts, event.to) for event in of(events, PromptsRecalled)]


def words(request: ModelRequest) -> list[str]:
    return [block.text for block in request.messages[-1].blocks if isinstance(block, TextBlock)]


async def test_steering_follows_the_results_of_the_batch_in_one_marked_block(
    folder: Folder,
) -> None:
    gate = Gate(READ)
    repl = folder.sitting(gate.reply, says("notes.md it is"))
    stream = repl.events()
    running = asyncio.create_task(repl.drive("what is it?"))
    await at(folder, 1)
    assert await repl.drive("look at two") is None
    assert await repl.drive("and three") is None
    gate.let_through()
    await running
    blocks = folder.provider.requests[1].messages[-1].blocks
    assert [type(block) for block in blocks] == [ToolResultBlock, TextBlock]
    assert words(folder.provider.requests[1]) == [f"{STEERING_MARK}\n\nlook at two\n\nand three"]
    seen = stream.take_unread()
    assert [event.text for event in of(seen, PromptQueued)] == ["look at two", "and three"]
    assert [event.texts for event in of(seen, PromptDelivered)] == [["look at two", "and three"]]
    assert recalled(seen) == []
    assert len(folder.provider.requests) == 2


@pytest.mark.parametrize("kind", ["steering", "follow_up"])
async def test_what_no_batch_could_carry_opens_the_next_goal_unmarked(
    folder: Folder, kind: Any
) -> None:
    gate = Gate(says("first answer"))
    repl = folder.sitting(gate.reply, says("second answer"))
    stream = repl.events()
    running = asyncio.create_task(repl.drive("what is it?"))
    await at(folder, 1)
    assert await repl.drive("and why?", kind=kind) is None
    gate.let_through()
    state = await running
    assert state is not None
    assert (state.goal, state.final_answer) == ("and why?", "second answer")
    assert words(folder.provider.requests[1])[-1] == "and why?"
    seen = stream.take_unread()
    assert recalled(seen) == [(["and why?"], "next")]
    assert [event.goal for event in of(seen, AgentStart)] == ["what is it?", "and why?"]
    assert [turn.text for turn in repl.state.history] == [
        "what is it?",
        "first answer",
        "and why?",
        "second answer",
    ]
    assert not repl.execution.is_active


async def test_a_follow_up_never_joins_the_running_goal(folder: Folder) -> None:
    gate = Gate(READ)
    repl = folder.sitting(gate.reply, says("first"), says("second"))
    running = asyncio.create_task(repl.drive("what is it?"))
    await at(folder, 1)
    await repl.drive("later", kind="follow_up")
    gate.let_through()
    await running
    assert words(folder.provider.requests[1]) == []
    assert words(folder.provider.requests[2])[-1] == "later"


async def test_all_that_waits_at_the_end_is_one_goal_steering_first(folder: Folder) -> None:
    gate = Gate(says("first"))
    repl = folder.sitting(gate.reply, says("second"))
    running = asyncio.create_task(repl.drive("what is it?"))
    await at(folder, 1)
    await repl.drive("later", kind="follow_up")
    await repl.drive("now")
    gate.let_through()
    await running
    assert words(folder.provider.requests[1])[-1] == "now\n\nlater"
    assert len(folder.provider.requests) == 2


async def test_a_cancel_gives_everything_undelivered_back(folder: Folder) -> None:
    repl = folder.sitting([asyncio.Event()], says("later"))
    stream = repl.events()
    running = asyncio.create_task(repl.drive("what is it?"))
    await at(folder, 1)
    await repl.drive("later", kind="follow_up")
    await repl.drive("now")
    await repl.cancel("esc")
    state = await running
    assert state is not None
    assert state.status == "cancelled"
    assert recalled(stream.take_unread()) == [(["now", "later"], "composer")]
    assert repl.execution.queues == ((), ())


async def test_a_cancel_in_a_batch_loses_no_steering(folder: Folder) -> None:
    repl = folder.sitting(runs("sleep 600"))
    stream = repl.events()
    running = asyncio.create_task(repl.drive("what is it?"))
    await until(lambda: repl.execution.active_tools)
    await repl.drive("faster please")
    await repl.cancel("esc")
    await running
    seen = stream.take_unread()
    assert recalled(seen) == [(["faster please"], "composer")]
    assert of(seen, PromptDelivered) == []


async def test_a_question_of_the_model_leaves_steering_for_the_next_goal(folder: Folder) -> None:
    gate = Gate(calls(("ask_user", {"question": "which one?"})))
    repl = folder.sitting(gate.reply, says("the first then"))
    stream = repl.events()
    running = asyncio.create_task(repl.drive("what is it?"))
    await at(folder, 1)
    await repl.drive("take the first")
    gate.let_through()
    state = await running
    assert state is not None
    assert state.final_answer == "the first then"
    assert words(folder.provider.requests[1])[-1] == "take the first"
    seen = stream.take_unread()
    assert of(seen, PromptDelivered) == []
    assert recalled(seen) == [(["take the first"], "next")]


async def test_a_fault_gives_everything_undelivered_back(folder: Folder) -> None:
    gate = Gate([ProviderError("gone", kind="auth")])
    repl = folder.sitting(gate.reply)
    stream = repl.events()
    running = asyncio.create_task(repl.drive("what is it?"))
    await at(folder, 1)
    await repl.drive("and why?")
    gate.let_through()
    await running
    assert recalled(stream.take_unread()) == [(["and why?"], "composer")]
    assert repl.execution.phase == "failure"


async def test_without_a_person_what_was_queued_is_dropped_and_said_so(folder: Folder) -> None:
    gate = Gate([ProviderError("gone", kind="auth")])
    repl = folder.sitting(gate.reply, unattended=True)
    stream = repl.events()
    running = asyncio.create_task(repl.drive("what is it?"))
    await at(folder, 1)
    await repl.drive("and why?")
    gate.let_through()
    await running
    assert recalled(stream.take_unread()) == [(["and why?"], "dropped")]


async def test_what_was_taken_back_is_not_delivered(folder: Folder) -> None:
    gate = Gate(READ)
    repl = folder.sitting(gate.reply, says("done"))
    stream = repl.events()
    running = asyncio.create_task(repl.drive("what is it?"))
    await at(folder, 1)
    await repl.drive("no", kind="follow_up")
    await repl.drive("never mind")
    assert repl.recall() == ["never mind", "no"]
    assert repl.recall() == []
    gate.let_through()
    await running
    assert words(folder.provider.requests[1]) == []
    assert recalled(stream.take_unread()) == [(["never mind", "no"], "composer")]


async def test_the_next_goal_that_cannot_start_goes_back_to_the_composer(folder: Folder) -> None:
    gate = Gate(says("first"))
    repl = folder.sitting(gate.reply)
    stream = repl.events()
    running = asyncio.create_task(repl.drive("what is it?"))
    await at(folder, 1)
    await repl.drive("and why?", kind="follow_up")
    repl._openings.must_be_clean = True
    (folder.root / "a.txt").write_text("mine\n")
    gate.let_through()
    with pytest.raises(DirtyWorkspaceError):
        await running
    assert recalled(stream.take_unread())[-1] == (["and why?"], "composer")
    assert not repl.execution.is_active
    assert [turn.text for turn in repl.state.history] == ["what is it?", "first"]


async def test_what_was_written_while_a_goal_could_not_start_comes_back_too(
    folder: Folder,
) -> None:
    (folder.root / "a.txt").write_text("mine\n")
    held = asyncio.Event()
    repl = folder.sitting(classifier=Slow(held))
    stream = repl.events()
    running = asyncio.create_task(repl.drive("what is it?"))
    await until(lambda: repl.execution.is_active)
    await repl.drive("and why?")
    held.set()
    with pytest.raises(DirtyWorkspaceError):
        await running
    assert recalled(stream.take_unread()) == [(["and why?"], "composer")]
    assert repl.execution.queues == ((), ())


async def test_a_cancel_before_the_goal_began_gives_all_prompts_back(folder: Folder) -> None:
    repl = folder.sitting(says("hello"), classifier=Slow(asyncio.Event()))
    stream = repl.events()
    running = asyncio.create_task(repl.drive("what is it?"))
    await until(lambda: repl.execution.is_active)
    await repl.drive("and why?")
    await repl.cancel("esc")
    state = await running
    assert state is not None
    assert state.status == "cancelled"
    assert recalled(stream.take_unread()) == [(["what is it?", "and why?"], "composer")]
    assert not repl.execution.is_active
    assert (folder.provider.requests, repl.state.history) == ([], [])


class Slow:
    """A classifier that answers when it is let."""

    def __init__(self, held: asyncio.Event) -> None:
        self._held = held

    async def classify(self, prompt: str, *, history: list[str]) -> str | None:
        await self._held.wait()
        return "investigate"


# ── the handle ───────────────────────────────────────────────────────────────────────────────────


async def test_what_is_pushed_while_idle_waits_for_the_next_goal(folder: Folder) -> None:
    repl = folder.sitting(READ, says("done"))
    queue = repl.input_queue()
    queue.push("one")
    queue.push("two")
    assert (queue.pending(), queue.is_empty()) == (("one", "two"), False)
    await repl.drive("what is it?")
    assert words(folder.provider.requests[1]) == [f"{STEERING_MARK}\n\none\n\ntwo"]
    assert queue.is_empty()


async def test_submit_carries_what_was_pushed_while_idle(folder: Folder) -> None:
    repl = folder.sitting(READ, says("done"))
    repl.input_queue().push("one")
    await repl.submit("what is it?")
    assert words(folder.provider.requests[1]) == [f"{STEERING_MARK}\n\none"]


async def test_a_goal_in_steps_carries_what_was_pushed_while_idle(folder: Folder) -> None:
    repl = folder.sitting(READ, says("done"))
    repl.input_queue().push("before")
    session = repl.start("what is it?")
    repl.input_queue().push("between")
    await session.run()
    assert words(folder.provider.requests[1]) == [f"{STEERING_MARK}\n\nbefore\n\nbetween"]


async def test_pushes_from_another_thread_arrive_in_order(folder: Folder) -> None:
    gate = Gate(READ)
    repl = folder.sitting(gate.reply, says("done"))
    queue = repl.input_queue()
    running = asyncio.create_task(repl.drive("what is it?"))
    await at(folder, 1)
    expected = [str(number) for number in range(200)]

    def push_all() -> None:
        for text in expected:
            queue.push(text)

    await asyncio.to_thread(push_all)
    await until(lambda: len(repl.execution.queues[0]) == len(expected))
    assert queue.pending() == tuple(expected)
    gate.let_through()
    await running
    assert words(folder.provider.requests[1]) == ["\n\n".join([STEERING_MARK, *expected])]


async def test_what_is_taken_or_cleared_never_arrives(folder: Folder) -> None:
    gate = Gate(READ)
    repl = folder.sitting(gate.reply, says("done"))
    queue = repl.input_queue()
    running = asyncio.create_task(repl.drive("what is it?"))
    await at(folder, 1)
    queue.push("one")
    assert queue.take_all() == ("one",)
    queue.push("two")
    queue.clear()
    assert queue.is_empty()
    gate.let_through()
    await running
    assert words(folder.provider.requests[1]) == []


async def test_steering_while_a_call_is_asked_about_is_delivered_after_it(folder: Folder) -> None:
    repl = folder.sitting(runs("touch a"), says("ok"), max_repair_attempts=1)
    repl.set_mode("edit")
    stream = repl.events()
    running = asyncio.create_task(repl.drive("go"))
    question = await next_of(stream, ApprovalRequested)
    await repl.drive("and be quick")
    await repl.resolve_approval(question.approval_id, allow=True)
    await running
    assert "and be quick" in told(folder.provider.requests[1])


async def test_delivered_steering_stays_in_the_conversation_after_a_cancel(folder: Folder) -> None:
    gate = Gate(READ)
    repl = folder.sitting(gate.reply, [asyncio.Event()], writes(), says("ok"))
    running = asyncio.create_task(repl.drive("what is it?"))
    await at(folder, 1)
    await repl.drive("look at two")
    gate.let_through()
    await at(folder, 2)
    await repl.cancel()
    await running
    assert "look at two" in repl.history()[-1].text


async def test_one_waiting_prompt_can_be_taken_back_and_the_others_keep_their_order(
    folder: Folder,
) -> None:
    gate = Gate(READ)
    repl = folder.sitting(gate.reply, says("read"), says("and on"))
    stream = repl.events()
    running = asyncio.create_task(repl.drive("what is it?"))
    await at(folder, 1)
    for text in ("one", "twice", "two", "twice"):
        assert await repl.drive(text) is None
    assert await repl.drive("later", kind="follow_up") is None
    assert not repl.withdraw("follow_up", "twice")
    assert repl.withdraw("steering", "twice")
    assert repl.execution.queues == (("one", "twice", "two"), ("later",))
    gate.let_through()
    await running
    assert words(folder.provider.requests[1]) == [f"{STEERING_MARK}\n\none\n\ntwice\n\ntwo"]
    assert (["twice"], "composer") in recalled(stream.take_unread())
    assert not repl.withdraw("steering", "one")
