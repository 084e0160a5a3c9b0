"""One conversation over many goals, whatever became of each."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_cockpit.engine.record.journal_reader import load_events
from agent_cockpit.errors import ProviderError
from agent_cockpit.events.harness import AgentEnd, AgentStart
from agent_cockpit.events.messages import Message, ReasoningBlock, TextBlock, ToolResultBlock
from agent_cockpit.events.sitting import GoalRecorded, SittingMessage
from agent_cockpit.providers.protocol import Call, ModelRequest, Piece, Stop, Text, Thought
from tests.support.goals import Folder, of, runs, writes
from tests.support.scripted_provider import Reply, calls, says
from tests.support.waiting import until


def all_text(request: ModelRequest) -> str:
    return "\n".join(message.model_dump_json() for message in request.messages)


async def test_a_later_goal_sees_the_whole_of_the_earlier(folder: Folder) -> None:
    look = calls(("read_file", {"path": "notes.md"}), text="let me look")
    repl = folder.sitting(look, says("it says two"), says("three"))
    await repl.submit("what is in the notes?")
    await repl.submit("and after that?")
    seen = all_text(folder.provider.requests[2])
    for text in ("what is in the notes?", "let me look", "one\\ntwo\\nthree", "it says two"):
        assert text in seen
    assert folder.provider.requests[2].messages[:-1] == repl.history()[:-2]


ENDS: dict[str, tuple[list[Reply], str]] = {
    "a success": ([says("fine")], "success"),
    "a fault": ([[Text("I am"), ProviderError("gone", kind="auth")]], "incomplete"),
    "a bug": ([[KeyError("bug")]], "incomplete"),
    "a question": ([calls(("ask_user", {"question": "which?"}))], "blocked"),
    "a budget": ([calls(("read_file", {"path": "a.txt"}))] * 2, "incomplete"),
    "a failed proof": ([writes("tried\n"), says("a.txt")], "blocked"),
}


@pytest.mark.parametrize("name", ENDS)
async def test_the_conversation_goes_on_after(folder: Folder, name: str) -> None:
    script, outcome = ENDS[name]
    repl = folder.sitting(*script, says("hello"), max_iterations=2, max_repair_attempts=1)
    stream = repl.events()
    repl.set_mode("investigate")
    first = await repl.drive("the first thing")
    assert first is not None
    assert first.outcome == outcome
    second = await repl.drive("the second thing")
    assert second is not None
    assert (second.outcome, second.final_answer) == ("success", "hello")
    assert "the first thing" in all_text(folder.provider.requests[-1])
    assert [turn.role for turn in repl.state.history] == ["user", "agent"] * 2
    messages = [event.message for event in of(stream.take_unread(), SittingMessage)]
    assert tuple(messages) == repl.history()[1:]


async def test_the_conversation_goes_on_after_a_cancel(folder: Folder) -> None:
    repl = folder.sitting([Text("I am"), asyncio.Event()], says("hello"))
    running = asyncio.create_task(repl.drive("the first thing"))
    await until(lambda: folder.provider.requests)
    await repl.cancel()
    await running
    state = await repl.drive("the second thing")
    assert state is not None
    assert state.outcome == "success"
    spoken = [message.text for message in folder.provider.requests[1].messages]
    assert sum("the first thing" in text for text in spoken) == 1


async def test_the_conversation_goes_on_after_a_hard_cancel_in_a_batch(folder: Folder) -> None:
    batch = calls(("run_command", {"command": "sleep 600"}), ("read_file", {"path": "a.txt"}))
    repl = folder.sitting(batch, says("hello"))
    running = asyncio.create_task(repl.drive("the first thing"))
    await until(lambda: repl.execution.active_tools)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    state = await repl.drive("the second thing")
    assert state is not None
    assert state.outcome == "success"
    assert unpaired(folder.provider.requests[1].messages) == []


@pytest.mark.parametrize("how", ["stopped hard", "a bug"])
async def test_a_batch_that_is_cut_short_is_paired_at_once_and_in_the_record(
    folder: Folder, how: str
) -> None:
    class Guard:
        async def decide(self, tool: str, tool_input: dict[str, Any]) -> str | None:
            if tool == "write_file" and how == "a bug":
                raise KeyError("bug")
            return None

    batch = calls(
        ("read_file", {"path": "notes.md"}),
        ("run_command", {"command": "sleep 600" if how == "stopped hard" else "true"}),
        ("write_file", {"path": "a.txt", "content": "", "overwrite": True}),
    )
    repl = folder.sitting(batch, says("hello"), recorded=True).with_approver(Guard())
    running = asyncio.create_task(repl.drive("the first thing"))
    if how == "stopped hard":
        await until(lambda: "run_command" in [tool.name for tool in repl.execution.active_tools])
        await until(lambda: len(repl.execution.active_tools) == 1)
        running.cancel()
    await asyncio.wait({running})
    assert running.cancelled() or running.result().status == "error"  # type: ignore[union-attr]
    assert unpaired(repl.history()) == []
    first, second, third = repl.history()[-1].blocks
    assert first.content.startswith("one")  # type: ignore[union-attr]
    assert "cut short" not in second.content  # type: ignore[union-attr]
    assert "cut short" in third.content  # type: ignore[union-attr]
    await repl.drive("the second thing")
    await repl.aclose()
    told = of(load_events(folder.journal), SittingMessage)
    assert tuple(event.message for event in told) == repl.history()[1:]


def unpaired(messages: tuple[Message, ...]) -> list[str]:
    """Ids of calls that do not have exactly one result in the message after them."""
    wrong = []
    for place, message in enumerate(messages):
        after = messages[place + 1].blocks if place + 1 < len(messages) else ()
        answered = [block.call_id for block in after if isinstance(block, ToolResultBlock)]
        wrong += [call.call_id for call in message.calls if answered.count(call.call_id) != 1]
    return wrong


async def test_signed_reasoning_goes_back_as_it_came(folder: Folder) -> None:
    raw = {"type": "thinking", "x": [1, None]}
    thinking: list[Piece | Exception | asyncio.Event] = [
        Thought("hm, "),
        Thought("so", signature="c2lnbmVk", raw=raw),
        Text("look"),
        Call("9", "read_file", '{"path": "a.txt"}'),
        Stop("tool_use"),
    ]
    repl = folder.sitting(thinking, says("a.txt"))
    await repl.submit("what is it?")
    (sent,) = (m for m in folder.provider.requests[1].messages if m.role == "assistant")
    reasoning = sent.blocks[0]
    assert isinstance(reasoning, ReasoningBlock)
    assert (reasoning.text, reasoning.signature, reasoning.raw) == ("hm, so", "c2lnbmVk", raw)


async def test_ids_of_calls_are_ours_and_never_repeat(folder: Folder) -> None:
    look = calls(("read_file", {"path": "a.txt"}), ("read_file", {"path": "notes.md"}))
    repl = folder.sitting(look, look, says("a.txt"))
    await repl.submit("what is it?")
    ids = [call.call_id for message in repl.history() for call in message.calls]
    assert len(set(ids)) == 4
    assert not any(call_id.startswith("wire") for call_id in ids)


async def test_a_long_conversation_never_stops_a_goal(folder: Folder) -> None:
    def looks_then_answers(request: ModelRequest) -> Any:
        newest = request.messages[-1].blocks[-1]
        fresh = isinstance(newest, TextBlock) and newest.text.startswith("look number")
        return calls(("read_file", {"path": "long.txt"})) if fresh else says("long.txt")

    (folder.root / "long.txt").write_text("0123456789abcdef\n" * 900)
    repl = folder.sitting(*[looks_then_answers] * 40, max_context_tokens=12_000, allow_dirty=True)
    for number in range(6):
        assert (await repl.submit(f"look number {number}?")).outcome == "success"
        assert unpaired(folder.provider.requests[-1].messages) == []
        assert f"look number {number}?" in all_text(folder.provider.requests[-1])


async def test_a_goal_that_is_too_large_does_not_spoil_the_next(folder: Folder) -> None:
    repl = folder.sitting(*[says("hello")] * 4, max_context_tokens=8_000)
    report = await repl.run_text("x " * 40_000)
    assert report.status in ("max_turns", "completed")
    assert (await repl.run_text("what is it?")).outcome == "success"


async def test_a_refusal_is_remembered_for_the_next_goal(folder: Folder) -> None:
    repl = folder.sitting(
        runs("touch a"), says("ok"), says("ok"), unattended=True, max_repair_attempts=1
    )
    repl.set_mode("edit")
    await repl.submit("one")
    repl.set_mode("investigate")
    await repl.submit("two?")
    assert "touch a" in folder.provider.requests[2].messages[-1].blocks[0].text  # type: ignore[union-attr]


# ── any script at all ────────────────────────────────────────────────────────────────────────────

PIECES = st.one_of(
    st.builds(Text, st.text(max_size=20)),
    st.builds(Thought, st.text(max_size=10), st.sampled_from(["", "sig"])),
    st.builds(
        Call,
        st.text(max_size=4),
        st.sampled_from(
            ["read_file", "write_file", "str_replace", "search_repo", "run_tests", "ask_user", "?"]
        ),
        st.one_of(
            st.text(max_size=20),
            st.sampled_from(
                [
                    '{"path": "a.txt"}',
                    '{"path": "n.txt", "content": "good"}',
                    '{"path": "a.txt", "old_string": "bad", "new_string": "good"}',
                    '{"query": "bad"}',
                    '{"question": "?"}',
                    "{}",
                ]
            ),
        ),
    ),
    st.builds(Stop, st.sampled_from(["end_turn", "tool_use", "max_tokens", "?"])),
    st.sampled_from(
        [
            ProviderError("busy", retryable=True),
            ProviderError("gone", kind="auth"),
            KeyError("bug"),
        ]
    ),
)


@settings(max_examples=25)
@given(
    script=st.lists(st.lists(PIECES, max_size=5), max_size=6),
    mode=st.sampled_from(["edit", "investigate"]),
)
def test_whatever_a_model_says_the_goal_ends_once_and_the_next_one_is_paired(
    tmp_path_factory: pytest.TempPathFactory, script: list[list[Any]], mode: Any
) -> None:
    async def play() -> None:
        folder = Folder(tmp_path_factory.mktemp("any"))
        repl = folder.sitting(
            *script,
            *[says("hello")] * 8,
            max_iterations=4,
            max_repair_attempts=2,
            unattended=True,
            recorded=True,
        )
        repl.set_mode(mode)
        stream = repl.events()
        for prompt in ("one", "two"):
            report = await repl.run_text(prompt)
            assert report.outcome in ("success", "incomplete", "blocked", "failed")
            assert report.status in ("completed", "max_turns", "model_error", "error")
            assert not repl.execution.is_active
        seen = stream.take_unread()
        assert [len(of(seen, kind)) for kind in (AgentStart, AgentEnd, GoalRecorded)] == [2, 2, 2]
        for request in folder.provider.requests:
            assert unpaired(request.messages) == []
        await folder.close()

    asyncio.run(play())
