"""The unified diff of one file, from its text before and after."""

from __future__ import annotations

from agent_cockpit.workspace.editing.diffs import hunks, quoted


def unified_diff(relative: str, before: str | None, after: str | None) -> str:
    """What changes between two texts (None: no file); empty when nothing does.

    Lines end at `\\n` alone, so a carriage return is a visible part of its line.
    """
    if before == after:
        return ""
    old, new = _names(relative, before is None, after is None)
    return "".join([f"--- {old}\n+++ {new}\n", *hunks(before or "", after or "")])


def binary_diff(relative: str, *, created: bool = False, deleted: bool = False) -> str:
    """The note that stands for a change that has no lines."""
    old, new = _names(relative, created, deleted)
    return f"Binary files {old} and {new} differ\n"


def changed_counts(diff: str) -> tuple[int, int]:
    """How many lines a diff of `unified_diff` adds and removes."""
    body = diff.split("\n")[2:]
    return (
        sum(line.startswith("+") for line in body),
        sum(line.startswith("-") for line in body),
    )


def _names(relative: str, created: bool, deleted: bool) -> tuple[str, str]:
    old = "/dev/null" if created else quoted(f"a/{relative}")
    new = "/dev/null" if deleted else quoted(f"b/{relative}")
    return old, new
