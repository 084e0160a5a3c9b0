"""Calls, decisions and figures in the words that people read.

Law: what comes out is one clean line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any

from agent_cockpit.text import clean_line, reveal_line, shorten

PERSON_COMMAND = "person_command"
"""The name under which a command that the person typed stands among the calls of tools."""

_LABELS = {
    PERSON_COMMAND: "you ran",
    "read_file": "read",
    "list_files": "list",
    "search_repo": "search",
    "str_replace": "edit",
    "apply_patch": "patch",
    "write_file": "write",
    "delete_file": "delete",
    "run_tests": "test",
    "run_linter": "lint",
    "run_command": "run",
    "declare_verification": "checks",
    "alter_verification": "checks",
    "switch_to_editing": "switch",
    "ask_user": "ask",
    "update_plan": "plan",
}
_SUBJECT_FIELDS = ("path", "command", "query", "pattern", "glob", "target", "reason", "url", "name")
_SUBJECT_LIMIT = 400


def in_zone(at: datetime, zone: tzinfo | None) -> datetime:
    """A time as a clock of this zone shows it, None for the machine's; one that no clock there
    can show is left as it is."""
    try:
        return at.astimezone(zone)
    except (OverflowError, ValueError, OSError):
        return at


def call_label(tool: str) -> str:
    """The verb that stands for a tool in the transcript; other tools keep their own name."""
    return _LABELS.get(tool) or shorten(clean_line(tool), 40) or "call"


def call_activity(tool: str) -> str:
    """What the engine is doing while a tool's call runs, for the status line."""
    return _ACTIVITIES.get(tool) or f"running {call_label(tool)}"


_ACTIVITIES = {
    "read_file": "reading",
    "list_files": "looking",
    "search_repo": "searching",
    "str_replace": "editing",
    "write_file": "writing a file",
    "delete_file": "deleting",
    "run_tests": "testing",
    "run_linter": "linting",
    "run_command": "running a command",
    PERSON_COMMAND: "running your command",
}


def call_subject(tool: str, tool_input: Mapping[str, Any]) -> str:
    """What the call is about: its path, command or query; else its fields in short."""
    if tool == "search_repo":
        where = _one(tool_input.get("path") or tool_input.get("glob") or "")
        query = _one(tool_input.get("query", tool_input.get("pattern", "")))
        return f'"{query}"' + (f" in {where}" if where and where != "." else "")
    if tool in ("declare_verification", "alter_verification"):
        return _checks(tool_input.get("checks"))
    for name in _SUBJECT_FIELDS:
        if value := tool_input.get(name):
            return _one(value) + _lines(tool_input.get("line_range"))
    return shorten(", ".join(f"{_one(k)}={_one(v)}" for k, v in tool_input.items()), 120)


def decided_words(
    *,
    allowed: bool,
    via: str,
    scope: str | None,
    note: str,
    covers: str | None,
    was_edited: bool,
    kept: Sequence[int] | None = None,
) -> str:
    """Who allowed or denied a call, and how far that reaches; `covers` is the grant's scope."""
    note = clean_line(note)
    if via == "grant":
        return f"not asked: {clean_line(covers or note or 'a standing grant')}"
    if via == "auto":
        if allowed:
            return f"not asked: {note}" if note else "allowed, not asked"
        return f"denied, nobody was asked{': ' + note if note else ''}"
    if not allowed:
        return f"denied by you{': ' + note if note else ''}"
    match scope:
        case "turn":
            words = "allowed by you for this goal"
        case "session":
            words = "allowed by you for this sitting"
        case "grant":
            words = f"allowed by you: {clean_line(covers or 'from now on')}"
        case _:
            words = "allowed once by you"
    if kept is not None:
        return f"{words}, {count(len(kept), 'hunk')} of it"
    return f"{words}, as edited" if was_edited else words


def end_words(status: str | None, error: str | None, reason: str) -> str:
    """Why a goal ended without success."""
    match status:
        case "cancelled":
            words = (
                "stopped" if reason in ("", "cancelled", "run cancelled") else clean_line(reason)
            )
        case "max_turns":
            words = "the limit of turns is used up"
        case "model_error":
            words = "the model could not be used"
        case "completed" | None | "":
            words = ""
        case "error":
            words = "something broke inside the engine"
        case _:
            words = clean_line(status)
    return ": ".join(part for part in (words, clean_line(error or "")) if part)


