"""The time machine of a sitting: record the tree, compare, and put named files back.

Law: the user's repository, index, refs and settings are never written, and a snapshot is
either whole or an error, never stale.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from agent_cockpit.errors import OutsideWorkspace, RestoreFailed, SnapshotFailed
from agent_cockpit.text import clean_line
from agent_cockpit.workspace.diffs import quoted
from agent_cockpit.workspace.file_copies import CopyStore
from agent_cockpit.workspace.git import Git
from agent_cockpit.workspace.git_store import GitStore
from agent_cockpit.workspace.head_diff import diff_head
from agent_cockpit.workspace.put_back import Wanted, put_back
from agent_cockpit.workspace.snapshot_store import (
    Cancelled,
    Capture,
    ChangedPath,
    Entry,
    SnapshotStore,
    never,
    status_of,
)

MAX_FILE_BYTES = 5_000_000
"""Larger files are noticed when they change, but their content is not kept."""

UNKEPT = "its content was too large or unreadable, so no snapshot keeps it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The workspace at one moment; `number` counts the snapshots of a store from 1."""

    id: str
    number: int
    capture: Capture
    label: str = ""


@dataclass(frozen=True, slots=True)
class _FirstSight:
    """An otherwise unseen file as it was before anybody edited it.

    Snapshots up to `number` are taken to have held it; None: it was not there.
    """

    number: int
    entry: Entry | None = None


class Snapshots:
    """Owns the snapshots below `store`, a private folder outside the workspace.

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
    ) -> None:
        self.root = root.resolve()
        self._folder = store.resolve()
        if self._folder.is_relative_to(self.root):
            raise SnapshotFailed(
                f"the store of snapshots `{store}` must not lie inside the workspace"
            )
        program = Git(git) if git else None
        self._git = program if program and program.works() else None
        self.kind = "git" if self._git else "copies"
        self._store: SnapshotStore = (
            GitStore(self._git, self.root, self._folder / "git", max_file_bytes)
            if self._git
            else CopyStore(self.root, self._folder / "copies", max_file_bytes)
        )
        self._lock = threading.RLock()
        self._records = self._folder / f"{self.kind}-snapshots"
        self._first_sights = self._load_first_sights()
        self._completed: dict[str, str] = {}
        self._taken = max((int(p.stem) for p in self._records.glob("*.json")), default=0)

    def take(self, label: str = "", *, cancelled: Cancelled = never) -> Snapshot:
        """Record the workspace as it is now; raises `SnapshotFailed` rather than half of it."""
        with self._lock:
            capture = self._store.capture(self._first_sights.keys(), cancelled)
            self._taken += 1
            snapshot = Snapshot(
                id=str(self._taken), number=self._taken, capture=capture, label=label
            )
            self._save(self._records / f"{snapshot.id}.json", _as_json(snapshot))
            return snapshot

    def load(self, snapshot_id: str) -> Snapshot:
        """A snapshot of this store by its id, also one of an earlier process."""
        path = self._records / f"{snapshot_id}.json"
        try:
            return _from_json(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError) as cause:
            raise SnapshotFailed(
                f"there is no readable snapshot `{clean_line(snapshot_id)}`: {cause}"
            ) from cause

    def remember(self, path: str) -> None:
        """Keep `path` as it is before its first edit, so that even an ignored file can be undone.

        From now on every snapshot holds it; those before count as having held it as it is
        now. A path that snapshots hold anyway changes nothing.
        """
        with self._lock:
            full = self.root / path
            name = self._name(str(full.parent.resolve() / full.name))
            if name in self._first_sights or not self._store.is_left_out(name):
                return
            self._first_sights[name] = _FirstSight(self._taken, self._store.put(name))
            self._completed.clear()
            plain = {each: asdict(sight) for each, sight in self._first_sights.items()}
            self._save(self._folder / f"{self.kind}-remembered.json", plain)

    def changed_paths(
        self, before: Snapshot, after: Snapshot | None = None
    ) -> tuple[ChangedPath, ...]:
        """What differs, sorted by path; None compares with the workspace as it is now."""
        with self._lock:
            return tuple(self._changes(before, after or self.take("comparison")).values())

    def diff(self, before: Snapshot, after: Snapshot | None = None) -> str:
        """The unified diff with `a/` and `b/` names relative to the workspace.

        Changes whose content is not kept are named in git's words for binary files. The
        text is as the files are: clean it before a person sees it.
        """
        with self._lock:
            after = after or self.take("comparison")
            changes = self._changes(before, after)
            unkept = {*before.capture.skipped, *after.capture.skipped}
            text = self._store.diff(self._tree(before), self._tree(after), unkept)
            notes = [_unkept_note(changes[path]) for path in sorted(unkept & changes.keys())]
            notes += self._permission_notes(before, after, changes)
            return text + "".join(notes)

    def diff_head(self) -> str:
        """The working tree, untracked files included, against the user's last commit.

        Limited to the workspace; empty without a repository, a commit or a git program.
        """
        if self._git is None:
            return ""
        with self._lock:
            return diff_head(self._git, self.root, self._folder / "head")

    def read(self, snapshot: Snapshot, path: str) -> bytes | None:
        """What `path` held (of a link: its target); None when it was not there or not kept."""
        with self._lock:
            entry = self._store.entries(self._tree(snapshot)).get(self._name(path))
            return self._store.contents([entry.content])[entry.content] if entry else None

    def restore(self, snapshot: Snapshot, paths: Iterable[str]) -> tuple[str, ...]:
        """Make exactly these paths as they were, content, kind and permissions.

        Returns those that this changed. Take a snapshot first: then this can be undone
        too. When some could not be put back, the others are, and `RestoreFailed` names both.
        """
        with self._lock:
            names = sorted({self._name(path) for path in paths})
            entries = self._store.entries(self._tree(snapshot))
            unkept = {name: UNKEPT for name in names if name in snapshot.capture.skipped}
            held = {name: entries[name] for name in names if name in entries}
            contents = self._store.contents({entry.content for entry in held.values()})
            wanted = [
                Wanted(
                    name,
                    contents[held[name].content],
                    held[name].mode,
                    snapshot.capture.permissions.get(name),
                )
                if name in held
                else Wanted(name, None)
                for name in names
                if name not in unkept
            ]
            changed, failed = put_back(self.root, wanted, snapshot.capture.empty_folders)
            failed |= unkept
        if failed:
            raise RestoreFailed(
                _failure_text(failed), restored=changed, failed=tuple(sorted(failed))
            )
        return changed

    def _changes(self, before: Snapshot, after: Snapshot) -> dict[str, ChangedPath]:
        found = {
            change.path: change
            for change in self._store.changes(self._tree(before), self._tree(after))
        }
        old, new = before.capture, after.capture
        for path in {*old.permissions, *new.permissions} - found.keys():
            if old.permissions.get(path) != new.permissions.get(path):
                found[path] = ChangedPath(path, "M")
        for path in {*old.skipped, *new.skipped}:
            was, now = old.skipped.get(path), new.skipped.get(path)
            if was == now:
                continue
            seen = found.get(path)
            was_there = was or (seen and seen.status != "A") or None
            is_there = now or (seen and seen.status != "D") or None
            found[path] = ChangedPath(path, status_of(was_there, is_there), None, None)
        return dict(sorted(found.items()))

    def _permission_notes(
        self, before: Snapshot, after: Snapshot, changes: Mapping[str, ChangedPath]
    ) -> list[str]:
        """Changes of permission bits that a tree does not hold, as git would word them."""
        old, new = before.capture.permissions, after.capture.permissions
        notes = []
        for path in sorted({*old, *new} & changes.keys()):
            if changes[path].status == "M" and old.get(path) != new.get(path):
                names = f"{quoted(f'a/{path}')} {quoted(f'b/{path}')}"
                was, now = _permission_text(old.get(path)), _permission_text(new.get(path))
                notes.append(f"diff --git {names}\nold mode {was}\nnew mode {now}\n")
        return notes

    def _tree(self, snapshot: Snapshot) -> str:
        """The snapshot's tree, completed by what was remembered after it was taken."""
        tree = snapshot.capture.tree
        late = {
            path: sight.entry
            for path, sight in self._first_sights.items()
            if sight.entry is not None and sight.number >= snapshot.number
        }
        if not late:
            return tree
        key = f"{snapshot.number} {tree}"
        if key not in self._completed:
            self._completed[key] = self._store.with_entries(tree, late)
        return self._completed[key]

    def _name(self, path: str) -> str:
        """A path as snapshots know it: relative to the workspace, no dots, forward slashes."""
        full = os.path.normpath(self.root / path)
        name = os.path.relpath(full, self.root).replace(os.sep, "/")
        parts = name.split("/")
        if name == "." or ".." in parts or any(part.lower() == ".git" for part in parts):
            raise OutsideWorkspace(f"`{clean_line(path)}` is no file of the workspace")
        return name

    def _load_first_sights(self) -> dict[str, _FirstSight]:
        path = self._folder / f"{self.kind}-remembered.json"
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))
            return {
                name: _FirstSight(sight["number"], sight["entry"] and Entry(**sight["entry"]))
                for name, sight in stored.items()
            }
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError) as cause:
            raise SnapshotFailed(f"the store of snapshots is damaged: {path}: {cause}") from cause

    def _save(self, path: Path, value: object) -> None:
        half = path.with_suffix(".half")
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            half.write_text(json.dumps(value), encoding="utf-8")
            half.replace(path)
        except OSError as cause:
            raise SnapshotFailed(f"cannot write the store of snapshots: {cause}") from cause


