"""What of a conversation the model is shown, so that it fits its window.

Laws: what is shown is valid (every call beside its result), begins with the system message and
ends with the newest message; what fits is shown untouched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent_cockpit.events.messages import (
    Block,
    Message,
    ReasoningBlock,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
)
from agent_cockpit.text import head_and_tail

CHARACTERS_PER_TOKEN = 4
"""A rough mean over English and code; real usage replaces it where a server reports it."""

_FEWEST_TOKENS_A_CHARACTER = 0.15
_MOST_TOKENS_A_CHARACTER = 2.0
"""Outside of these a server counts something else than what it was sent."""
_TELLING_CHARACTERS = 2_000
"""Of a shorter request mostly the server's own frame would be measured."""

_FRESH_MESSAGES = 12
"""The newest messages, whose tool results are shortened last."""
_OLD_RESULT_CHARACTERS = 600
_SHORTEST_BLOCK_CHARACTERS = 100


@dataclass(frozen=True, slots=True)
class Gauge:
    """How many tokens a character is, by the last count that a server gave."""

    tokens_per_character: float = 1 / CHARACTERS_PER_TOKEN

    def tokens(self, characters: int) -> int:
        """Tokens that so many characters will be."""
        return int(characters * self.tokens_per_character)

    def characters(self, tokens: int) -> int:
        """Characters that fit in so many tokens."""
        return int(max(0, tokens) / self.tokens_per_character)

    def learned(self, characters: int, tokens: int) -> Gauge:
        """The gauge after a server counted `tokens` for a request of `characters`."""
        if tokens <= 0 or characters < _TELLING_CHARACTERS:
            return self
        ratio = tokens / characters
        return Gauge(min(_MOST_TOKENS_A_CHARACTER, max(_FEWEST_TOKENS_A_CHARACTER, ratio)))


@dataclass(frozen=True, slots=True)
class Fitted:
    """The messages to show, and what was left out to make them fit."""

    messages: tuple[Message, ...]
    tokens: int
    shortened: int = 0
    """Blocks of which only the head and the tail are shown."""
    dropped_messages: int = 0


def size_of(messages: Sequence[Message]) -> int:
    """Characters of the messages, roughly as a server gets them."""
    return sum(_characters(message) for message in messages)


def estimate_tokens(messages: Sequence[Message], gauge: Gauge = Gauge()) -> int:
    """Tokens of the messages by their length, without the tool schemas."""
    return gauge.tokens(size_of(messages))


def fit(
    messages: Sequence[Message],
    budget_tokens: int,
    *,
    gauge: Gauge = Gauge(),
    goal_at: int | None = None,
) -> Fitted:
    """The newest part of the conversation within the budget.

    `goal_at` is where the present goal's opening stands; by default the last message that
    could be one. Step by step: old tool results are shortened, the oldest goals left out, the
    goal's own old results shortened, its old steps left out, at last every long block
    shortened. A sentence stands where messages are missing. Only a budget that not even that
    fits in is exceeded: the caller decides what that means.
    """
    tokens = estimate_tokens(messages, gauge)
    if tokens <= budget_tokens:
        return Fitted(tuple(messages), tokens)
    room = gauge.characters(budget_tokens)
    draft = _draft(messages, goal_at)
    for step in _LADDER:
        draft = step(draft, room)
        if draft.size <= room:
            break
    return Fitted(
        draft.messages,
        estimate_tokens(draft.messages, gauge),
        draft.shortened,
        draft.dropped_goals + draft.dropped_steps,
    )


def holds_results(message: Message) -> bool:
    """Whether it answers calls: a message that must stay right behind them."""
    return any(isinstance(block, ToolResultBlock) for block in message.blocks)


@dataclass(frozen=True, slots=True)
class _Draft:
    """A conversation in its parts: before the present goal, its opening, its steps."""

    system: tuple[Message, ...]
    before: tuple[Message, ...]
    opening: tuple[Message, ...]
    steps: tuple[Message, ...]
    shortened: int = 0
    dropped_goals: int = 0
    dropped_steps: int = 0

    @property
    def messages(self) -> tuple[Message, ...]:
        gap = _note(self.dropped_goals, "of this conversation")
        hole = _note(self.dropped_steps, "of this goal")
        return (*self.system, *gap, *self.before, *self.opening, *hole, *self.steps)

    @property
    def size(self) -> int:
        return size_of(self.messages)


def _draft(messages: Sequence[Message], goal_at: int | None) -> _Draft:
    if goal_at is None:
        openings = (i for i in reversed(range(len(messages))) if _may_open_a_goal(messages[i]))
        goal_at = next(openings, len(messages))
    before = messages[:goal_at]
    return _Draft(
        system=tuple(message for message in before if message.role == "system"),
        before=tuple(message for message in before if message.role != "system"),
        opening=tuple(messages[goal_at : goal_at + 1]),
        steps=tuple(messages[goal_at + 1 :]),
    )


def _note(count: int, of_what: str) -> tuple[Message, ...]:
    if not count:
        return ()
    text = f"[{count} earlier messages {of_what} are left out here: they no longer fit.]"
    return (Message.of("user", text),)


