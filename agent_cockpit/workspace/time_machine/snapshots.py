"""The time machine of a sitting: record the tree, compare, and put named files back.

Law: the user's repository, index, refs and settings are never written, and a snapshot is
either whole or an error, never stale.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from agent_cockpit.errors import OutsideWorkspace, RestoreFailed, SnapshotFailed
from agent_cockpit.text import clean_line
from agent_cockpit.workspace.cancellation import never
from agent_cockpit.workspace.git import Git
from agent_cockpit.workspace.own_places import OwnPlaces
from agent_cockpit.workspace.time_machine.comparing import changes_between, diff_between
from agent_cockpit.workspace.time_machine.file_copies import CopyStore
from agent_cockpit.workspace.time_machine.file_facts import (
    content_of,
    facts_of,
    git_mode,
    is_kept_kind,
    unusual_permissions,
)
from agent_cockpit.workspace.time_machine.folders import SIGN, all_folders, changed_folders
from agent_cockpit.workspace.time_machine.git_store import GitStore
from agent_cockpit.workspace.time_machine.head_diff import diff_head
from agent_cockpit.workspace.time_machine.ignored_changes import changed_ignored
from agent_cockpit.workspace.time_machine.moving import Side, move
from agent_cockpit.workspace.time_machine.private_git import PrivateGit
from agent_cockpit.workspace.time_machine.put_back import Wanted, put_back
from agent_cockpit.workspace.time_machine.snapshot_records import (
    FirstSight,
    Snapshot,
    SnapshotRecords,
)
from agent_cockpit.workspace.time_machine.snapshot_store import (
    Cancelled,
    Capture,
    ChangedPath,
    Entry,
    SnapshotStore,
)
from agent_cockpit.workspace.time_machine.store_keeping import claim

MAX_FILE_BYTES = 5_000_000
"""Larger files are noticed when they change, but their content is not kept."""


class Snapshots:
    """Owns the snapshots below `store`, a private folder outside the workspace. `own` are
    places of ours that no snapshot looks at; where they lie in the workspace, so may the store.

    Methods block for as long as git does, and may be called from any thread, one at a
    time doing its work. A store that was used before is carried on.
    """

    kind: Literal["git", "copies"]
    """What undo and diffs rest on: every file, or only those that edits named."""

    def __init__(
        self,
        root: Path,
        store: Path,
        *,
        max_file_bytes: int = MAX_FILE_BYTES,
        git: str | None = "git",
        own: Iterable[Path] = (),
    ) -> None:
        self.root = root.resolve()
        self._folder = store.resolve()
        places = tuple(place.resolve() for place in own)
        is_own = any(self._folder.is_relative_to(place) for place in places)
        if self._folder.is_relative_to(self.root) and not is_own:
            raise SnapshotFailed(
                f"the store of snapshots `{store}` must not lie inside the workspace"
            )
        program = Git(git) if git else None
        self._git = program if program and program.works() else None
        self.kind = "git" if self._git else "copies"
        self._own = OwnPlaces(self.root, places)
        private = self._folder / "git"
        self._store: SnapshotStore = (
            GitStore(PrivateGit(self._git, self.root, private, own=self._own), max_file_bytes)
            if self._git
            else CopyStore(self.root, self._folder / "copies", max_file_bytes)
        )
        self._max_file_bytes = max_file_bytes
        self._lock = threading.RLock()
        self._claim: weakref.finalize[..., Snapshots] | None = None
        self._records = SnapshotRecords(self._folder / f"{self.kind}-snapshots")
        self._first_sights = self._records.load_sights()
        self._completed: dict[int, Capture] = {}
        self._taken = self._records.last_number()
        self._is_carried_on = self._taken > 0

    def take(self, label: str = "", *, cancelled: Cancelled = never) -> Snapshot:
        """Record the workspace as it is now; raises `SnapshotFailed` rather than half of it."""
        with self._lock:
            snapshot = self._look(label, cancelled)
            self._taken = snapshot.number
            self._records.save(snapshot)
            return snapshot

    def load(self, snapshot_id: str) -> Snapshot:
        """A snapshot of this store by its id, also one of an earlier process."""
        return self._records.load(snapshot_id)

    def recall(self, ref: str) -> Snapshot:
        """The snapshot that an earlier `Snapshot.ref` names; `SnapshotFailed` when it is gone."""
        return self._records.recall(ref)

    def first_of_all(self) -> Snapshot | None:
        """The first snapshot of a store that an earlier process used; None in a new one, or
        where it cannot be read any more."""
        try:
            return self.load("1") if self._is_carried_on else None
        except SnapshotFailed:
            return None

    def remember(self, path: str) -> None:
        """Keep `path` as it is before its first edit, so that even an ignored file can be undone.

        From now on every snapshot holds it; those before count as having held it as it is
        now. A path that snapshots hold anyway changes nothing.
        """
        with self._lock:
            full = self.root / path
            name = self._name(str(full.parent.resolve() / full.name))
            if name in self._first_sights or not self._store.left_out([name]):
                return
            self._make_private()
            self._first_sights[name] = self._first_sight(name)
            self._completed.clear()
            self._records.save_sights(self._first_sights)

    def left_out(self, paths: Iterable[str]) -> tuple[str, ...]:
        """Those of `paths` that no snapshot takes, being ignored and not remembered.

        What a command does to them cannot be undone, and whoever asks for it says so.
        """
        with self._lock:
            names = {self._name(path): path for path in paths}
            unseen = self._store.left_out(names.keys() - self._first_sights.keys())
            return tuple(path for name, path in sorted(names.items()) if name in unseen)

    def changed_paths(
        self, before: Snapshot, after: Snapshot | None = None
    ) -> tuple[ChangedPath, ...]:
        """What differs, sorted by path; None compares with the workspace as it is now.

        A file that `before` passed over as ignored is no change of anybody's when a later
        snapshot finds it.
        """
        with self._lock:
            old, new = self._complete(before), self._complete(after or self._look())
            return tuple(changes_between(self._store, old, new, self._first_sights).values())

    def diff(self, before: Snapshot, after: Snapshot | None = None) -> str:
        """The unified diff with `a/` and `b/` names relative to the workspace.

        Changes whose content is not kept are named in git's words for binary files. The
        text is as the files are: clean it before a person sees it.
        """
        with self._lock:
            old, new = self._complete(before), self._complete(after or self._look())
            changes = changes_between(self._store, old, new, self._first_sights)
            return diff_between(self._store, old, new, changes)

    def touched(self) -> set[str]:
        """Files known to the last snapshot whose times say that they may be others now; takes
        no snapshot, and far less time than one."""
        with self._lock:
            return self._store.touched()

    def changed_folders(self, before: Snapshot, after: Snapshot) -> tuple[ChangedPath, ...]:
        """Folders with nothing in them that came or went; their names end in a slash."""
        with self._lock:
            return changed_folders(self._store, before.capture, after.capture)

    def changed_ignored(
        self, before: Snapshot, after: Snapshot, was_then: Callable[[int], bool]
    ) -> tuple[str, ...]:
        """Ignored files and folders that are in no snapshot and in which something changed at a
        time (ns) that `was_then` says yes to, or that are gone; as far as a look at times tells."""
        was, now = (
            each.capture.passed_over - self._first_sights.keys() for each in (before, after)
        )
        return changed_ignored(self.root, was, now, was_then)

    def diff_head(self) -> str:
        """The working tree, untracked files included, against the user's last commit.

        Limited to the workspace; empty without a repository, a commit or a git program.
        """
        if self._git is None:
            return ""
        with self._lock:
            self._make_private()
            return diff_head(self._git, self.root, self._folder / "head", self._own)

    def read(self, snapshot: Snapshot, path: str) -> bytes | None:
        """What `path` held (of a link: its target); None when it was not there or not kept."""
        with self._lock:
            entry = self._store.entries(self._complete(snapshot).tree).get(self._name(path))
            return self._store.contents([entry.content])[entry.content] if entry else None

    def restore(self, snapshot: Snapshot, paths: Iterable[str]) -> tuple[str, ...]:
        """Make exactly these paths as they were, content, kind and permissions.

        Returns those that this changed. Take a snapshot first: then this can be undone
        too. When some could not be put back, the others are, and `RestoreFailed` names both.
        """
        with self._lock:
            names = sorted({self._name(path) for path in paths})
            capture = self._complete(snapshot)
            wanted, refused = self._wanted(capture, names)
            changed, failed = put_back(self.root, wanted.values(), capture.empty_folders)
            failed |= refused
        if failed:
            raise RestoreFailed(
                _failure_text(failed), restored=changed, failed=tuple(sorted(failed))
            )
        return changed

    def move(
        self, now: Snapshot, to: Snapshot, paths: Iterable[str]
    ) -> tuple[tuple[str, ...], dict[str, str]]:
        """Make those of these paths that are still as in `now` as they are in `to`.

        Returns those that this changed, and why each other one stays. Take a snapshot first.
        """
        with self._lock:
            given = tuple(paths)
            folders = {self._name(path) for path in given if path.endswith(SIGN)}
            names = sorted({self._name(path) for path in given if not path.endswith(SIGN)})
            return move(self.root, self._side(now, names), self._side(to, names), folders)

    def _side(self, snapshot: Snapshot, names: Sequence[str]) -> Side:
        capture = self._complete(snapshot)
        files, unknown = self._wanted(capture, names)
        return Side(files, unknown, capture.empty_folders, all_folders(self._store, capture))

    def _wanted(
        self, capture: Capture, names: Sequence[str]
    ) -> tuple[dict[str, Wanted], dict[str, str]]:
        """How a capture has these paths, and why that of others is not known."""
        entries = self._store.entries(capture.tree)
        held = {name: entries[name] for name in names if name in entries}
        refused = self._unrestorable(capture, [name for name in names if name not in held])
        contents = self._store.contents({entry.content for entry in held.values()})
        wanted = {
            name: Wanted(
                name,
                contents[held[name].content] if name in held else None,
                held[name].mode if name in held else 0,
                capture.permissions.get(name),
            )
            for name in names
            if name not in refused
        }
        return wanted, refused

    def _look(self, label: str = "", cancelled: Cancelled = never) -> Snapshot:
        """The workspace as it is now, not yet counted or kept."""
        self._make_private()
        capture = self._store.capture(self._first_sights.keys(), cancelled)
        number = self._taken + 1
        return Snapshot(id=str(number), number=number, capture=capture, label=label)

    def _first_sight(self, name: str) -> FirstSight:
        path = self.root / name
        about = facts_of(path)
        if about is None or not is_kept_kind(about):
            return FirstSight(self._taken)
        try:
            content = content_of(path, about, self._max_file_bytes)
        except OSError as cause:
            raise SnapshotFailed(f"cannot keep a copy of `{clean_line(name)}`: {cause}") from cause
        if content is None:
            return FirstSight(self._taken, mark=(about.st_size, about.st_mtime_ns))
        entry = Entry(git_mode(about.st_mode), self._store.put(content))
        return FirstSight(self._taken, entry, unusual_permissions(about))

    def _complete(self, snapshot: Snapshot) -> Capture:
        """What the snapshot holds, completed by what was remembered after it was taken."""
        capture = snapshot.capture
        late = {
            path: sight
            for path, sight in self._first_sights.items()
            if sight.number >= snapshot.number
        }
        if not late:
            return capture
        if snapshot.number not in self._completed:
            entries = {path: sight.entry for path, sight in late.items() if sight.entry}
            bits = {path: sight.permissions for path, sight in late.items() if sight.permissions}
            marks = {path: sight.mark for path, sight in late.items() if sight.mark}
            self._completed[snapshot.number] = replace(
                capture,
                tree=self._store.edited(capture.tree, entries) if entries else capture.tree,
                permissions={**capture.permissions, **bits},
                skipped={**capture.skipped, **marks},
            )
        return self._completed[snapshot.number]

    def _unrestorable(self, capture: Capture, names: Collection[str]) -> dict[str, str]:
        """Why those of `names`, none of which is in the tree, must be left as they are."""
        unseen = self._store.left_out([name for name in names if name not in self._first_sights])
        reasons = {}
        for name in names:
            if name in capture.skipped:
                reasons[name] = "its content was too large or unreadable to be kept"
            elif name in unseen or (name not in self._first_sights and capture.passes_over(name)):
                reasons[name] = "no snapshot looked at it"
        return reasons

    def _name(self, path: str) -> str:
        """A path as snapshots know it: relative to the workspace, no dots, forward slashes."""
        full = os.path.normpath(self.root / path)
        name = os.path.relpath(full, self.root).replace(os.sep, "/")
        parts = name.split("/")
        if name == "." or ".." in parts or any(part.lower() == ".git" for part in parts):
            raise OutsideWorkspace(f"`{clean_line(path)}` is no file of the workspace")
        return name

    def _make_private(self) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._folder.chmod(0o700)
            if self._claim is None:
                self._claim = weakref.finalize(self, os.close, claim(self._folder))
        except OSError as cause:
            raise SnapshotFailed(f"cannot open the store of snapshots: {cause}") from cause


def _failure_text(failed: Mapping[str, str]) -> str:
    shown = [f"`{clean_line(path)}` ({reason})" for path, reason in sorted(failed.items())][:5]
    more = f" and {len(failed) - len(shown)} more" if len(failed) > len(shown) else ""
    return f"could not put back {', '.join(shown)}{more}"
