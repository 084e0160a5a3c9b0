"""Records the workspace as one tree of a private git: what to take, and taking it.

Law: a tree is whole or there is none; a step that fails ends the capture. The tree holds
the disk's bytes, and its files are named from the workspace.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from agent_cockpit.errors import GitFailed, SnapshotFailed
from agent_cockpit.workspace.git import find_repository, join_names, split_names
from agent_cockpit.workspace.time_machine.file_facts import (
    facts_of,
    is_behind_link,
    unusual_permissions,
)
from agent_cockpit.workspace.time_machine.private_git import PrivateGit
from agent_cockpit.workspace.time_machine.snapshot_store import Cancelled, Capture, Mark, stop_if

FILES_AT_ONCE = 5_000
"""Git's memory of what a pack already holds is searched from end to end for each file."""

PACKED_ABOVE = 100
"""This many new files go into one pack instead of a file each: four times faster."""

ATTEMPTS = 3
"""Files may vanish or shrink while git reads them; the last attempt starts from nothing."""

LIMIT_BYTES = 4_000_000_000
"""New content that one snapshot may copy. More means a folder that nobody meant as a
workspace, or data that belongs into an ignore file."""


def capture(
    private: PrivateGit, remembered: Collection[str], max_file_bytes: int, cancelled: Cancelled
) -> Capture:
    """The workspace as it is now; tries again when the tree changes under git's hands."""
    private.open()
    for attempt in range(1, ATTEMPTS + 1):
        stop_if(cancelled)
        try:
            private.clear_after_a_crash(rebuild=attempt == ATTEMPTS)
            return _capture(private, remembered, max_file_bytes, cancelled)
        except (GitFailed, OSError) as failure:
            private.memory.clear()
            if attempt == ATTEMPTS:
                raise SnapshotFailed(
                    f"cannot record the files of `{private.root}`: {failure}"
                ) from failure
    raise AssertionError("unreachable: the last attempt returns or raises")


def _capture(
    private: PrivateGit, remembered: Collection[str], max_file_bytes: int, cancelled: Cancelled
) -> Capture:
    private.take_over_excludes()
    ignoring = private.ignore_settings()
    suspects = private.memory.suspects(private.top)
    names = suspects | _changed_names(private, ignoring)
    names.update(private.prefix + path for path in remembered)
    names = {name for name in names if not private.is_own(name)}
    stop_if(cancelled)
    sorted_out = _sort_out(private, names, max_file_bytes)
    _forget(private, sorted_out.gone | suspects)
    _store(private, sorted_out.to_store, cancelled)
    held = set(split_names(private.run("ls-files", "-z")))
    private.memory.keep_only(held)
    refused = _marks(private, sorted_out.to_store.keys() - held)
    return Capture(
        tree=_write_tree(private),
        permissions=_permissions(private, held),
        skipped=sorted_out.skipped | refused,
        empty_folders=frozenset(_empty_folders(private, ignoring)),
        passed_over=frozenset(_passed_over(private, ignoring)),
    )


def _changed_names(private: PrivateGit, ignoring: Mapping[str, str]) -> set[str]:
    """Names of files that are new, changed or gone since the index was last brought up."""
    listing = ("ls-files", "-z", "-m", "-o", "-d", "--exclude-standard")
    names = _list_workspace(private, ignoring, *listing)
    found = {name for name in names if not name.endswith("/")}
    tracked = _tracked_but_ignored(private, private.root, ignoring)
    found.update(private.prefix + name for name in tracked)
    nested = [name for name in names if name.endswith("/")]
    while nested:
        folder = nested.pop()
        for name in _list_nested(private, folder, ignoring):
            (nested.append if name.endswith("/") else found.add)(folder + name)
    return found


def _list_nested(private: PrivateGit, folder: str, ignoring: Mapping[str, str]) -> list[str]:
    """Files of a repository inside the workspace that no capture has taken yet.

    Once one of them is in the index, git walks into that folder as into any other.
    """
    inside = private.top / folder
    variables = {
        "GIT_WORK_TREE": str(inside),
        "GIT_INDEX_FILE": str(private.folder / "no-index"),
    }
    listing = ("ls-files", "-z", "-o", "--exclude-standard")
    untracked = private.run(*listing, cwd=inside, variables=variables, settings=ignoring)
    return split_names(untracked) + _tracked_but_ignored(private, inside, ignoring)


