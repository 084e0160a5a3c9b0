"""A long conversation is shown so that it fits, newest first, and stays valid."""

from __future__ import annotations

from agent_cockpit.events.messages import Message, ToolResultBlock, ToolUseBlock
from agent_cockpit.rules.context import estimate_tokens, fit
from agent_cockpit.rules.pairing import Repairs, repair

SYSTEM = Message.of("system", "rules")


def goal(number: int, output_characters: int = 100) -> list[Message]:
    call = f"call-{number}"
    return [
        Message.of("user", f"goal {number}"),
        Message(role="assistant", blocks=(ToolUseBlock(call_id=call, name="read_file"),)),
        Message(
            role="user",
            blocks=(ToolResultBlock(call_id=call, content="x" * output_characters),),
        ),
        Message.of("assistant", f"done {number}"),
    ]


def sitting(goals: int, output_characters: int = 100) -> list[Message]:
    return [SYSTEM, *(m for n in range(goals) for m in goal(n, output_characters))]


def test_what_fits_is_shown_whole() -> None:
    talk = sitting(3)
    fitted = fit(talk, 100_000)
    assert fitted.messages == tuple(talk)
    assert (fitted.shortened_results, fitted.dropped_messages) == (0, 0)


def test_old_results_are_shortened_before_any_goal_is_left_out() -> None:
    talk = sitting(10, output_characters=4_000)
    fitted = fit(talk, estimate_tokens(talk) // 2)
    assert fitted.shortened_results > 0
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


def test_the_last_goal_is_never_cut() -> None:
    talk = [SYSTEM, Message.of("user", "y" * 10_000)]
    fitted = fit(talk, 100)
    assert fitted.messages[-1] == talk[-1]
    assert fitted.tokens > 100
