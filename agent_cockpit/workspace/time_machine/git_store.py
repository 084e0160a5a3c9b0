"""Snapshots kept as trees of a private git directory."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path

from agent_cockpit.errors import SnapshotFailed
from agent_cockpit.workspace.git import split_names
from agent_cockpit.workspace.time_machine.git_capture import capture
from agent_cockpit.workspace.time_machine.private_git import PrivateGit
from agent_cockpit.workspace.time_machine.snapshot_store import (
    Cancelled,
    Capture,
    ChangedPath,
    Entry,
    Status,
)


class GitStore:
    """Keeps every file that the ignore rules do not pass over."""

    def __init__(self, private: PrivateGit, max_file_bytes: int) -> None:
        self._private = private
        self._max_file_bytes = max_file_bytes
        self._changes: dict[tuple[str, str], tuple[ChangedPath, ...]] = {}
        self._diffs: dict[tuple[str, str], str] = {}

    def capture(self, remembered: Collection[str], cancelled: Cancelled) -> Capture:
        """Record the workspace as it is; `remembered` paths are taken even if ignored."""
        return capture(self._private, remembered, self._max_file_bytes, cancelled)

    def touched(self) -> set[str]:
        """As the memory of statuses tells."""
        prefix = self._private.prefix
        return {
            name.removeprefix(prefix) for name in self._private.memory.suspects(self._private.top)
        }

    def entries(self, tree: str) -> Mapping[str, Entry]:
        """All files of a tree."""
        found = {}
        for line in split_names(self._private.ask("ls-tree", "-r", "-z", tree)):
            facts, _, path = line.partition("\t")
            mode, _, content = facts.split(" ")
            found[path] = Entry(int(mode, 8), content)
        return found

    def contents(self, ids: Collection[str]) -> Mapping[str, bytes]:
        """The bytes behind content ids, read in one go."""
        asked = "".join(f"{content}\n" for content in ids).encode()
        output = self._private.ask("cat-file", "--batch", stdin=asked) if ids else b""
        found, position = {}, 0
        for content in ids:
            end = output.index(b"\n", position)
            header = output[position:end].split(b" ")
            if header[-1] == b"missing":
                raise SnapshotFailed(f"the store of snapshots has lost the content {content}")
            size = int(header[-1])
            found[content] = output[end + 1 : end + 1 + size]
            position = end + size + 2
        return found

    def put(self, content: bytes) -> str:
        """Keep bytes; returns their id."""
        return self._private.ask("hash-object", "-w", "--stdin", stdin=content).decode().strip()

    def edited(self, tree: str, entries: Mapping[str, Entry | None]) -> str:
        """A tree like `tree` with these entries instead, made in an index of its own."""
        index = self._private.folder / "edited-index"
        leftovers = (index, Path(f"{index}.lock"))
        variables = {"GIT_INDEX_FILE": str(index)}
        updating = ("update-index", "-z", "--replace", "--index-info")
        lines = b"".join(_index_line(path, entry) for path, entry in entries.items())
        for leftover in leftovers:
            leftover.unlink(missing_ok=True)
        try:
            self._private.ask("read-tree", tree, variables=variables)
            self._private.ask(*updating, stdin=lines, variables=variables)
            return self._private.ask("write-tree", variables=variables).decode().strip()
        finally:
            for leftover in leftovers:
                leftover.unlink(missing_ok=True)

    def left_out(self, paths: Collection[str]) -> set[str]:
        """Those of `paths` that `capture` would pass over unless they are remembered."""
        return self._private.left_out(paths)

    def changes(self, before: str, after: str) -> tuple[ChangedPath, ...]:
        """What differs between two trees, by path; of the last two it is known, since a tree
        never changes."""
        if before == after:
            return ()
        if (before, after) not in self._changes:
            self._changes = {(before, after): self._compare(before, after)}
        return self._changes[before, after]

    def diff(self, before: str, after: str) -> str:
        """The unified diff of two trees; of the last two it is known."""
        if before == after:
            return ""
        if (before, after) not in self._diffs:
            self._diffs = {(before, after): self._write_out(before, after)}
        return self._diffs[before, after]

    def _compare(self, before: str, after: str) -> tuple[ChangedPath, ...]:
        shape = ("-r", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--raw", "--numstat")
        fields = split_names(self._private.ask("diff-tree", *shape, before, after))
        letters: dict[str, Status] = {}
        position = 0
        while position < len(fields) and fields[position].startswith(":"):
            letters[fields[position + 1]] = _status(fields[position][-1])
            position += 2
        counts: dict[str, tuple[int | None, int | None]] = {}
        for line in fields[position:]:
            added, removed, path = line.split("\t", 2)
            counts[path] = (None, None) if added == "-" else (int(added), int(removed))
        return tuple(
            ChangedPath(path, letter, *counts.get(path, (0, 0))) for path, letter in letters.items()
        )

    def _write_out(self, before: str, after: str) -> str:
        output = self._private.ask(
            "diff-tree",
            "-r",
            "-p",
            "--no-renames",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            "--src-prefix=a/",
            "--dst-prefix=b/",
            before,
            after,
        )
        return output.decode("utf-8", "replace")


def _index_line(path: str, entry: Entry | None) -> bytes:
    facts = f"{entry.mode:o} {entry.content}" if entry else f"0 {'0' * 40}"
    return facts.encode() + b"\t" + os.fsencode(path) + b"\0"


def _status(letter: str) -> Status:
    return "A" if letter == "A" else "D" if letter == "D" else "M"
