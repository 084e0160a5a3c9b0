"""Compaction: one message stands for the oldest part of a conversation, so that work goes on.

Laws: a call is never cut from its result; the messages themselves are not changed, only what
the model is shown of them; what was pinned and every reminder is still shown afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent_cockpit.events.messages import (
    Block,
    Message,
    ReasoningBlock,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
)
from agent_cockpit.rules.model.context import holds_results, size_of
from agent_cockpit.rules.model.reminders import MARKS, newest, without_reminders
from agent_cockpit.text import head_and_tail, shorten

SUMMARY_MARK = "[Summary of the conversation so far:"

KEPT_PART = 4
"""A quarter of what there was, or of what there was room for, stays word for word."""
LEAST_GAIN_PART = 10
LEAST_GAIN_CHARACTERS = 2_000
"""A compaction that saves less than a tenth, or less than this, is not worth the loss."""

_EARLIER = "Earlier:\n\n"
_PROMPT_CHARACTERS = 600
_LINE_CHARACTERS = 240
_RESULT_CHARACTERS = 1_500


@dataclass(frozen=True, slots=True)
class Cut:
    """The part that a summary will stand for, and the part that stays."""

    old: tuple[Message, ...]
    kept: tuple[Message, ...]


def cut(messages: Sequence[Message], room: int | None = None) -> Cut | None:
    """Where to cut a conversation (without its system message); None when it is one piece.

    The kept part is at most a quarter, or the newest step where that is longer; of a
    conversation that outgrew the `room` for it, in characters, a quarter of the room. A finished
    conversation is summarised whole where its last answer is more than half of that.
    """
    kept = size_of(messages)
    size = kept if room is None else min(kept, room)
    reached = 0
    for place, message in enumerate(messages):
        if place and not holds_results(message):
            kept -= size_of(messages[reached:place])
            reached = place
            if kept <= size // KEPT_PART:
                break
    is_finished = bool(messages) and messages[-1].role == "assistant" and not messages[-1].calls
    if is_finished and kept > size // 2:
        reached = len(messages)
    return Cut(tuple(messages[:reached]), tuple(messages[reached:])) if reached else None


def is_worth_it(before_characters: int, after_characters: int) -> bool:
    """Whether a compaction makes the conversation smaller by enough."""
    least = max(before_characters // LEAST_GAIN_PART, LEAST_GAIN_CHARACTERS)
    return before_characters - after_characters >= least


def summary_message(
    summary: str, cut: Cut, *, pins: Iterable[str] = (), goal: Sequence[str] = ()
) -> Message:
    """What stands for `cut.old`: the summary, what still holds, and the reminders in it.

    `goal` are the words that opened a goal that still runs; they are repeated as they were.
    """
    texts = [f"{SUMMARY_MARK} its {len(cut.old)} oldest messages are not shown.]\n\n{summary}"]
    if held := [f"- {pin}" for pin in pins if pin]:
        texts.append("\n".join(["What still holds:", *held]))
    for mark in MARKS:
        reminder = newest(cut.old, mark)
        if reminder is not None and newest(cut.kept, mark) is None:
            texts.append(reminder)
    if goal:
        texts.append("The goal that you are working on, as it was given:")
        texts.extend(goal)
    return Message(role="user", blocks=tuple(TextBlock(text=text) for text in texts))


def opening_texts(message: Message) -> tuple[str, ...]:
    """The words of a goal's first message, without the reminders beside them."""
    return without_reminders(b.text for b in message.blocks if isinstance(b, TextBlock))


def digest(messages: Sequence[Message], limit_characters: int) -> str:
    """A summary that needs no model: who said what and which calls came of it, in short.

    Within the limit the newest lines stay, after an earlier summary in at most its half.
    """
    earlier, rest = _earlier_summary(messages)
    lines = [line for message in rest for line in _digest_lines(message)]
    parts = [head_and_tail(earlier, limit_characters // 2)] if earlier else []
    room = limit_characters - sum(map(len, parts))
    return "\n".join([*parts, *_newest_within(lines, room)])


def script(messages: Sequence[Message], limit_characters: int) -> str:
    """The conversation as text, for a model to summarise; the newest part where it is long."""
    earlier, rest = _earlier_summary(messages)
    lines = [line for message in rest for line in _script_lines(message)]
    parts = [head_and_tail(earlier, limit_characters // 2)] if earlier else []
    room = limit_characters - sum(map(len, parts))
    return "\n\n".join([*parts, *_newest_within(lines, room)])


def _earlier_summary(messages: Sequence[Message]) -> tuple[str, Sequence[Message]]:
    first = messages[0].text if messages else ""
    if not first.startswith(SUMMARY_MARK):
        return "", messages
    blocks = [block.text for block in messages[0].blocks if isinstance(block, TextBlock)]
    said = blocks[0].partition("]\n\n")[2].removeprefix(_EARLIER)
    held = without_reminders(blocks[1:])
    return _EARLIER + "\n\n".join([said, *held]), messages[1:]


def _newest_within(lines: list[str], room: int) -> list[str]:
    kept: list[str] = []
    for line in reversed(lines):
        room -= len(line) + 2
        if room < 0:
            kept.append(f"[{len(lines) - len(kept)} older entries are left out]")
            break
        kept.append(line)
    return kept[::-1]


def _digest_lines(message: Message) -> list[str]:
    lines = []
    for speaker, block in _spoken(message):
        match block:
            case TextBlock(text=text):
                limit = _PROMPT_CHARACTERS if speaker == "person" else _LINE_CHARACTERS
                lines.append(f"{speaker}: {shorten(' '.join(text.split()), limit)}")
            case ToolUseBlock(name=name, input=values):
                lines.append(f"call: {name} {shorten(' '.join(str(values).split()), 120)}")
            case ToolResultBlock(content=content, is_error=True):
                lines.append(f"failed: {shorten(' '.join(content.split()), _LINE_CHARACTERS)}")
            case _:
                pass  # results that went well are on the disk, reasoning has served its turn
    return lines


def _script_lines(message: Message) -> list[str]:
    lines = []
    for speaker, block in _spoken(message):
        match block:
            case TextBlock(text=text):
                lines.append(f"{speaker}: {head_and_tail(text, 4 * _RESULT_CHARACTERS)}")
            case ToolUseBlock(name=name, input=values):
                lines.append(f"call: {name} {head_and_tail(str(values), _RESULT_CHARACTERS)}")
            case ToolResultBlock(content=content, is_error=is_error):
                word = "failed" if is_error else "result"
                lines.append(f"{word}: {head_and_tail(content, _RESULT_CHARACTERS)}")
            case ReasoningBlock():
                pass  # it has served its turn
    return lines


def _spoken(message: Message) -> list[tuple[str, Block]]:
    """The blocks with who speaks; a goal's opening ends with the person's own words, after
    the engine's, which the next goal gets anew."""
    texts = [block for block in message.blocks if isinstance(block, TextBlock)]
    if message.role == "assistant":
        return [("model", block) for block in message.blocks]
    if len(texts) > 1 and len(texts) == len(message.blocks):
        return [("person", texts[-1])]
    return [
        ("engine" if len(texts) == len(message.blocks) else "person", block)
        for block in message.blocks
    ]
