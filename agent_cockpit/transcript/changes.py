"""Changes taken back and made again, in words."""

from __future__ import annotations

from collections.abc import Sequence

from agent_cockpit.events.changes import ChangesMoved, PathChange
from agent_cockpit.text import clean_line, shorten
from agent_cockpit.transcript.wording import count

_FILES_SHOWN = 20
"""A command may change thousands; `/diff` shows how each file is now."""
_NOW = {"A": "there again", "M": "changed back", "D": "gone again"}
_NOW_AGAIN = {"A": "made again", "M": "changed again", "D": "removed again"}


def moved_words(event: ChangesMoved) -> str:
    """What was taken back or made again, file by file, and what stays as it is."""
    is_undo = event.to == "before"
    goal = shorten(clean_line(event.goal), 60)
    folders = sum(each.path.endswith("/") for each in event.files)
    files = len(event.files) - folders
    total = " and ".join(
        [count(files, "file")] * bool(files) + [count(folders, "folder")] * bool(folders)
    )
    head = f'{"taken back" if is_undo else "made again"}: "{goal}" · {total}'
    head += f" · {'/redo makes it again' if is_undo else '/undo takes it back'}"
    now = _NOW if is_undo else _NOW_AGAIN
    lines = [
        f"{now[each.status]}: {clean_line(each.path)}{_counts(each)}"
        for each in event.files[:_FILES_SHOWN]
    ]
    stays = [
        f"left as it is: {clean_line(each.path)} ({clean_line(each.why)})"
        for each in event.left[:_FILES_SHOWN]
    ]
    unseen = [f"not taken back: {clean_line(each)}" for each in event.unseen]
    return "\n".join([head, *lines, *_more(event.files), *stays, *_more(event.left), *unseen])


def _counts(change: PathChange) -> str:
    if change.added is None or change.removed is None:
        return ""
    added = f" +{change.added}" if change.added else ""
    return f"{added} −{change.removed}" if change.removed else added


def _more(changes: Sequence[object]) -> list[str]:
    more = len(changes) - _FILES_SHOWN
    return [f"and {count(more, 'more file')}"] if more > 0 else []
