"""Trees of the files that edits named, as plain copies: what undo rests on without git.

Law: only remembered paths are in these trees. What a command changed elsewhere is not
seen and cannot be undone, and whoever shows the result says so.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from hashlib import sha256
from pathlib import Path

from agent_cockpit.errors import SnapshotFailed
from agent_cockpit.workspace.editing.diffs import file_diff, line_counts
from agent_cockpit.workspace.time_machine.file_facts import (
    content_of,
    facts_of,
    git_mode,
    is_kept_kind,
    unusual_permissions,
)
from agent_cockpit.workspace.time_machine.snapshot_store import (
    Cancelled,
    Capture,
    ChangedPath,
    Entry,
    Mark,
    status_of,
    stop_if,
)


class CopyStore:
    """Owns the folder of copies, each named by its content's hash."""

    def __init__(self, root: Path, folder: Path, max_file_bytes: int) -> None:
        self._root = root
        self._folder = folder
        self._max_file_bytes = max_file_bytes

    def capture(self, remembered: Collection[str], cancelled: Cancelled) -> Capture:
        """Copy what the remembered paths hold now."""
        entries: dict[str, Entry] = {}
        permissions: dict[str, int] = {}
        skipped: dict[str, Mark] = {}
        for path in sorted(remembered):
            stop_if(cancelled)
            about = facts_of(self._root / path)
            if about is None or not is_kept_kind(about):
                continue
            try:
                content = content_of(self._root / path, about, self._max_file_bytes)
            except FileNotFoundError:
                continue
            except OSError as cause:
                raise SnapshotFailed(f"cannot keep a copy of `{path}`: {cause}") from cause
            if content is None:
                skipped[path] = (about.st_size, about.st_mtime_ns)
                continue
            entries[path] = Entry(git_mode(about.st_mode), self.put(content))
            bits = unusual_permissions(about)
            if bits is not None:
                permissions[path] = bits
        return Capture(self._put_tree(entries), permissions, skipped)

    def touched(self) -> set[str]:
        """None: only what edits named is known here, and edits look for themselves."""
        return set()

    def entries(self, tree: str) -> Mapping[str, Entry]:
        """All files of a tree."""
        try:
            stored = json.loads(self.contents([tree])[tree])
            return {path: Entry(mode, content) for path, (mode, content) in stored.items()}
        except ValueError as cause:
            raise SnapshotFailed(f"the snapshot {tree[:12]} is damaged: {cause}") from cause

    def contents(self, ids: Collection[str]) -> Mapping[str, bytes]:
        """The bytes behind content ids."""
        try:
            return {content: (self._folder / content).read_bytes() for content in ids}
        except OSError as cause:
            raise SnapshotFailed(f"cannot read the store of snapshots: {cause}") from cause

    def put(self, content: bytes) -> str:
        """Keep bytes; returns their id."""
        name = sha256(content).hexdigest()
        place = self._folder / name
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not place.exists():
                half = place.with_suffix(".half")
                half.write_bytes(content)
                half.replace(place)
        except OSError as cause:
            raise SnapshotFailed(f"cannot write the store of snapshots: {cause}") from cause
        return name

    def edited(self, tree: str, entries: Mapping[str, Entry | None]) -> str:
        """A tree like `tree` with these entries instead."""
        result = {**self.entries(tree), **entries}
        return self._put_tree({path: entry for path, entry in result.items() if entry})

    def left_out(self, paths: Collection[str]) -> set[str]:
        """All of them: nothing but remembered paths is ever taken."""
        return set(paths)

    def changes(self, before: str, after: str) -> tuple[ChangedPath, ...]:
        """What differs between two trees, by path."""
        found = []
        for path, old, new in self._differing(before, after):
            counts = line_counts(self._bytes(old), self._bytes(new)) or (None, None)
            found.append(ChangedPath(path, status_of(old, new), *counts))
        return tuple(found)

    def diff(self, before: str, after: str) -> str:
        """The unified diff of two trees."""
        return "".join(
            file_diff(
                path,
                self._bytes(old),
                self._bytes(new),
                before_mode=old.mode if old else 0o100644,
                after_mode=new.mode if new else 0o100644,
            )
            for path, old, new in self._differing(before, after)
        )

    def _differing(self, before: str, after: str) -> list[tuple[str, Entry | None, Entry | None]]:
        old, new = self.entries(before), self.entries(after)
        pairs = ((path, old.get(path), new.get(path)) for path in sorted({*old, *new}))
        return [pair for pair in pairs if pair[1] != pair[2]]

    def _bytes(self, entry: Entry | None) -> bytes | None:
        return None if entry is None else self.contents([entry.content])[entry.content]

    def _put_tree(self, entries: Mapping[str, Entry]) -> str:
        plain = {path: [entry.mode, entry.content] for path, entry in sorted(entries.items())}
        return self.put(json.dumps(plain).encode())
