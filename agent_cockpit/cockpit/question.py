"""What a panel asks: a call that waits, or something of the sitting; values, no screen.

Law: every text here is made safe with `text.reveal`, so that a person sees all of what they
allow, also what a terminal would hide.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from agent_cockpit.text import clean_line, has_hidden, head_and_tail, reveal, shorten

Tone = Literal["plain", "strong", "muted", "added", "removed", "place", "warning"]

LINES_SHOWN = 400
"""What the summary of a call shows; `[v]` shows all of it."""
LINE_CHARS = 2_000
SUMMARY_CHARS = 100_000
WHOLE_CHARS = 400_000
"""Beyond these a text keeps its head and tail, and says what is left out."""

TIER_WORDS = {
    0: "reads",
    1: "edits in the workspace",
    2: "tests and read-only commands",
    3: "can change things",
    4: "destroys or sends out",
}


class AskedCall(Protocol):
    """A call that waits for a person, as `approval_requested` tells it."""

    @property
    def approval_id(self) -> str: ...
    @property
    def tool(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def input(self) -> Mapping[str, Any]: ...
    @property
    def tier(self) -> int | None: ...
    @property
    def grant_scope(self) -> str | None: ...
    @property
    def preview(self) -> str: ...
    @property
    def confinement(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a panel's body; `tone` says what kind of line, the panel how it looks."""

    text: str
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True)
class Option:
    """One answer: its letter, its words, and the few words that a small screen has room for.

    `answer` names it for the panel: `allow always deny` are given to whoever asked, `reason`
    and `whole` are the panel's own, other panels have further ones.
    """

    letter: str
    words: str
    answer: str
    brief: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One thing to decide. `whole` is the body that `[v]` shows, empty where there is no more.

    `weight` says how much hangs on it; `covers` what `[a]` would allow from now on, None where
    `[a]` does not apply.
    """

    question_id: str
    title: str
    body: tuple[Line, ...]
    options: tuple[Option, ...]
    weight: str = ""
    whole: tuple[Line, ...] = ()
    covers: str | None = None


def about_call(call: AskedCall) -> Question:
    """The question that a waiting call puts."""
    covers = reveal(call.grant_scope) if call.grant_scope else None
    options = [Option("y", "once", "allow", "once")]
    if covers:
        options.append(Option("a", f"always: {_in_one_line(covers)}", "always", "always"))
    options += [
        Option("n", "no", "deny", "no"),
        Option("r", "no, because…", "reason", "why"),
        Option("v", "all of it", "whole", "all"),
    ]
    return Question(
        question_id=call.approval_id,
        title=_title(call),
        weight=_weight(call.tier),
        body=tuple(_body(call)),
        options=tuple(options),
        whole=tuple(_whole(call)),
        covers=covers,
    )


def about_dirty_tree(message: str, paths: tuple[str, ...]) -> Question:
    """Whether to work on a tree with uncommitted changes, once a sitting."""
    lines = [Line(reveal(message))]
    lines += [Line(f"  {_in_one_line(path)}", "muted") for path in paths]
    return Question(
        question_id="dirty tree",
        title="there are uncommitted changes · work on top of them?",
        body=tuple(lines),
        options=(
            Option("y", "yes, for this sitting", "allow", "yes"),
            Option("n", "no, give me my prompt back", "deny", "no"),
        ),
    )


def _title(call: AskedCall) -> str:
    path = _in_one_line(str(call.input.get("path", ""))) or "a file"
    match call.tool:
        case "run_command" | "run_tests" | "run_linter":
            asks = "run a command?"
        case "str_replace" | "apply_patch":
            asks = f"change {path}?"
        case "write_file":
            asks = f"write {path}?"
        case "delete_file":
            asks = f"delete {path}?"
        case "alter_verification" | "declare_verification":
            asks = "change how done is proven?"
        case "switch_to_editing":
            asks = "go from looking to editing?"
        case _:
            asks = f"use {shorten(clean_line(call.tool), 40)}?"
    return asks


def _weight(tier: int | None) -> str:
    return "" if tier is None else f"tier {tier} · {TIER_WORDS.get(tier, 'unknown')}"


def _body(call: AskedCall) -> list[Line]:
    lines: list[Line] = []
    if any(has_hidden(text) for text in _texts(call.input)):
        lines.append(Line("! holds hidden characters; they are written out", "warning"))
    command = call.input.get("command")
    if isinstance(command, str):
        first, *more = _shown(command, SUMMARY_CHARS).split("\n")
        lines.append(Line(f"$ {first}", "strong"))
        lines += [Line(f"  {line}", "strong") for line in more]
    is_diff = _is_diff(call.preview)
    if not is_diff and not isinstance(command, str):
        lines += _fields(call.input)
    if call.reason:
        lines += [Line(line, "muted") for line in reveal(call.reason).split("\n")]
    if call.confinement:
        lines.append(Line(_in_one_line(call.confinement), _tone_of(call.confinement)))
    if call.preview and not _says_it_again(call.preview, command):
        lines.append(Line(""))
        shown = _shown(call.preview.rstrip("\n"), SUMMARY_CHARS).split("\n")
        if shown[0].startswith("--- ") and shown[1:2] and shown[1].startswith("+++ "):
            del shown[:2]  # the title names the file
        lines += [Line(line, diff_tone(line) if is_diff else "muted") for line in shown]
    return _short(lines)


def _whole(call: AskedCall) -> list[Line]:
    lines = [Line(f"{shorten(clean_line(call.tool), 80)} with", "muted")]
    for name, value in call.input.items():
        text = value if isinstance(value, str) else _as_json(value)
        lines.append(Line(f"{_in_one_line(str(name))}:", "place"))
        lines += [Line(f"  {line}") for line in _shown(text, WHOLE_CHARS).split("\n")]
    return lines


def _fields(values: Mapping[str, Any]) -> list[Line]:
    lines: list[Line] = []
    for name, value in values.items():
        text = value if isinstance(value, str) else _as_json(value)
        first, *more = _shown(text, SUMMARY_CHARS).split("\n")
        lines.append(Line(f"{_in_one_line(str(name))}: {first}", "strong"))
        lines += [Line(f"  {line}") for line in more]
    return lines


def diff_tone(line: str) -> Tone:
    """What kind of line of a unified diff this is."""
    if line.startswith(("+++", "---", "diff ", "index ", "new file", "deleted file")):
        return "muted"
    if line.startswith("@@"):
        return "place"
    if line.startswith("+"):
        return "added"
    return "removed" if line.startswith("-") else "plain"


def _tone_of(confinement: str) -> Tone:
    """What goes beyond the workspace without network is said more loudly."""
    more = ("no sandbox", "with network", "outside", "anywhere")
    return "warning" if any(word in confinement for word in more) else "muted"


def _says_it_again(preview: str, command: Any) -> bool:
    """Whether the analysed parts of a command are just the command, with its reason."""
    first, *more = preview.strip().split("\n")
    return isinstance(command, str) and first.strip() == command.strip() and len(more) <= 1


def _is_diff(preview: str) -> bool:
    return preview.startswith(("--- ", "diff ", "@@ ")) or "\n@@ " in preview


def _short(lines: list[Line]) -> list[Line]:
    shown = [
        Line(_cut(line.text), line.tone) if len(line.text) > LINE_CHARS else line
        for line in lines[:LINES_SHOWN]
    ]
    if left_out := len(lines) - len(shown):
        shown.append(Line(f"… {left_out} more lines: [v] shows all of it", "warning"))
    return shown


def _cut(text: str) -> str:
    return f"{text[:LINE_CHARS]}… {len(text) - LINE_CHARS} more characters: [v] shows all of it"


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for item in value.values() for text in _texts(item)]
    if isinstance(value, list | tuple):
        return [text for item in value for text in _texts(item)]
    return []


def _shown(text: str, budget: int) -> str:
    return reveal(head_and_tail(text, budget))


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


def _in_one_line(text: str) -> str:
    return reveal(text).replace("\n", "␊").replace("\t", "␉")
