"""The question that a waiting call puts: in plain words, all of it, with the answers that apply."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from agent_cockpit.cockpit.consent.asked import AskedCall
from agent_cockpit.cockpit.consent.diff_body import diff_body
from agent_cockpit.cockpit.consent.question import (
    ALL_OF_IT,
    SUMMARY_CHARS,
    TIER_WORDS,
    WHOLE_CHARS,
    Editable,
    Line,
    Option,
    Question,
    Tone,
    Width,
    as_json,
    shown_text,
)
from agent_cockpit.cockpit.consent.review import review
from agent_cockpit.rules.diff_lines import split_hunks
from agent_cockpit.text import clean, clean_line, has_hidden, reveal, reveal_line, shorten

LINES_SHOWN = 400
"""What the summary of a call shows; `[v]` shows all of it."""
LINE_CHARS = 2_000
CHECKS = ("run_tests", "run_linter")
"""What they run is frozen: as something else a check would prove nothing."""
SAID_BY_REASON = ("switch_to_editing",)
"""Their one argument is in the reason already."""
SAID_CHARS = 200
"""A command of more characters, or of several lines, says how long it is."""


def about_call(call: AskedCall, *, is_edited: bool = False) -> Question:
    """The question that a waiting call puts; `is_edited`: as the person changed it."""
    widths = _widths(call)
    editable = _editable(call)
    lines = _body(call)
    options = [Option("y", "once", "allow", "once")]
    if widths:
        options.append(Option("a", widths[-1].covers, "always", "always"))
    if editable is not None:
        options.append(Option("e", "edit", "edit", "edit"))
    options += [
        Option("r", "no, because…", "reason", "why"),
        Option("n", "no", "deny", "no"),
        ALL_OF_IT,
    ]
    title = _title(call)
    return Question(
        question_id=call.approval_id,
        title=f"{title}  as you changed it" if is_edited else title,
        weight=_weight(call),
        body=tuple(_short(lines)),
        options=tuple(options),
        whole=tuple(review(call, lines)),
        widths=widths,
        hunks=call.hunks if any(line.hunk >= 0 for line in lines) else 0,
        editable=editable,
        ends_late="command" in call.input,
    )


def about_calls(calls: Sequence[AskedCall]) -> Question:
    """Which of several waiting calls may run, once each; each of them is shown whole."""
    lines: list[Line] = []
    for number, call in enumerate(calls):
        weight = _weight(call)
        lines.append(Line(f"{number + 1}  {_title(call)}  {weight}", "place", number))
        lines += [_in_list(line, number) for line in _body(call)]
    return Question(
        question_id=" ".join(["all of", *(call.approval_id for call in calls)]),
        title=f"{len(calls)} calls wait · which may run?",
        body=tuple(lines),
        options=(
            Option("y", "these", "allow", "these"),
            Option("n", "back, one by one", "deny", "back"),
        ),
        whole=tuple(lines),
        hunks=len(calls),
        starts_empty=True,
        ends_late=True,
    )


def _in_list(line: Line, number: int) -> Line:
    """A line of this call, below its head."""
    if line.number >= 0:
        return replace(line, hunk=number)
    return replace(line, text=f"     {line.text}", hunk=number, hang=line.hang + 5)


def _title(call: AskedCall) -> str:
    path = reveal_line(str(call.input.get("path", ""))) or "a file"
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


def _weight(call: AskedCall) -> str:
    tier = call.tier
    words = "" if tier is None else f"tier {tier} · {TIER_WORDS.get(tier, 'unknown')}"
    return " · ".join(part for part in (words, _extent_of(call)) if part)


def _body(call: AskedCall) -> list[Line]:
    lines: list[Line] = []
    if any(has_hidden(text) for text in _texts(call.input)):
        lines.append(Line("! holds hidden characters; they are written out", "warning"))
    command = call.input.get("command")
    if isinstance(command, str):
        if len(command) > SAID_CHARS or "\n" in command:
            lines.append(Line(_extent(command), "place"))
        first, *more = shown_text(command, SUMMARY_CHARS).split("\n")
        lines.append(Line(f"$ {first}", "strong", hang=2))
        lines += [Line(f"  {line}", "strong", hang=2) for line in more]
    is_diff = _is_diff(call.preview)
    if not is_diff and not isinstance(command, str) and call.tool not in SAID_BY_REASON:
        lines += _fields(call.input)
    if call.reason and not _extent_of(call):
        lines += [Line(line, "muted") for line in reveal(call.reason).split("\n")]
    if call.confinement:
        lines.append(Line(reveal_line(call.confinement), _tone_of(call.confinement)))
    if call.preview and not _says_it_again(call.preview, command):
        if lines:
            lines.append(Line(""))
        if is_diff:
            path = reveal_line(str(call.input.get("path", "")))
            lines += _diff(call.preview, path, by_hunk=call.hunks > 1)
        else:
            shown = shown_text(call.preview.rstrip("\n"), SUMMARY_CHARS).split("\n")
            lines += [Line(line, "muted") for line in shown]
    return lines


def _diff(diff: str, path: str, *, by_hunk: bool) -> list[Line]:
    """Its lines below the header, for the title names the file."""
    if not by_hunk or len(diff) > WHOLE_CHARS:
        shown = shown_text(diff.rstrip("\n"), WHOLE_CHARS).split("\n")
        if shown[0].startswith("--- ") and shown[1:2] and shown[1].startswith("+++ "):
            del shown[:2]
        return list(diff_body(shown, path=path))
    return [
        line
        for number, hunk in enumerate(split_hunks(diff.rstrip("\n"))[1])
        for line in diff_body(reveal(hunk).split("\n"), path=path, hunk=number)
    ]


def _widths(call: AskedCall) -> tuple[Width, ...]:
    """Narrow to wide; where only the grant is told, that one."""
    wide = [each for each in call.scopes if each.scope != "once"]
    if not wide and not call.scopes and call.grant_scope:
        return (Width("grant", reveal_line(call.grant_scope)),)
    return tuple(Width(each.scope, reveal_line(each.covers), each.seen) for each in wide)


def _editable(call: AskedCall) -> Editable | None:
    """The one text of a call that matters: its command, or what an edit puts in."""
    if call.tool in CHECKS:
        return None
    for name in ("command", "new_string", "content"):
        value = call.input.get(name)
        if isinstance(value, str) and len(value) <= SUMMARY_CHARS:
            return Editable(name, clean(value), dict(call.input), name != "command")
    return None


def _fields(values: Mapping[str, Any]) -> list[Line]:
    lines: list[Line] = []
    for name, value in values.items():
        text = value if isinstance(value, str) else as_json(value)
        first, *more = shown_text(text, SUMMARY_CHARS).split("\n")
        lines.append(Line(f"{reveal_line(str(name))}: {first}", "strong", hang=2))
        lines += [Line(f"  {line}", hang=2) for line in more]
    return lines


def _extent_of(call: AskedCall) -> str:
    """How many lines an edit adds and removes, where its reason says no more than that."""
    path = re.escape(str(call.input.get("path", "")))
    said = re.fullmatch(rf"(?:changes|writes|deletes) {path} \(\+(\d+) [-−](\d+)\)", call.reason)
    return f"+{said[1]} −{said[2]}" if said and _is_diff(call.preview) else ""


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
    """As much as one reads in passing; of a command always all."""
    commanded = max((n for n, line in enumerate(lines) if line.tone == "strong"), default=0)
    shown = [
        replace(line, text=_cut(line.text))
        if len(line.text) > LINE_CHARS and line.tone != "strong"
        else line
        for line in lines[: max(LINES_SHOWN, commanded + 1)]
    ]
    if left_out := len(lines) - len(shown):
        shown.append(Line(f"… {left_out} more lines: [v] shows all of it", "warning"))
    return shown


def _extent(command: str) -> str:
    lines = command.count("\n") + 1
    return f"{len(command)} characters" + (f" in {lines} lines" if lines > 1 else "")


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
