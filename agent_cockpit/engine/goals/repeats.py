"""Calls that a goal makes again although nothing changed in between.

Law: a call is a repeat only if its input, the tree and its result are those of the last time;
running the tests again after an edit is none.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass

from agent_cockpit.events.messages import ToolUseBlock
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.tools.protocol import ToolResult

ASKS_AFTER_A_NO = 2
"""How often a person is asked about exactly the same call: once more after a no, since they
may think better of it, and then not again until something changes."""


@dataclass(frozen=True, slots=True)
class _Seen:
    result: str
    times: int


class Repeats:
    """Owns what one goal has called since the tree last changed."""

    def __init__(self) -> None:
        self._seen: dict[str, _Seen] = {}
        self._denied: dict[str, tuple[int, str]] = {}

    def ran(self, call: ToolUseBlock, facts: CallFacts, result: ToolResult) -> int:
        """Take in a call that ran; how often it has now been made with nothing changed, 1
        for the first time."""
        key, shape = _key(call), _shape(result)
        known = self._seen.get(key)
        changed = bool(result.diff)
        if known is not None and known.result == shape and not changed:
            self._seen[key] = _Seen(shape, known.times + 1)
            return known.times + 1
        if changed or result.files_changed or (facts.command is not None and facts.mutates):
            self.forget()
        self._seen[key] = _Seen(shape, 1)
        return 1

    def denied(self, call: ToolUseBlock, why: str) -> None:
        """A person said no to the call."""
        times, _ = self._denied.get(_key(call), (0, ""))
        self._denied[_key(call)] = (times + 1, why)

    def refusal(self, call: ToolUseBlock) -> str | None:
        """Why a person is not asked about the call once more, None while they are."""
        times, why = self._denied.get(_key(call), (0, ""))
        if times < ASKS_AFTER_A_NO:
            return None
        because = f" ({why})" if why else ""
        return (
            f"Not asked again: the person denied exactly this call {times} times{because} and "
            "nothing has changed since. Go another way, or say what you cannot do without it."
        )

    def forget(self) -> None:
        """The tree changed, or the person spoke: every call may come out differently now."""
        self._seen.clear()
        self._denied.clear()


def repeat_remark(times: int) -> str:
    """What the model is told below the result of a repeat."""
    return (
        f"[Call number {times} with this very input, and nothing has changed since the first: "
        "the result is the same. Use it, change something, or try another way.]"
    )


def _key(call: ToolUseBlock) -> str:
    told = json.dumps([call.name, call.input], sort_keys=True, default=repr)
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


_TIMING = re.compile(r"\d+(?:\.\d+)?\s*(?:ms|s|sec|secs|seconds?)\b|0x[0-9a-fA-F]+|\d+:\d\d")
"""What differs from run to run of a program that came to the same."""


def _shape(result: ToolResult) -> str:
    text = _TIMING.sub("#", f"{result.exit_code}\n{result.error or ''}\n{result.content}")
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
