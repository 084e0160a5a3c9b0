"""The tree as it was when a goal began, taken beside the first model call."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from agent_cockpit.errors import SnapshotFailed, WorkspaceError
from agent_cockpit.transcript.wording import some_paths

T = TypeVar("T")

SnapshotRef = Any
"""A snapshot, opaque to the engine."""


class ChangedFile(Protocol):
    """One path that differs."""

    @property
    def path(self) -> str: ...
    @property
    def status(self) -> Any: ...
    @property
    def added(self) -> int | None: ...
    @property
    def removed(self) -> int | None: ...


class SnapshotPort(Protocol):
    """What the engine asks of `workspace.time_machine`; blocking calls, run in threads."""

    @property
    def kind(self) -> str: ...

    def take(self, label: str = "", *, cancelled: Callable[[], bool]) -> SnapshotRef: ...
    def diff(self, before: SnapshotRef, after: SnapshotRef | None = None) -> str: ...
    def changed_paths(
        self, before: SnapshotRef, after: SnapshotRef | None = None
    ) -> Sequence[ChangedFile]: ...
    def diff_head(self) -> str: ...
    def first_of_all(self) -> SnapshotRef | None: ...
    def remember(self, path: str) -> None: ...
    def restore(self, snapshot: SnapshotRef, paths: Iterable[str]) -> tuple[str, ...]: ...
    def touched(self) -> set[str]: ...
    def changed_folders(self, before: SnapshotRef, after: SnapshotRef) -> Sequence[ChangedFile]: ...
    def changed_ignored(
        self, before: SnapshotRef, after: SnapshotRef, was_then: Callable[[int], bool]
    ) -> tuple[str, ...]: ...
    def recall(self, ref: str) -> SnapshotRef: ...
    def move(
        self, now: SnapshotRef, to: SnapshotRef, paths: Iterable[str]
    ) -> tuple[tuple[str, ...], dict[str, str]]: ...


@dataclass(frozen=True, slots=True)
class Span:
    """Two snapshots, whose `ref` outlives the process, and what differs between them: files,
    and folders with nothing in them."""

    before: SnapshotRef
    after: SnapshotRef
    changed: tuple[ChangedFile, ...]
    folders: tuple[ChangedFile, ...] = ()


class Baseline:
    """Takes the goal's first snapshot off the loop and measures against it.

    The first model call never waits for it, the first mutating call does. `failure` holds
    the reason when none could be taken: then diffs are empty and the person is told.
    """

    def __init__(self, snapshots: SnapshotPort, *, label: str) -> None:
        self.begun_ns = 0
        """When it was begun, by the machine's clock; 0 before that."""
        self._snapshots = snapshots
        self._label = label
        self._taking: asyncio.Task[SnapshotRef | None] | None = None
        self._snapshot: SnapshotRef | None = None
        self._given_up = threading.Event()
        self.failure: str | None = None

    def begin(self) -> None:
        """Start taking it; harmless when repeated."""
        if self._taking is None:
            self.begun_ns = time.time_ns()
            self._taking = asyncio.create_task(self._take())

    async def ready(self) -> SnapshotRef | None:
        """The snapshot, waited for; None when it failed."""
        self.begin()
        assert self._taking is not None
        return await asyncio.shield(self._taking)

    async def ref(self) -> str:
        """The snapshot's name that outlives the process; empty without a snapshot."""
        snapshot = await self.ready()
        return "" if snapshot is None else str(snapshot.ref)

    async def give_up(self) -> None:
        """Stop taking it, and return when that has stopped; for a sitting that is closed."""
        self._given_up.set()
        if self._taking is not None:
            await asyncio.wait({self._taking})

    async def remember(self, paths: tuple[str, ...]) -> None:
        """Keep what these paths hold now, also where the snapshot ignores them."""
        await self.ready()
        for path in paths:
            await in_thread(self._snapshots.remember, path)

    def diff_now(self) -> str:
        """The diff to now, blocking, for callers without a loop; empty before it was taken."""
        if self._snapshot is None:
            return ""
        return self._snapshots.diff(self._snapshot)

    async def changes(self) -> tuple[str, tuple[str, ...]]:
        """Unified diff from the goal's start to now, and the paths that differ, relative to
        the workspace; both empty without a snapshot."""
        snapshot = await self.ready()
        if snapshot is None:
            return "", ()
        return await in_thread(self._compare, snapshot)

    async def changed(self) -> tuple[ChangedFile, ...]:
        """What differs from the goal's start, path by path; nothing without a snapshot."""
        snapshot = await self.ready()
        return () if snapshot is None else await in_thread(self._changed, snapshot)

    async def span(self) -> Span | None:
        """From the goal's start to now, in two snapshots that are kept; None without the first."""
        snapshot = await self.ready()
        return None if snapshot is None else await in_thread(self._span, snapshot)

    async def touched(self) -> set[str]:
        """Files that may have changed since the last snapshot."""
        return await in_thread(self._snapshots.touched)

    async def unseen(self, span: Span, was_then: Callable[[int], bool]) -> list[str]:
        """What no snapshot sees of what commands did at these times (ns), in words."""
        if self._snapshots.kind == "copies":
            return ["what its commands changed is not known without git"]
        found = await in_thread(self._snapshots.changed_ignored, span.before, span.after, was_then)
        return [f"{some_paths(found)} (ignored)"] if found else []

    async def put_back(self, paths: Sequence[str]) -> tuple[str, ...]:
        """Make exactly these paths as they were when the goal began; those that this changed.

        What they held until now is in a snapshot that is taken first. Raises `RestoreFailed`
        when some of them could not be put back.
        """
        snapshot = await self.ready()
        if snapshot is None:
            return ()
        return await in_thread(self._put_back, snapshot, tuple(paths))

    def _span(self, before: SnapshotRef) -> Span:
        now = self._snapshots.take(f"{self._label} (end)", cancelled=self._given_up.is_set)
        changed = tuple(self._snapshots.changed_paths(before, now))
        return Span(before, now, changed, tuple(self._snapshots.changed_folders(before, now)))

    def _changed(self, before: SnapshotRef) -> tuple[ChangedFile, ...]:
        return tuple(self._snapshots.changed_paths(before))

    def _put_back(self, before: SnapshotRef, paths: tuple[str, ...]) -> tuple[str, ...]:
        self._snapshots.take(
            f"{self._label} (before putting back)", cancelled=self._given_up.is_set
        )
        return self._snapshots.restore(before, paths)

    def _compare(self, before: SnapshotRef) -> tuple[str, tuple[str, ...]]:
        now = self._snapshots.take(f"{self._label} (now)", cancelled=self._given_up.is_set)
        found = self._snapshots.changed_paths(before, now)
        return self._snapshots.diff(before, now), tuple(sorted(change.path for change in found))

    def _first(self) -> SnapshotRef:
        return self._snapshots.take(self._label, cancelled=self._given_up.is_set)

    async def _take(self) -> SnapshotRef | None:
        try:
            self._snapshot = await in_thread(self._first)
            return self._snapshot
        except WorkspaceError as error:
            self.failure = str(error)
            return None


async def in_thread(work: Callable[..., T], *given: Any) -> T:
    """Blocking `work`; what a disk refuses on the way is a snapshot that failed."""
    try:
        return await asyncio.to_thread(work, *given)
    except OSError as error:
        raise SnapshotFailed(f"the snapshots of this sitting cannot be used: {error}") from error
