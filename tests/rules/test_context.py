"""A long conversation is shown so that it fits, newest first, and stays valid."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.events.messages import (
    Message,
    ReasoningBlock,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
)
from agent_cockpit.rules.model.context import Gauge, estimate_tokens, fit, size_of
from agent_cockpit.rules.model.pairing import Repairs, repair

SYSTEM = Message.of("system", "rules")


def step(name: str, output_characters: int = 100) -> list[Message]:
    """One call and its result."""
    return [
        Message(role="assistant", blocks=(ToolUseBlock(call_id=name, name="read_file"),)),
        Message(
            role="user",
            blocks=(ToolResultBlock(call_id=name, content="x" * output_characters),),
        ),
    ]


def goal(number: int, output_characters: int = 100, steps: int = 1) -> list[Message]:
    return [
        Message.of("user", f"goal {number}"),
        *(m for n in range(steps) for m in step(f"call-{number}-{n}", output_characters)),
        Message.of("assistant", f"done {number}"),
    ]


def sitting(goals: int, output_characters: int = 100) -> list[Message]:
    return [SYSTEM, *(m for n in range(goals) for m in goal(n, output_characters))]


def test_what_fits_is_shown_whole() -> None:
    talk = sitting(3)
    fitted = fit(talk, 100_000)
    assert fitted.messages == tuple(talk)
    assert (fitted.shortened, fitted.dropped_messages) == (0, 0)


def test_old_results_are_shortened_before_any_goal_is_left_out() -> None:
    talk = sitting(10, output_characters=4_000)
    fitted = fit(talk, estimate_tokens(talk) // 2)
    assert fitted.shortened > 0
    assert fitted.dropped_messages == 0
    assert fitted.messages[-2] == talk[-2]


def test_five_hundred_goals_still_leave_room_for_the_next() -> None:
    talk = [*sitting(500), Message.of("user", "the newest")]
    fitted = fit(talk, 2_000)
    assert fitted.tokens <= 2_000
    assert fitted.messages[0] == SYSTEM
    assert "left out" in fitted.messages[1].text
    assert fitted.messages[-1].text == "the newest"
    assert repair(fitted.messages)[1] == Repairs()


def test_a_prompt_longer_than_the_window_is_shown_by_its_head_and_tail() -> None:
    talk = [SYSTEM, Message.of("user", "begin " + "y" * 10_000 + " end")]
    fitted = fit(talk, 1_000)
    assert fitted.tokens <= 1_000
    shown = fitted.messages[-1].text
    assert shown.startswith("begin")
    assert shown.endswith("end")
    assert "left out" in shown


def test_a_result_longer_than_the_window_still_answers_its_call() -> None:
    talk = [SYSTEM, Message.of("user", "read it"), *step("big", 1_000_000)]
    fitted = fit(talk, 1_000)
    assert fitted.tokens <= 1_000
    assert fitted.messages[1].text == "read it"
    assert repair(fitted.messages)[1] == Repairs()


def test_a_long_goal_keeps_its_opening_and_its_newest_steps() -> None:
    talk = [SYSTEM, *sitting(3)[1:], *goal(9, output_characters=500, steps=100)[:-1]]
    fitted = fit(talk, 2_000, goal_at=13)
    assert fitted.tokens <= 2_000
    texts = [message.text for message in fitted.messages]
    assert texts[1].startswith("[12 earlier messages of this conversation")
    assert texts[2] == "goal 9"
    assert "of this goal" in texts[3]
    assert fitted.messages[-1] == talk[-1]
    assert repair(fitted.messages)[1] == Repairs()


def test_what_the_engine_said_in_a_goal_is_not_taken_for_its_opening() -> None:
    said = Message.of("user", "Not done yet: it fails")
    talk = [SYSTEM, Message.of("user", "the goal"), *step("a", 9_000), said, *step("b", 9_000)]
    fitted = fit(talk, 1_500, goal_at=1)
    assert fitted.messages[1].text == "the goal"


def test_a_huge_call_is_shown_in_part_when_nothing_else_helps() -> None:
    huge = ToolUseBlock(call_id="w", name="write_file", input={"content": "z" * 50_000, "n": 1})
    talk = [
        SYSTEM,
        Message.of("user", "write it"),
        Message(role="assistant", blocks=(huge,)),
        Message(role="user", blocks=(ToolResultBlock(call_id="w", content="written"),)),
    ]
    fitted = fit(talk, 1_000)
    assert fitted.tokens <= 1_000
    (call,) = fitted.messages[2].calls
    assert "left out" in call.input["content"]
    assert call.input["n"] == 1


def test_signed_reasoning_is_never_changed() -> None:
    signed = ReasoningBlock(text="r" * 2_000, signature="s")
    talk = [
        SYSTEM,
        Message.of("user", "go"),
        Message(role="assistant", blocks=(signed, TextBlock(text="t" * 20_000))),
    ]
    fitted = fit(talk, 1_200)
    assert fitted.messages[-1].blocks[0] == signed
    assert fitted.tokens <= 1_200


def test_a_budget_that_nothing_fits_in_is_the_callers_to_judge() -> None:
    talk = [SYSTEM, Message.of("user", "y" * 10_000)]
    assert fit(talk, 10).tokens > 10


_PARTS = st.lists(
    st.one_of(
        st.integers(0, 3_000).map(lambda size: [Message.of("user", "p" * size)]),
        st.integers(0, 3_000).map(lambda size: [Message.of("assistant", "a" * size)]),
        st.lists(st.integers(0, 6_000), min_size=1, max_size=3).map(lambda sizes: ["calls", sizes]),
    ),
    max_size=30,
)


def conversation(parts: list[list[object]]) -> list[Message]:
    talk = [SYSTEM]
    for number, part in enumerate(parts):
        if part[0] != "calls":
            talk.extend(m for m in part if isinstance(m, Message))
            continue
        sizes = part[1]
        assert isinstance(sizes, list)
        names = [f"{number}-{n}" for n in range(len(sizes))]
        asked = tuple(ToolUseBlock(call_id=name, name="read_file") for name in names)
        given = tuple(
            ToolResultBlock(call_id=name, content="r" * size)
            for name, size in zip(names, sizes, strict=True)
        )
        talk += [Message(role="assistant", blocks=asked), Message(role="user", blocks=given)]
    return [*talk, Message.of("user", "the newest")]


@given(parts=_PARTS, budget=st.integers(500, 20_000))
def test_any_conversation_fits_and_stays_paired(parts: list[list[object]], budget: int) -> None:
    talk = conversation(parts)
    fitted = fit(talk, budget)
    assert fitted.tokens <= budget
    assert fitted.messages[0] == SYSTEM
    assert fitted.messages[-1] == talk[-1]
    assert repair(fitted.messages)[1] == Repairs()
    assert (fitted.messages == tuple(talk)) == (estimate_tokens(talk) <= budget)


@pytest.mark.parametrize(
    ("characters", "tokens", "expected"),
    [
        (8_000, 4_000, 0.5),
        (8_000, 1, 0.15),
        (8_000, 800_000, 2.0),
        (8_000, 0, 0.25),
        (8_000, -5, 0.25),
        (100, 90, 0.25),
    ],
)
def test_a_gauge_believes_a_server_within_reason(
    characters: int, tokens: int, expected: float
) -> None:
    assert Gauge().learned(characters, tokens).tokens_per_character == pytest.approx(expected)


def test_a_server_that_counts_more_leaves_less_room() -> None:
    talk = [*sitting(20, output_characters=900), Message.of("user", "next")]
    dear = Gauge().learned(10_000, 10_000)
    fitted = fit(talk, 3_000, gauge=dear)
    assert size_of(fitted.messages) <= 3_000
