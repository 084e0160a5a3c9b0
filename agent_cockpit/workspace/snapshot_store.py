"""What a store of snapshots keeps and answers; git and plain copies both can be one."""

from __future__ import annotations

import stat
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from agent_cockpit.errors import SnapshotFailed

LINK_MODE = 0o120000

USUAL_PERMISSIONS = frozenset({0o644, 0o664, 0o755, 0o775})
"""What the usual umasks give; a tree tells them apart by the executable bit alone."""

Cancelled = Callable[[], bool]
"""Asked between steps; true ends the work with `SnapshotFailed`."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of a tree: git's mode (0o100644, 0o100755, 0o120000) and its content's id."""

    mode: int
    content: str

    @property
    def is_link(self) -> bool:
        """Whether the content is the target of a symbolic link."""
        return self.mode == LINK_MODE

    @property
    def is_executable(self) -> bool:
        """Whether it is a file that may be run."""
        return self.mode == 0o100755


Status = Literal["A", "M", "D"]
"""Added, modified (content, permissions or kind), deleted."""


@dataclass(frozen=True, slots=True)
class ChangedPath:
    """One file that differs between two snapshots.

    `path` is relative to the workspace. The line counts are None for a binary file and for
    one whose content is not kept.
    """

    path: str
    status: Status
    added: int | None = 0
    removed: int | None = 0


@dataclass(frozen=True, slots=True)
class Capture:
    """The workspace at one moment: a tree of contents, and what a tree cannot say.

    `permissions` holds the unusual ones only. `skipped` are files whose content is not
    kept (too large, unreadable, or a name that git refuses), with size and time of change
    as their mark. `empty_folders` have nothing in them at all.
    """

    tree: str
    permissions: Mapping[str, int] = field(default_factory=dict)
    skipped: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    empty_folders: frozenset[str] = frozenset()


class SnapshotStore(Protocol):
    """Keeps trees; all paths are relative to the workspace."""

    def capture(self, remembered: Collection[str], cancelled: Cancelled) -> Capture:
        """Record the workspace as it is; `remembered` paths are taken even if ignored."""
        ...

    def entries(self, tree: str) -> Mapping[str, Entry]:
        """All files of a tree."""
        ...

    def contents(self, ids: Collection[str]) -> Mapping[str, bytes]:
        """The bytes behind content ids."""
        ...

    def put(self, path: str) -> Entry | None:
        """Keep the file that is at `path` now; None when there is none to keep."""
        ...

    def with_entries(self, tree: str, added: Mapping[str, Entry]) -> str:
        """A tree like `tree` that has `added` too."""
        ...

    def is_left_out(self, path: str) -> bool:
        """Whether `capture` would pass over `path` unless it is remembered."""
        ...

    def changes(self, before: str, after: str) -> tuple[ChangedPath, ...]:
        """What differs between two trees, by path."""
        ...

    def diff(self, before: str, after: str, without: Collection[str]) -> str:
        """The unified diff of two trees, except for the paths in `without`."""
        ...


def never() -> bool:
    """The cancel question of work that nobody cancels."""
    return False


def stop_if(cancelled: Cancelled) -> None:
    """Raise `SnapshotFailed` when the work was cancelled."""
    if cancelled():
        raise SnapshotFailed("the snapshot was cancelled")


def status_of(before: object | None, after: object | None) -> Status:
    """The status of a path that differs, from what is known of it on both sides."""
    return "A" if before is None else "D" if after is None else "M"


def git_mode(mode: int) -> int:
    """A file's mode on disk as a tree's mode."""
    if stat.S_ISLNK(mode):
        return LINK_MODE
    return 0o100755 if mode & stat.S_IXUSR else 0o100644
