"""Every call in a conversation has exactly one result, right after it (turns B6).

Law: `repair` leaves a valid conversation untouched, and repairing twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent_cockpit.events.messages import Block, Message, ToolResultBlock, ToolUseBlock

NEVER_FINISHED = "This call never finished: the run ended before its result was known."


@dataclass(frozen=True, slots=True)
class Repairs:
    """How much was mended: results made up, and results that had no place."""

    synthesized: int = 0
    dropped: int = 0

    def __bool__(self) -> bool:
        return bool(self.synthesized or self.dropped)


def repair(messages: Sequence[Message]) -> tuple[tuple[Message, ...], Repairs]:
    """The conversation with every call answered exactly once, and what that took.

    Of several results for one call the last stays; a result without its call right before
    it goes; a call without a result gets one that says that it never finished.
    """
    mended: list[Message] = []
    synthesized = dropped = 0
    position = 0
    while position < len(messages):
        message = messages[position]
        if message.role != "assistant" or not message.calls:
            kept = tuple(b for b in message.blocks if not isinstance(b, ToolResultBlock))
            dropped += len(message.blocks) - len(kept)
            if len(kept) == len(message.blocks):
                mended.append(message)
            elif kept:
                mended.append(message.model_copy(update={"blocks": kept}))
            position += 1
            continue
        mended.append(message)
        following = messages[position + 1] if position + 1 < len(messages) else None
        if following is not None and following.role != "user":
            following = None
        answered, made_up, excess = _answer(message.calls, following)
        synthesized, dropped = synthesized + made_up, dropped + excess
        mended.append(answered)
        position += 1 if following is None else 2
    return tuple(mended), Repairs(synthesized, dropped)


def _answer(calls: tuple[ToolUseBlock, ...], following: Message | None) -> tuple[Message, int, int]:
    """The user message that answers `calls`, with how many results were made up and dropped."""
    blocks = following.blocks if following is not None else ()
    given = [block for block in blocks if isinstance(block, ToolResultBlock)]
    others: tuple[Block, ...] = tuple(b for b in blocks if not isinstance(b, ToolResultBlock))
    last = {result.call_id: result for result in given}
    results: list[Block] = []
    made_up = 0
    for call in calls:
        result = last.get(call.call_id)
        if result is None:
            made_up += 1
            result = ToolResultBlock(call_id=call.call_id, content=NEVER_FINISHED, is_error=True)
        results.append(result)
    excess = len(given) - (len(calls) - made_up)
    if (
        following is not None
        and made_up == 0
        and excess == 0
        and blocks[: len(results)] == tuple(results)
    ):
        return following, 0, 0
    return Message(role="user", blocks=(*results, *others)), made_up, excess