def _unkept_note(change: ChangedPath) -> str:
    old, new = quoted(f"a/{change.path}"), quoted(f"b/{change.path}")
    head = f"diff --git {old} {new}\n"
    if change.status == "A":
        return f"{head}new file mode 100644\nBinary files /dev/null and {new} differ\n"
    if change.status == "D":
        return f"{head}deleted file mode 100644\nBinary files {old} and /dev/null differ\n"
    return f"{head}Binary files {old} and {new} differ\n"


def _permission_text(permissions: int | None) -> str:
    return "100644" if permissions is None else f"100{permissions:03o}"


def _failure_text(failed: Mapping[str, str]) -> str:
    shown = [f"`{clean_line(path)}` ({reason})" for path, reason in sorted(failed.items())][:5]
    more = f" and {len(failed) - len(shown)} more" if len(failed) > len(shown) else ""
    return f"could not put back {', '.join(shown)}{more}"


def _as_json(snapshot: Snapshot) -> dict[str, Any]:
    plain = asdict(snapshot)
    plain["capture"]["empty_folders"] = sorted(snapshot.capture.empty_folders)
    return plain


def _from_json(plain: dict[str, Any]) -> Snapshot:
    capture = plain.pop("capture")
    skipped = {path: (size, changed) for path, (size, changed) in capture["skipped"].items()}
    return Snapshot(
        **plain,
        capture=Capture(
            tree=capture["tree"],
            permissions=capture["permissions"],
            skipped=skipped,
            empty_folders=frozenset(capture["empty_folders"]),
        ),
    )
