"""What a sitting is busy with and what it has changed: values for the status."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from agent_cockpit.events.changes import ChangesMoved
from agent_cockpit.text import clean_line
from agent_cockpit.transcript.blocks import Block, CallBlock
from agent_cockpit.transcript.diffs import diff_paths, parse_diff


@dataclass(frozen=True, slots=True)
class Figures:
    """What a goal came to so far: files changed, turns, tokens, and dollars where prices are
    set."""

    files: int = 0
    turns: int = 0
    tokens: int = 0
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Job:
    """A call or a check that runs now: `label` is its verb, `subject` what it is about.

    `call_id` is empty for a check.
    """

    call_id: str
    tool: str
    label: str
    subject: str


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that edits of this sitting changed, and how many lines they added and removed,
    all of them together."""

    path: str
    added: int = 0
    removed: int = 0


def with_edit(changes: tuple[FileChange, ...], diff: str) -> tuple[FileChange, ...]:
    """The changes with those of one more edit, files in the order of their first change."""
    known = {change.path: change for change in changes}
    for file in parse_diff(diff):
        path = clean_line(file.path)
        if not path:
            continue
        kinds = [line.kind for hunk in file.hunks for line in hunk.lines]
        before = known.get(path, FileChange(path))
        known[path] = replace(
            before,
            added=before.added + kinds.count("added"),
            removed=before.removed + kinds.count("removed"),
        )
    return tuple(known.values())


MOVED = {"before": "taken back", "after": "made again"}
"""How it stands with the newest goal after that: what was proven was proven of other files."""


def with_moved(changes: tuple[FileChange, ...], event: ChangesMoved) -> tuple[FileChange, ...]:
    """The changes after a person took some back or had them made again: of the files that this
    moved, how they differ from where the sitting began."""
    known = {change.path: change for change in changes}
    now = {clean_line(change.path): change for change in event.since_start}
    for moved in event.files:
        path = clean_line(moved.path)
        if (change := now.get(path)) is None:
            known.pop(path, None)
        else:
            known[path] = FileChange(path, change.added or 0, change.removed or 0)
    return tuple(known.values())


def edits_of(blocks: Iterable[Block], path: str) -> str:
    """What the calls that changed a file did, one diff after the other; of a call that
    changed others too, all of it."""
    diffs = [block.diff for block in blocks if isinstance(block, CallBlock) and block.diff]
    return "\n".join(
        diff.rstrip("\n") for diff in diffs if path in map(clean_line, diff_paths(diff))
    )