def leak_words(
    commands: Sequence[str], restored: Sequence[str], failed: Sequence[str], error: str
) -> str:
    """What planning changed although it may only read, by which commands, and what became of
    it."""
    ran = ", ".join(f"`{shorten(reveal_line(one), 120)}`" for one in commands[:3])
    by = f"planning only reads, but {ran or 'a command'}"
    by += f" or one of {len(commands) - 3} more" if len(commands) > 3 else ""
    said = []
    if restored:
        said.append(f"{by} changed {some_paths(restored)}; put back as it was")
    if failed:
        why = f" ({clean_line(error)})" if error else ""
        said.append(f"{by} changed {some_paths(failed)}, which could not be put back{why}")
    return "; ".join(said)


def stray_words(paths: Sequence[str]) -> str:
    """An edit beside the plan."""
    return f"changed beside the plan, which does not name it: {some_paths(paths)}"


def some_paths(paths: Sequence[str]) -> str:
    """The first few of many paths, safe to show."""
    shown = ", ".join(clean_line(path) for path in paths[:5])
    return shown if len(paths) <= 5 else f"{shown} and {len(paths) - 5} more"


def proof_reserve(summary: str) -> str:
    """What a verdict that passed leaves open, where its summary says so; else empty."""
    return summary if summary.startswith("nothing more is known") else ""


def verdict_words(summary: str) -> str:
    """What a verdict rests on, without the names that checks have inside the engine."""
    head, _, names = clean_line(summary).rpartition(": ")
    if head not in ("verification failed", "verification incomplete, not run to the end"):
        return clean_line(summary)
    plain = ", ".join(check_name(name, has_failed=True) for name in names.split(", "))
    return plain if head == "verification failed" else f"not run to the end: {plain}"


def check_name(name: str, *, has_failed: bool = False) -> str:
    """What a check without a command looks at, or what it found wrong."""
    holds, fails = _CHECKS.get(name, (name.replace("_", " "),) * 2)
    return fails if has_failed else holds


_CHECKS = {
    "diff_present": ("something changed", "nothing changed"),
    "no_unintended_diff": ("no file changed", "files changed that should be as before"),
    "no_secrets": ("no secret in the change", "the change holds a secret"),
    "tests_changed": ("a test changed", "no test changed"),
    "verification_contract": ("a check is known", "no check is known"),
    "change_kind_coverage": (
        "a check covers this kind of change",
        "no check covers this kind of change",
    ),
    "plan_present": ("there is a plan", "the plan is empty"),
    "answer_present": ("there is an answer", "the answer is empty"),
    "grounded_in_evidence": ("it cites what was read", "it cites no file that was read for it"),
}
"""By its name inside the engine: what a check says when it holds, and when it does not."""


def count(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def compact(number: int) -> str:
    """`950`, `2.1k`, `48k`, `1.2M`."""
    if number < 1000:
        return str(number)
    for size, unit in ((1_000_000, "M"), (1000, "k")):
        if number >= size:
            value = number / size
            return f"{value:.1f}{unit}" if value < 10 else f"{value:.0f}{unit}"
    raise AssertionError(number)


def duration(milliseconds: int, *, whole: bool = False) -> str:
    """`4 ms`, `3.2 s`, `2 m 05 s`, `1 h 02 m`; `whole` seconds change once a second."""
    if milliseconds < 1000:
        return f"{milliseconds} ms"
    seconds = milliseconds / 1000
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds < 10 and not whole else f"{seconds:.0f} s"
    minutes, rest = divmod(int(seconds), 60)
    if minutes < 60:
        return f"{minutes} m {rest:02d} s"
    return f"{minutes // 60} h {minutes % 60:02d} m"


def compaction_words(before: int, after: int, summarised: int, by: str) -> str:
    """`context: 48k → 12k tokens, 31 messages summarised by the model, kept in the record`."""
    who = "by the model" if by == "model" else "without the model"
    return (
        f"context: {compact(before)} → {compact(after)} tokens, "
        f"{count(summarised, 'message')} summarised {who}, kept in the record"
    )


def _one(value: Any) -> str:
    return shorten(clean_line(value if isinstance(value, str) else str(value)), _SUBJECT_LIMIT)


def _lines(value: Any) -> str:
    if isinstance(value, list | tuple) and len(value) == 2:
        return f":{_one(value[0])}-{_one(value[1])}"
    return ""


def _checks(value: Any) -> str:
    if not isinstance(value, list | tuple):
        return ""
    commands = (item.get("command", "") if isinstance(item, Mapping) else item for item in value)
    return shorten(" · ".join(_one(command) for command in commands), _SUBJECT_LIMIT)
