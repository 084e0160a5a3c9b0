"""A question to the person ends its goal, whether the model asks it or the engine."""

from __future__ import annotations

from agent_cockpit.engine.goals.goal import Goal
from agent_cockpit.events.harness import ModelDecisionEvent
from agent_cockpit.events.messages import ToolResultBlock, ToolUseBlock
from agent_cockpit.providers.protocol import ToolSchema

ASK_USER = ToolSchema(
    "ask_user",
    "Put one question to the person and end this goal; their answer opens the next one.",
    {
        "type": "object",
        "properties": {"question": {"type": "string"}},
        "required": ["question"],
        "additionalProperties": False,
    },
)
QUESTION_ASKED = "The question was put to the person; their next message answers it."
QUESTION_FIRST = "Not run: a question was put to the person in the same reply."


def question_in(calls: tuple[ToolUseBlock, ...]) -> ToolUseBlock | None:
    """The first question among the calls of a reply."""
    return next((call for call in calls if call.name == ASK_USER.name), None)


def ask_person(
    goal: Goal, question: ToolUseBlock, calls: tuple[ToolUseBlock, ...]
) -> tuple[ToolResultBlock, ...]:
    """End the goal with a question; the results of all calls, for nothing else runs."""
    text = str(question.input.get("question") or "").strip() or "How should I go on?"
    end_with_question(goal, text, why=f"needs input: {text}")
    return tuple(
        ToolResultBlock(
            call_id=call.call_id,
            content=QUESTION_ASKED if call is question else QUESTION_FIRST,
            is_error=call is not question,
        )
        for call in calls
    )


def end_with_question(goal: Goal, text: str, *, why: str = "") -> None:
    """Block the goal on `text`, which the person reads as the agent's turn."""
    state = goal.state
    goal.publish(
        ModelDecisionEvent(
            task_id=state.task_id, turn=state.iterations, action_type="ask_user", action=text
        )
    )
    state.open_questions.append(text)
    state.block(why or text)
