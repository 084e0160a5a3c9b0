"""What a store of snapshots keeps and answers; git and plain copies both can be one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from agent_cockpit.errors import SnapshotFailed

Cancelled = Callable[[], bool]
"""Asked between steps; true ends the work with `SnapshotFailed`."""

Mark = tuple[int, int]
"""Size in bytes and time of change in ns: how a file whose content is not kept is known."""

Status = Literal["A", "M", "D"]
"""Added, modified (content, permissions or kind), deleted."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of a tree: git's mode (0o100644, 0o100755, 0o120000) and its content's id."""

    mode: int
    content: str


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
    kept (too large, unreadable, or of a name that git refuses). `empty_folders` have
    nothing in them at all. `passed_over` are the ignored files and, with a slash at the
    end, the ignored folders: nothing is known of what was in them.
    """

    tree: str
    permissions: Mapping[str, int] = field(default_factory=dict)
    skipped: Mapping[str, Mark] = field(default_factory=dict)
    empty_folders: frozenset[str] = frozenset()
    passed_over: frozenset[str] = frozenset()

    def passes_over(self, path: str) -> bool:
        """Whether `path` was ignored, by itself or with a folder that it is in."""
        if path in self.passed_over:
            return True
        parts = path.split("/")
        return any("/".join(parts[:n]) + "/" in self.passed_over for n in range(1, len(parts)))


class SnapshotStore(Protocol):
    """Keeps trees; all paths are relative to the workspace."""

    def capture(self, remembered: Collection[str], cancelled: Cancelled) -> Capture:
        """Record the workspace as it is; `remembered` paths are taken even if ignored."""
        ...

    def touched(self) -> set[str]:
        """Files that a look at the disk's times tells may have changed since the last capture;
        of those that it took."""
        ...

    def entries(self, tree: str) -> Mapping[str, Entry]:
        """All files of a tree."""
        ...

    def contents(self, ids: Collection[str]) -> Mapping[str, bytes]:
        """The bytes behind content ids."""
        ...

    def put(self, content: bytes) -> str:
        """Keep bytes; returns their id."""
        ...

    def edited(self, tree: str, entries: Mapping[str, Entry | None]) -> str:
        """A tree like `tree` with these entries instead; None takes a path out."""
        ...

    def left_out(self, paths: Collection[str]) -> set[str]:
        """Those of `paths` that `capture` would pass over unless they are remembered."""
        ...

    def changes(self, before: str, after: str) -> tuple[ChangedPath, ...]:
        """What differs between two trees, by path."""
        ...

    def diff(self, before: str, after: str) -> str:
        """The unified diff of two trees."""
        ...


def stop_if(cancelled: Cancelled) -> None:
    """Raise `SnapshotFailed` when the work was cancelled."""
    if cancelled():
        raise SnapshotFailed("the snapshot was cancelled")


def status_of(before: object | None, after: object | None) -> Status:
    """The status of a path that differs, from what is known of it on both sides."""
    return "A" if before is None else "D" if after is None else "M"
