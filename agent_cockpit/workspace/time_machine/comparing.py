"""What differs between two captures, with all that their trees cannot say."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from agent_cockpit.workspace.editing.diffs import quoted
from agent_cockpit.workspace.time_machine.snapshot_store import (
    Capture,
    ChangedPath,
    SnapshotStore,
    status_of,
)


def changes_between(
    store: SnapshotStore, old: Capture, new: Capture, remembered: Collection[str]
) -> dict[str, ChangedPath]:
    """The changed paths in order.

    Leaves out what `old` passed over as ignored, unless it is `remembered`: nobody knows
    how that was, so its showing up is no change.
    """
    found = {
        change.path: change
        for change in store.changes(old.tree, new.tree)
        if change.path in remembered or not old.passes_over(change.path)
    }
    for path in {*old.permissions, *new.permissions} - found.keys():
        if old.permissions.get(path) != new.permissions.get(path):
            found[path] = ChangedPath(path, "M")
    for path in {*old.skipped, *new.skipped}:
        mark_before, mark_now = old.skipped.get(path), new.skipped.get(path)
        if mark_before != mark_now:
            seen = found.get(path)
            was_there = mark_before or (seen and seen.status != "A") or None
            is_there = mark_now or (seen and seen.status != "D") or None
            found[path] = ChangedPath(path, status_of(was_there, is_there), None, None)
    return {
        path: change
        for path, change in sorted(found.items())
        if path in remembered or not old.passes_over(path)
    }


def diff_between(
    store: SnapshotStore, old: Capture, new: Capture, changes: Mapping[str, ChangedPath]
) -> str:
    """The unified diff of `changes`, which `changes_between` gave for the same captures."""
    unkept = {*old.skipped, *new.skipped}
    hidden = {
        change.path: None
        for change in store.changes(old.tree, new.tree)
        if change.path in unkept or change.path not in changes
    }
    trees = (old.tree, new.tree)
    before, after = (store.edited(tree, hidden) if hidden else tree for tree in trees)
    text = store.diff(before, after)
    notes = [_unkept_note(changes[path]) for path in sorted(unkept & changes.keys())]
    return "".join([text, *notes, *_permission_notes(old, new, changes)])


def _unkept_note(change: ChangedPath) -> str:
    old, new = quoted(f"a/{change.path}"), quoted(f"b/{change.path}")
    head = f"diff --git {old} {new}\n"
    if change.status == "A":
        return f"{head}new file mode 100644\nBinary files /dev/null and {new} differ\n"
    if change.status == "D":
        return f"{head}deleted file mode 100644\nBinary files {old} and /dev/null differ\n"
    return f"{head}Binary files {old} and {new} differ\n"


def _permission_notes(
    old: Capture, new: Capture, changes: Mapping[str, ChangedPath]
) -> Iterator[str]:
    """Changes of permission bits that a tree does not hold, as git would word them."""
    for path in sorted({*old.permissions, *new.permissions} & changes.keys()):
        was, now = old.permissions.get(path), new.permissions.get(path)
        if changes[path].status == "M" and was != now:
            names = f"{quoted(f'a/{path}')} {quoted(f'b/{path}')}"
            modes = f"old mode {_permission_text(was)}\nnew mode {_permission_text(now)}\n"
            yield f"diff --git {names}\n{modes}"


def _permission_text(permissions: int | None) -> str:
    return "100644" if permissions is None else f"100{permissions:03o}"
