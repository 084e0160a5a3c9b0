"""Answers in the shape of chat completions, whole and in the chunks of a stream."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

CallSpec = tuple[str, dict[str, Any]]
"""Name and arguments of a tool call."""


def whole_of(
    turn: int, text: str, calls: Sequence[CallSpec], usage: tuple[int, int], reason: str
) -> dict[str, Any]:
    """The answer in one piece; `turn` makes the ids of its calls unique in a conversation."""
    message: dict[str, Any] = {"role": "assistant", "content": text or None}
    if calls:
        message["tool_calls"] = [_call(turn, number, call) for number, call in enumerate(calls)]
    choice = {"index": 0, "message": message, "finish_reason": reason}
    return {"choices": [choice], "usage": _count(usage)}


def chunks_of(
    turn: int, text: str, calls: Sequence[CallSpec], usage: tuple[int, int], reason: str
) -> list[dict[str, Any]]:
    """The same answer as a stream sends it: a role, words, fragments of calls, the reason, and
    the usage in a chunk of its own."""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": None}]
    deltas += [{"content": word} for word in _words(text)]
    for number, call in enumerate(calls):
        deltas += _fragments(turn, number, call)
    chunks: list[dict[str, Any]] = [{"choices": [{"index": 0, "delta": d}]} for d in deltas]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
    chunks.append({"choices": [], "usage": _count(usage)})
    return chunks


def _call(turn: int, number: int, call: CallSpec) -> dict[str, Any]:
    function = {"name": call[0], "arguments": json.dumps(call[1])}
    return {"id": f"call_{turn}_{number}", "type": "function", "function": function}


def _fragments(turn: int, number: int, call: CallSpec) -> list[dict[str, Any]]:
    """First id and name, then the arguments in pieces, as the well-known servers do."""
    whole = _call(turn, number, call)
    arguments = whole["function"]["arguments"]
    first = whole | {"index": number, "function": {"name": call[0], "arguments": ""}}
    pieces = [arguments[at : at + 12] for at in range(0, len(arguments), 12)]
    rest = [{"index": number, "function": {"arguments": piece}} for piece in pieces]
    return [{"tool_calls": [part]} for part in (first, *rest)]


def _count(usage: tuple[int, int]) -> dict[str, int]:
    return {"prompt_tokens": usage[0], "completion_tokens": usage[1]}


def _words(text: str) -> list[str]:
    words = text.split(" ")
    return [word if n == 0 else f" {word}" for n, word in enumerate(words)] if text else []
