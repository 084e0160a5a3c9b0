"""What files looked like while a person was asked, to tell whether they are still so.

Law: nothing here decides; it only says in words what is not as it was.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from agent_cockpit.workspace.editing.text_diff import unified_diff
from agent_cockpit.workspace.encodings import decode
from agent_cockpit.workspace.workspace import shown

MOST_PATHS = 64
MOST_BYTES = 2_000_000
"""Larger files are told apart by size and time of change."""


@dataclass(frozen=True, slots=True)
class Sight:
    """One path as it was seen: where it leads, and what is there."""

    target: str
    stamp: tuple[int, int] | None
    """Size and time of change in nanoseconds; None: no file."""
    content: bytes | None = None


def look(root: Path, paths: Iterable[str], *, contents: bool) -> dict[str, Sight]:
    """The paths as they are now; with `contents` also what is in them. Blocks."""
    return {path: _sight(root / path, contents) for path in sorted(set(paths))[:MOST_PATHS]}


def what_changed(before: dict[str, Sight], after: dict[str, Sight]) -> str:
    """In words and diffs what is not as it was; empty when all is."""
    told: list[str] = []
    for path, was in before.items():
        now = after.get(path, was)
        name = shown(path)
        if now.target != was.target:
            led, leads = shown(was.target), shown(now.target)
            told.append(f"`{name}` leads to `{leads}` now, not to `{led}`")
        elif (now.stamp is None) != (was.stamp is None):
            told.append(f"`{name}` {'is gone' if now.stamp is None else 'is there now'}")
        elif now.content != was.content or (was.content is None and _moved(was, now)):
            told.append(f"`{name}` changed{_as_diff(path, was, now)}")
    return "\n".join(told)


def _sight(path: Path, contents: bool) -> Sight:
    target = os.path.realpath(path)
    file = Path(target)
    try:
        facts = file.stat()
    except (OSError, ValueError):
        return Sight(target, None)
    if not contents:
        return Sight(target, (0, 0))
    stamp = (facts.st_size, facts.st_mtime_ns)
    if facts.st_size > MOST_BYTES or not file.is_file():
        return Sight(target, stamp)
    try:
        return Sight(target, stamp, file.read_bytes())
    except OSError:
        return Sight(target, stamp)


def _moved(was: Sight, now: Sight) -> bool:
    return was.stamp != now.stamp


def _as_diff(path: str, was: Sight, now: Sight) -> str:
    old = None if was.content is None else decode(was.content)
    new = None if now.content is None else decode(now.content)
    if old is None or new is None:
        return ""
    return f":\n{unified_diff(path, old.text, new.text)}".rstrip()
