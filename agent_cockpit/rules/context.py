"""What of a long conversation the model is shown, so that it fits its window.

Law: what is shown is valid (every call beside its result) and ends with the newest message.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent_cockpit.events.messages import Message, ToolResultBlock
from agent_cockpit.text import head_and_tail

CHARACTERS_PER_TOKEN = 4
"""A rough mean over English and code; real usage replaces it where a server reports it."""

_FRESH_MESSAGES = 12
"""The newest messages, whose tool results are never shortened."""

_OLD_RESULT_CHARACTERS = 600


@dataclass(frozen=True, slots=True)
class Fitted:
    """The messages to show, and what was left out to make them fit."""

    messages: tuple[Message, ...]
    tokens: int
    shortened_results: int = 0
    dropped_messages: int = 0


def estimate_tokens(messages: Sequence[Message]) -> int:
    """Tokens of the messages by their length, without the tool schemas."""
    return sum(_characters(message) for message in messages) // CHARACTERS_PER_TOKEN


def fit(messages: Sequence[Message], budget_tokens: int) -> Fitted:
    """The newest part of the conversation within the budget.

    First old tool results are shortened, then the oldest goals are left out whole, with a
    sentence in their place. System messages always stay. The last goal is never cut, so
    the result may still be above the budget: the caller decides what that means.
    """
    tokens = estimate_tokens(messages)
    if tokens <= budget_tokens:
        return Fitted(tuple(messages), tokens)
    system = [message for message in messages if message.role == "system"]
    talk = [message for message in messages if message.role != "system"]
    talk, shortened = _shorten_old_results(talk)
    starts = [index for index, message in enumerate(talk) if _opens_a_goal(message)]
    cut = 0
    for start in starts:
        cut = start
        if estimate_tokens([*system, *talk[start:]]) <= budget_tokens:
            break
    shown = talk[cut:]
    if cut:
        note = (
            f"[{cut} earlier messages of this conversation are left out here: they no longer fit.]"
        )
        shown = [Message.of("user", note), *shown]
    whole = (*system, *shown)
    return Fitted(whole, estimate_tokens(whole), shortened, cut)


def _shorten_old_results(talk: list[Message]) -> tuple[list[Message], int]:
    shortened = 0
    shorter: list[Message] = []
    for index, message in enumerate(talk):
        blocks = list(message.blocks)
        if index < len(talk) - _FRESH_MESSAGES:
            for place, block in enumerate(blocks):
                if isinstance(block, ToolResultBlock) and (
                    len(block.content) > _OLD_RESULT_CHARACTERS
                ):
                    content = head_and_tail(block.content, _OLD_RESULT_CHARACTERS)
                    blocks[place] = block.model_copy(update={"content": content})
                    shortened += 1
        shorter.append(message.model_copy(update={"blocks": tuple(blocks)}))
    return shorter, shortened


def _opens_a_goal(message: Message) -> bool:
    return message.role == "user" and not any(
        isinstance(block, ToolResultBlock) for block in message.blocks
    )


def _characters(message: Message) -> int:
    """Roughly what a server gets; half characters, which JSON does not take, count too."""
    return sum(len(str(block.model_dump())) for block in message.blocks) + 16
