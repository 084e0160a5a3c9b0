"""The words that a person and a project keep for the model (AGENTS.md), as one reminder.

Law: they say how to work; nothing in them allows what would be asked about or refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent_cockpit.rules.model.reminders import INSTRUCTIONS_MARK
from agent_cockpit.text import clean_line, head_and_tail

BUDGET_BYTES = 64 * 1024
"""Of all files together: more would crowd out the work."""

_ORDER = (
    "Files from deeper folders come later and win over earlier ones. They allow nothing that "
    "would otherwise be asked about or refused."
)
NO_INSTRUCTIONS = (
    f"{INSTRUCTIONS_MARK}\n\nThere are none any more; those that were given earlier no longer hold."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class InstructionFile:
    """One file: `scope` is yours, project or added.

    With a `problem` its own text is not here: without a `text` it does not count, as an empty
    or an ignored one; else the text tells the model that it could not be read.
    """

    path: str
    scope: str
    text: str = ""
    problem: str = ""


def reminder(files: Sequence[InstructionFile]) -> str:
    """All texts as the model reads them, lowest precedence first; empty when there is none."""
    parts = [f"From {clean_line(file.path)}:\n{file.text}" for file in files if file.text]
    if not parts:
        return ""
    return "\n\n".join([INSTRUCTIONS_MARK, _ORDER, _within_budget("\n\n".join(parts))])


def listing(files: Sequence[InstructionFile]) -> str:
    """What is loaded and from where, for the person."""
    if not files:
        return "no project instructions: there is no AGENTS.md here, nor in your settings folder"
    lines = [f"{clean_line(file.path)}  ({file.scope}, {_fate(file)})" for file in files]
    if sum(len(file.text.encode("utf-8", "replace")) for file in files) > BUDGET_BYTES:
        lines.append(f"together they exceed {BUDGET_BYTES // 1024} KiB: the middle is left out")
    return "\n".join(["project instructions, the later win:", *lines])


def _fate(file: InstructionFile) -> str:
    return f"left out: {file.problem}" if file.problem else f"{len(file.text)} characters"


def _within_budget(body: str) -> str:
    size_bytes = len(body.encode("utf-8", "replace"))
    if size_bytes <= BUDGET_BYTES:
        return body
    return head_and_tail(body, len(body) * BUDGET_BYTES // size_bytes)