def _tracked_but_ignored(
    private: PrivateGit, folder: Path, ignoring: Mapping[str, str]
) -> list[str]:
    """Names, from `folder`, that its own repository tracks against the ignore rules."""
    if find_repository(private.git, folder) is None:
        return []
    listing = ("ls-files", "-z", "-c", "-i", "--exclude-standard", "--", ".")
    return private.git.names(*listing, cwd=folder, settings=ignoring)


@dataclass(slots=True)
class _SortedOut:
    """Names as sizes of those to store, those gone, and workspace paths of those skipped."""

    to_store: dict[str, int] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    skipped: dict[str, Mark] = field(default_factory=dict)


def _sort_out(private: PrivateGit, names: Iterable[str], max_file_bytes: int) -> _SortedOut:
    result = _SortedOut()
    known_links: dict[str, bool] = {}
    looked_at = [(name, facts_of(f"{private.top}/{name}")) for name in names]
    private.memory.note((name, about) for name, about in looked_at if about)
    for name, about in looked_at:
        if about is None or is_behind_link(private.top, name, known_links):
            result.gone.add(name)
        elif stat.S_ISLNK(about.st_mode):
            result.to_store[name] = about.st_size
        elif not stat.S_ISREG(about.st_mode):
            result.gone.add(name)
        elif about.st_size <= max_file_bytes and os.access(private.top / name, os.R_OK):
            result.to_store[name] = about.st_size
        else:
            result.gone.add(name)
            result.skipped[name.removeprefix(private.prefix)] = (about.st_size, about.st_mtime_ns)
    if sum(result.to_store.values()) > LIMIT_BYTES:
        raise SnapshotFailed(
            f"`{private.root}` holds more than {LIMIT_BYTES // 10**9} GB of new files;"
            " name those that need no undo in an ignore file"
        )
    return result


def _forget(private: PrivateGit, names: Collection[str]) -> None:
    if names:
        nothing = b"0 " + b"0" * 40 + b"\t"
        lines = b"".join(nothing + os.fsencode(name) + b"\0" for name in sorted(names))
        private.run("update-index", "-z", "--index-info", stdin=lines)


def _store(private: PrivateGit, names: Collection[str], cancelled: Cancelled) -> None:
    ordered = sorted(names)
    packed = {"core.bigFileThreshold": "1"} if len(ordered) > PACKED_ABOVE else {}
    for start in range(0, len(ordered), FILES_AT_ONCE):
        stop_if(cancelled)
        private.run(
            "update-index",
            "-z",
            "--add",
            "--remove",
            "--replace",
            "--stdin",
            stdin=join_names(ordered[start : start + FILES_AT_ONCE]),
            settings=packed,
        )


def _write_tree(private: PrivateGit) -> str:
    if not private.prefix:
        return private.run("write-tree").decode().strip()
    if not private.run("ls-files", "-z", "--", private.prefix):
        return private.run("mktree").decode().strip()
    return private.run("write-tree", f"--prefix={private.prefix}").decode().strip()


def _permissions(private: PrivateGit, names: Iterable[str]) -> dict[str, int]:
    found = ((name, unusual_permissions(facts_of(f"{private.top}/{name}"))) for name in names)
    return {name.removeprefix(private.prefix): bits for name, bits in found if bits is not None}


def _marks(private: PrivateGit, names: Iterable[str]) -> dict[str, Mark]:
    """Marks of files that are there but that git would not take by this name."""
    found = (
        (name.removeprefix(private.prefix), facts_of(f"{private.top}/{name}")) for name in names
    )
    return {path: (about.st_size, about.st_mtime_ns) for path, about in found if about}


def _empty_folders(private: PrivateGit, ignoring: Mapping[str, str]) -> Iterator[str]:
    listing = ("ls-files", "-z", "-o", "--directory", "--exclude-standard")
    for name in _list_workspace(private, ignoring, *listing):
        if not name.endswith("/"):
            continue
        for folder, below, files in os.walk(private.top / name):
            if not below and not files:
                yield Path(folder).relative_to(private.root).as_posix()
            if ".git" in below:
                below.remove(".git")


def _passed_over(private: PrivateGit, ignoring: Mapping[str, str]) -> list[str]:
    """Ignored files and, with a slash at the end, wholly ignored folders."""
    listing = ("ls-files", "-z", "-o", "-i", "--directory", "--exclude-standard")
    names = _list_workspace(private, ignoring, *listing)
    return [name.removeprefix(private.prefix) for name in names]


def _list_workspace(private: PrivateGit, ignoring: Mapping[str, str], *listing: str) -> list[str]:
    """Names from the top, limited to the workspace."""
    return split_names(private.run(*listing, "--", private.prefix or ".", settings=ignoring))
