"""Every call has exactly one result, right after it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.events.messages import (
    Block,
    Message,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
)
from agent_cockpit.rules.model.pairing import NEVER_FINISHED, Repairs, repair


def asks(*ids: str) -> Message:
    blocks = tuple(ToolUseBlock(call_id=call_id, name="read_file") for call_id in ids)
    return Message(role="assistant", blocks=blocks)


def answers(*ids: str, text: str = "") -> Message:
    blocks: tuple[Block, ...] = tuple(ToolResultBlock(call_id=i, content=f"r{i}") for i in ids)
    return Message(role="user", blocks=(*blocks, *((TextBlock(text=text),) if text else ())))


def is_valid(messages: tuple[Message, ...]) -> bool:
    for place, message in enumerate(messages):
        follower = messages[place + 1] if place + 1 < len(messages) else None
        expected = [call.call_id for call in message.calls]
        before = messages[place - 1] if place else None
        results = [b.call_id for b in message.blocks if isinstance(b, ToolResultBlock)]
        if results and (before is None or [c.call_id for c in before.calls] != results):
            return False
        if expected and (follower is None or follower.role != "user"):
            return False
        if expected and follower is not None:
            given = [b.call_id for b in follower.blocks if isinstance(b, ToolResultBlock)]
            if given != expected:
                return False
    return True


def test_a_valid_conversation_is_left_as_it_is() -> None:
    talk = (Message.of("user", "go"), asks("a", "b"), answers("a", "b", text="and hurry"))
    assert repair(talk) == (talk, Repairs())


def test_a_call_without_a_result_gets_one_that_says_so_before_the_next_words() -> None:
    mended, repairs = repair([asks("a", "b"), answers("b", text="next")])
    assert repairs == Repairs(synthesized=1)
    first, second, words = mended[1].blocks
    assert isinstance(first, ToolResultBlock)
    assert (first.call_id, first.content, first.is_error) == ("a", NEVER_FINISHED, True)
    assert isinstance(second, ToolResultBlock)
    assert second.call_id == "b"
    assert words == TextBlock(text="next")


def test_a_call_at_the_end_gets_a_message_of_its_own() -> None:
    mended, repairs = repair([asks("a")])
    assert len(mended) == 2
    assert repairs.synthesized == 1


def test_the_last_of_several_results_stays_and_strays_go() -> None:
    twice = Message(
        role="user",
        blocks=(
            ToolResultBlock(call_id="a", content="old"),
            ToolResultBlock(call_id="a", content="new"),
            ToolResultBlock(call_id="z", content="stray"),
        ),
    )
    mended, repairs = repair([asks("a"), twice, answers("z")])
    assert mended == (asks("a"), Message(role="user", blocks=(twice.blocks[1],)))
    assert repairs == Repairs(dropped=3)


IDS = st.lists(st.sampled_from("abcd"), max_size=3)
TALK = st.lists(
    st.one_of(
        IDS.map(lambda ids: asks(*dict.fromkeys(ids))),
        st.tuples(IDS, st.sampled_from(["", "words"])).map(lambda p: answers(*p[0], text=p[1])),
        st.just(Message.of("user", "hello")),
        st.just(Message.of("assistant", "hi")),
    ),
    max_size=8,
)


@given(TALK)
def test_any_conversation_becomes_valid_and_stays_as_mended(talk: list[Message]) -> None:
    mended, _ = repair(talk)
    assert is_valid(mended)
    assert repair(mended) == (mended, Repairs())
