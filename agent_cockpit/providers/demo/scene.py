"""What a conversation has come to, as the scripted demo model sees it.

Law: a scene is made of the messages alone, so a resumed conversation goes on where it was.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent_cockpit.events.messages import Message, TextBlock, ToolResultBlock, ToolUseBlock
from agent_cockpit.providers.protocol import ModelRequest
from agent_cockpit.text import clean_line, shorten

PLAN_HEAD = "## Plan"
EDITS = ("str_replace", "write_file", "delete_file")

_OPENING = "Goal kind:"
"""The engine's instructions begin so; they stand before the words of the person."""
_DENIED = re.compile(
    r"\b(?:deni(?:ed|al)|refus\w+|declin\w+|reject\w+|not allowed|not permitted|said no"
    r"|plan mode)\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:denied|reason)\b[^:.\n]*:\s*(?:reason:\s*)?(.+?)(?:\s*It was not run\b.*)?$",
    re.IGNORECASE | re.DOTALL,
)
_REVISION = re.compile(
    r"(?:with this note|revision[^:\n]*):\s*(.+?)(?=\n\s*\n|\nRefused earlier|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_MARK = re.compile(r"^[^\n]*the person (?:wrote|added|says?):\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Done:
    """One call and what came of it."""

    name: str
    input: dict[str, object]
    content: str
    is_error: bool

    @property
    def ok(self) -> bool:
        """Whether it ran."""
        return not self.is_error

    @property
    def denied(self) -> bool:
        """Whether somebody said no, as opposed to an attempt that failed."""
        return self.is_error and bool(_DENIED.search(self.content))

    @property
    def reason(self) -> str:
        """Why somebody said no, in their words; empty when they gave no reason."""
        match = _REASON.search(self.content)
        said = match[1] if match else ""
        return shorten(clean_line(said).strip(" .\"'“”"), 200)

    def field(self, name: str) -> str:
        """An input field as text."""
        return str(self.input.get(name, ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """`asked` is the prompt in work, `calls` what was done for it, `before` what was done
    earlier; `rejections` are the engine's objections to an answer, `remarks` what the person
    added meanwhile (`just_said`: since the last reply), `rules` all that was told besides.

    `note` asks for another version of `last_plan`."""

    mode: str
    offered: frozenset[str]
    asked: str
    calls: tuple[Done, ...] = ()
    before: tuple[Done, ...] = ()
    rejections: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    just_said: str = ""
    rules: str = ""
    note: str = ""
    last_plan: str = ""
    call_count: int = 0

    @property
    def all_calls(self) -> tuple[Done, ...]:
        """Every call of the conversation, oldest first."""
        return (*self.before, *self.calls)

    def tried(self, *names: str) -> bool:
        """Whether one of these tools was called for this prompt, whatever came of it."""
        return any(call.name in names for call in self.calls)

    def ran(self, command: str) -> bool:
        """Whether this command was proposed for this prompt."""
        return any(call.field("command") == command for call in self.calls)

    def denied(self, *names: str) -> Done | None:
        """The last call of these tools that somebody said no to."""
        return next((c for c in reversed(self.calls) if c.name in names and c.denied), None)

    def can(self, name: str) -> bool:
        """Whether the engine offers this tool now (with no list, everything is offered)."""
        return not self.offered or name in self.offered

    def touched(self, path: str) -> bool:
        """Whether an edit of this file was proposed for this prompt, whatever came of it."""
        return any(c.name in EDITS and c.field("path") == path for c in self.calls)

    @property
    def edits(self) -> tuple[Done, ...]:
        """The edits that were made for this prompt."""
        return tuple(call for call in self.calls if call.name in EDITS and call.ok)

    def file(self, path: str) -> str | None:
        """The newest text of a file that was read for this prompt and not edited since; None: look
        first. Between two prompts anybody may have changed it, and /undo too."""
        for call in reversed(self.calls):
            if call.ok and call.field("path") == path:
                return call.content if call.name == "read_file" else None
        return None


def scene_of(request: ModelRequest) -> Scene:
    """Read the whole request once, oldest message first."""
    messages = request.messages
    opening = _opening(messages)
    results = {
        block.call_id: block
        for message in messages
        for block in message.blocks
        if isinstance(block, ToolResultBlock)
    }
    before = [_done(call, results) for message in messages[:opening] for call in message.calls]
    calls = [_done(call, results) for message in messages[opening:] for call in message.calls]
    asked = _words_of_person(messages[opening]) if opening < len(messages) else ""
    rules = messages[opening].text if opening < len(messages) else ""
    later = [m for m in messages[opening + 1 :] if m.role == "user" and m.text]
    remarks: list[str] = []
    rejections: list[str] = []
    for message in later:
        (remarks if _has_results(message) else rejections).append(_MARK.sub("", message.text))
    notes = _REVISION.findall(rules)
    return Scene(
        mode=request.mode,
        offered=frozenset(tool.name for tool in request.tools),
        asked=asked,
        calls=tuple(call for call in calls if call is not None),
        before=tuple(call for call in before if call is not None),
        rejections=tuple(rejections),
        remarks=tuple(remarks),
        rules=rules,
        note=clean_line(notes[-1]) if notes else "",
        just_said=remarks[-1] if remarks and messages[-1].text else "",
        last_plan=_last_plan(messages),
        call_count=len(before) + len(calls),
    )


def _opening(messages: tuple[Message, ...]) -> int:
    """Where the prompt in work stands: the last message that begins with the engine's
    instructions; without any, the last that brings text and no tool results (for such text
    steers a goal that runs)."""
    prompts = [
        index
        for index, message in enumerate(messages)
        if message.role == "user" and message.text.strip() and not _has_results(message)
    ]
    marked = [index for index in prompts if messages[index].text.startswith(_OPENING)]
    return (marked or prompts or [len(messages)])[-1]


def _words_of_person(message: Message) -> str:
    """The last block: what stands before it is the engine's and the project's."""
    said = [block.text for block in message.blocks if isinstance(block, TextBlock)]
    return said[-1] if len(said) > 1 else said[0].rsplit("\n\n", 1)[-1]


def _last_plan(messages: tuple[Message, ...]) -> str:
    plans = [m.text[m.text.index(PLAN_HEAD) :] for m in messages if PLAN_HEAD in m.text]
    return plans[-1] if plans else ""


def _has_results(message: Message) -> bool:
    return any(isinstance(block, ToolResultBlock) for block in message.blocks)


def _done(call: ToolUseBlock, results: dict[str, ToolResultBlock]) -> Done | None:
    result = results.get(call.call_id)
    if result is None:
        return None
    return Done(call.name, dict(call.input), result.content, result.is_error)
