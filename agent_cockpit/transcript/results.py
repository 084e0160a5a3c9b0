"""What came of a call, said once: a tool's own summary repeats what the line says already."""

from __future__ import annotations

import re

from agent_cockpit.text import clean_line, shorten
from agent_cockpit.transcript.blocks import CallBlock
from agent_cockpit.transcript.wording import PERSON_COMMAND, call_subject, compact, count

_COMMANDS = frozenset({"run_command", "run_tests", "run_linter", PERSON_COMMAND})
_LEADING_NUMBER = re.compile(r"(?:at least )?(\d+)\b")
_LEFT_OUT = re.compile(r"^\[… \d+ of (\d+) (bytes|characters) left out …\]$", re.M)
_FRAME = re.compile(r"\[(?:exit|timed|killed|stopped)[^\]]*\]|\(no output\)")
_SHORT = 12
"""A last line this short (`OK`) says little without the one before it."""
_LIMIT = 160


def result_words(call: CallBlock) -> str:
    """What the call's line adds to its subject: how much was read or found, how tests ended."""
    subject = call_subject(call.tool, call.input)
    match call.tool:
        case "read_file" if call.state == "done":
            more = call.summary.removeprefix(f"read {subject}").lstrip(" ,·:")
            return more if more != call.summary and more else _extent(call.output)
        case "search_repo" if found := _LEADING_NUMBER.match(call.summary):
            return count(int(found[1]), "hit") + _place(call.summary)
        case "list_files" if found := _LEADING_NUMBER.match(call.summary):
            return count(int(found[1]), "file")
        case "run_command" if call.state != "refused" and call.exit_code is not None:
            return _extent(output_text(call)) if output_text(call).strip() else ""
        case "person_command":
            return _extent(output_text(call)) if output_text(call).strip() else ""
        case "run_tests" | "run_linter" if call.exit_code is not None:
            return " · ".join(part for part in (_command(call), _last_words(call)) if part)
        case _:
            says_it_again = bool(subject) and subject in call.summary
            is_short = len(call.summary) - len(subject) < _SHORT
            return "" if says_it_again and is_short else shorten(call.summary, _LIMIT)


def output_text(call: CallBlock) -> str:
    """The output without the lines that frame it: its command, `[exit 0]`, `(no output)`."""
    if call.tool not in _COMMANDS:
        return call.output
    lines = call.output.strip("\n").split("\n")
    if lines[0].startswith("$ "):
        lines = lines[1:]
    while lines and _FRAME.fullmatch(lines[-1].strip()):
        lines = lines[:-1]
    return "\n".join(lines)


def _command(call: CallBlock) -> str:
    first = call.output.split("\n", 1)[0]
    return shorten(clean_line(first[2:]), _LIMIT) if first.startswith("$ ") else ""


def _last_words(call: CallBlock) -> str:
    lines = [clean_line(line) for line in output_text(call).split("\n") if line.strip()]
    if len(lines) > 1 and len(lines[-1]) < _SHORT:
        return shorten(f"{lines[-2]} · {lines[-1]}", _LIMIT)
    return shorten(lines[-1], _LIMIT) if lines else ""


def _extent(output: str) -> str:
    """How many lines it has; of what was cut only that it has more than those that are left."""
    lines = len(output.rstrip("\n").split("\n")) if output.strip("\n") else 0
    if cut := _LEFT_OUT.search(output):
        return f"more than {lines - 1:,} lines, {compact(int(cut[1]))} {cut[2]} in all"
    return count(lines, "line")


def _place(summary: str) -> str:
    where = re.search(r"in (\d+) files?\b", summary)
    return f" in {count(int(where[1]), 'file')}" if where else ""
