"""An edit of which a person allowed only some hunks.

Law: a refused hunk keeps its bytes; what is written is the file as it was with the kept
hunks, and nothing else.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from agent_cockpit.errors import ToolRefused
from agent_cockpit.rules.diff_lines import split_hunks
from agent_cockpit.workspace.editing.diffs import take_hunks
from agent_cockpit.workspace.editing.edits import PlannedEdit
from agent_cockpit.workspace.editing.replacing import LineShift
from agent_cockpit.workspace.editing.text_diff import unified_diff
from agent_cockpit.workspace.encodings import FileText, decode
from agent_cockpit.workspace.workspace import shown


def hunk_count(edit: PlannedEdit) -> int:
    """How many hunks may be taken alone; 0 where the edit is all or nothing."""
    if edit.before is None or edit.after is None:
        return 0
    count = len(split_hunks(edit.diff)[1])
    return count if count > 1 else 0


def keep_hunks(edit: PlannedEdit, kept: Collection[int]) -> PlannedEdit:
    """The edit with only these hunks of its diff, counted from 0.

    Raises `ToolRefused` where there are no such hunks to choose from.
    """
    before, after = _text(edit.before), _text(edit.after)
    if before is None or after is None or not set(kept) <= set(range(hunk_count(edit))):
        raise ToolRefused(f"the change of `{shown(edit.relative)}` cannot be made in part")
    text, shifts = take_hunks(before.text, after.text, kept)
    return replace(
        edit,
        after=_encoded(text, before, after),
        diff=unified_diff(edit.relative, before.text, text),
        shifts=tuple(LineShift(line, delta) for line, delta in shifts),
    )


def _text(content: bytes | None) -> FileText | None:
    return None if content is None else decode(content)


def _encoded(text: str, before: FileText, after: FileText) -> bytes:
    """In the file's own encoding; in that of the whole edit where the kept text needs it."""
    try:
        return before.encoding.encode(text)
    except UnicodeEncodeError:
        return after.encoding.encode(text)