def _shorten_old_results(draft: _Draft, _: int) -> _Draft:
    fresh_before = max(0, _FRESH_MESSAGES - len(draft.steps) - len(draft.opening))
    before, cut_before = _shortened(draft.before, fresh_before, _results_only)
    steps, cut_steps = _shortened(draft.steps, _FRESH_MESSAGES, _results_only)
    count = draft.shortened + cut_before + cut_steps
    return replace(draft, before=before, steps=steps, shortened=count)


def _drop_old_goals(draft: _Draft, room: int) -> _Draft:
    places = [*_places(draft.before, _may_open_a_goal), len(draft.before)]
    count = _excess(draft, draft.before, places, room)
    return replace(draft, before=draft.before[count:], dropped_goals=count)


def _shorten_results(draft: _Draft, _: int) -> _Draft:
    steps, cut = _shortened(draft.steps, 1, _results_only)
    return replace(draft, steps=steps, shortened=draft.shortened + cut)


def _drop_old_steps(draft: _Draft, room: int) -> _Draft:
    places = _places(draft.steps, lambda message: not holds_results(message))
    count = _excess(draft, draft.steps, places, room)
    return replace(draft, steps=draft.steps[count:], dropped_steps=count)


def _shorten_all(draft: _Draft, room: int) -> _Draft:
    limit = max(_SHORTEST_BLOCK_CHARACTERS, room)
    tried = draft
    while limit >= _SHORTEST_BLOCK_CHARACTERS and tried.size > room:
        opening, in_opening = _shortened(draft.opening, 0, _any_block, limit)
        steps, in_steps = _shortened(draft.steps, 0, _any_block, limit)
        count = draft.shortened + in_opening + in_steps
        tried = replace(draft, opening=opening, steps=steps, shortened=count)
        limit //= 2
    return tried


_LADDER: tuple[Callable[[_Draft, int], _Draft], ...] = (
    _shorten_old_results,
    _drop_old_goals,
    _shorten_results,
    _drop_old_steps,
    _shorten_all,
)


def _places(messages: tuple[Message, ...], starts: Callable[[Message], bool]) -> list[int]:
    """Where the conversation may begin anew when everything before is left out."""
    return [index for index, message in enumerate(messages) if index and starts(message)]


def _excess(draft: _Draft, part: tuple[Message, ...], places: list[int], room: int) -> int:
    """How many of the part's oldest messages must go; all that may, when that is not enough."""
    excess = draft.size - room + _NOTE_CHARACTERS
    gone = reached = 0
    for place in places:
        gone += size_of(part[reached:place])
        reached = place
        if gone >= excess:
            break
    return reached


_NOTE_CHARACTERS = 120


def _shortened(
    messages: tuple[Message, ...],
    fresh: int,
    shorten: Callable[[Block, int], Block],
    limit: int = _OLD_RESULT_CHARACTERS,
) -> tuple[tuple[Message, ...], int]:
    """The messages with the blocks of all but the last `fresh` shortened, and how many were."""
    count = 0
    shorter: list[Message] = []
    for index, message in enumerate(messages):
        if index < len(messages) - fresh:
            blocks = tuple(shorten(block, limit) for block in message.blocks)
            changed = sum(old is not new for old, new in zip(message.blocks, blocks, strict=True))
            if changed:
                count += changed
                message = message.model_copy(update={"blocks": blocks})
        shorter.append(message)
    return tuple(shorter), count


def _results_only(block: Block, limit: int) -> Block:
    if isinstance(block, ToolResultBlock) and len(block.content) > limit:
        return block.model_copy(update={"content": head_and_tail(block.content, limit)})
    return block


def _any_block(block: Block, limit: int) -> Block:
    """A shorter block; reasoning that a server signed stays as it came."""
    match block:
        case ToolUseBlock(input=values) if _characters_of(block) > limit:
            return block.model_copy(update={"input": _shorter_values(values, limit)})
        case TextBlock(text=text) if len(text) > limit:
            return block.model_copy(update={"text": head_and_tail(text, limit)})
        case ReasoningBlock(text=text, signature="", raw=None) if len(text) > limit:
            return block.model_copy(update={"text": head_and_tail(text, limit)})
    return _results_only(block, limit)


def _shorter_values(values: dict[str, Any], limit: int) -> dict[str, Any]:
    return {
        name: head_and_tail(value, limit)
        if isinstance(value, str)
        else value
        if len(str(value)) <= limit
        else head_and_tail(str(value), limit)
        for name, value in values.items()
    }


def _may_open_a_goal(message: Message) -> bool:
    return message.role == "user" and not holds_results(message)


def _characters(message: Message) -> int:
    return sum(_characters_of(block) for block in message.blocks) + 16


def _characters_of(block: Block) -> int:
    match block:
        case TextBlock(text=text):
            return len(text)
        case ToolResultBlock(content=content):
            return len(content) + 48
        case ToolUseBlock(name=name, input=values, broken=broken):
            return len(name) + len(str(values)) + len(broken or "") + 64
        case ReasoningBlock(text=text, signature=signature, raw=raw):
            return len(text) + len(signature) + (len(str(raw)) if raw else 0)
