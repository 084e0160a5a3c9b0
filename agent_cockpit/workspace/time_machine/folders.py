"""Folders with nothing in them, which no tree of files holds: compared, taken away, made again.

Law: a folder with something in it is never taken away; no link is followed.
"""

from __future__ import annotations

import stat
from collections.abc import Collection, Iterable
from pathlib import Path, PurePosixPath

from agent_cockpit.workspace.time_machine.file_facts import facts_of
from agent_cockpit.workspace.time_machine.snapshot_store import Capture, ChangedPath, SnapshotStore

SIGN = "/"
"""Ends the name of a folder among names of files."""


def all_folders(store: SnapshotStore, capture: Capture) -> set[str]:
    """Every folder that a capture knows to have been there."""
    known = [*store.entries(capture.tree), *capture.skipped, *capture.passed_over]
    inside = [*known, *capture.empty_folders]
    return {*capture.empty_folders, *_parents(inside)}


def changed_folders(store: SnapshotStore, old: Capture, new: Capture) -> tuple[ChangedPath, ...]:
    """Empty folders that came or went between two captures, their names with a slash."""
    if old.empty_folders == new.empty_folders:
        return ()
    came = new.empty_folders - all_folders(store, old)
    went = old.empty_folders - all_folders(store, new)
    found = {**dict.fromkeys(came, "A"), **dict.fromkeys(went, "D")}
    return tuple(
        ChangedPath(f"{name}{SIGN}", "A" if status == "A" else "D", None, None)
        for name, status in sorted(found.items())
    )


def move_folders(
    root: Path, wanted: Collection[str], unwanted: Collection[str], kept: Collection[str]
) -> dict[str, str]:
    """Make the `wanted` folders and take the `unwanted` away, with those above them that this
    leaves empty and that are not `kept`; why each other one could not be."""
    failed: dict[str, str] = {}
    for name in sorted(unwanted, reverse=True):
        try:
            _take_away(root, name, kept)
        except OSError:
            failed[name] = "there is something in it now"
    for name in sorted(wanted):
        if any(_is_link(root, parent) for parent in _parents([name])):
            failed[name] = "a folder above it is a link now"
            continue
        try:
            (root / name).mkdir(parents=True, exist_ok=True)
        except OSError as cause:
            failed[name] = cause.strerror or str(cause)
    return failed


def is_folder(place: Path) -> bool:
    """Whether a folder itself stands there, and no link to one."""
    about = facts_of(place)
    return about is not None and stat.S_ISDIR(about.st_mode)


def _take_away(root: Path, name: str, kept: Collection[str]) -> None:
    if not is_folder(root / name):
        return
    (root / name).rmdir()
    for parent in PurePosixPath(name).parents:
        if str(parent) in {".", *kept}:
            return
        try:
            (root / parent).rmdir()
        except OSError:  # there is something in it, or it is a link
            return


def _is_link(root: Path, name: str) -> bool:
    return (root / name).is_symlink()


def _parents(names: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for name in names:
        folder = name.rstrip(SIGN).rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return found
