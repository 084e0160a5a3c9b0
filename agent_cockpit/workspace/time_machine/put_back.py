"""Puts files back as a snapshot has them: only the paths that it is told, nothing else.

Law: no link is followed, no folder with something in it is removed, and each file is
replaced whole or not at all.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from secrets import token_hex

from agent_cockpit.workspace.time_machine.file_facts import (
    EXECUTABLE_MODE,
    LINK_MODE,
    USUAL_PERMISSIONS,
    facts_of,
    git_mode,
    unusual_permissions,
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a path shall be: `content` None for not there, else a file's bytes or a link's
    target, with git's `mode`; `permissions` only when they are unusual."""

    path: str
    content: bytes | None
    mode: int = 0o100644
    permissions: int | None = None


CHANGED_SINCE = "changed since"
"""Why a path that is not as it was expected stays as it is."""


class _InTheWay(Exception):
    """Something stands in the way of a path; the text says what."""


def put_back(
    root: Path,
    wanted: Collection[Wanted],
    kept_folders: Collection[str],
    expected: Mapping[str, Wanted] | None = None,
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Make each path as wanted; returns what changed, and the reason for each that could not.

    Removes first, so that a file may come back where a folder or a link stands now. A
    folder that a removal leaves empty goes too, except for `kept_folders`. With `expected` a
    path that is neither as wanted nor, right before it is replaced, as expected stays.
    """
    changed: list[str] = []
    failed: dict[str, str] = {}
    removals = [each for each in wanted if each.content is None]
    returns = [each for each in wanted if each.content is not None]
    removals.sort(key=lambda each: each.path, reverse=True)
    returns.sort(key=lambda each: each.path)
    for each in (*removals, *returns):
        try:
            _refuse_links(root, each.path)
            if expected is not None and not _is(root / each.path, each):
                _refuse_others_work(root / each.path, expected[each.path])
            done = (
                _remove(root, each.path, kept_folders)
                if each.content is None
                else _write(root / each.path, each, each.content)
            )
        except (OSError, _InTheWay) as cause:
            failed[each.path] = getattr(cause, "strerror", None) or str(cause)
            continue
        if done:
            changed.append(each.path)
    return tuple(sorted(changed)), failed


def _refuse_links(root: Path, path: str) -> None:
    for parent in PurePosixPath(path).parents:
        if (root / parent).is_symlink() and str(parent) != ".":
            raise _InTheWay(f"`{parent}` is a link now")


def _refuse_others_work(target: Path, expected: Wanted) -> None:
    if not _is(target, expected):
        raise _InTheWay(CHANGED_SINCE)


def _is(target: Path, wanted: Wanted) -> bool:
    """Whether the path is as `wanted` says; where no file is wanted a folder is none."""
    now = facts_of(target)
    if now is None or wanted.content is None:
        is_file = now is not None and not stat.S_ISDIR(now.st_mode)
        return not is_file and wanted.content is None
    return _is_as_wanted(target, now, wanted, wanted.content)


def _remove(root: Path, path: str, kept_folders: Collection[str]) -> bool:
    target = root / path
    about = facts_of(target)
    if about is None:
        return False
    if stat.S_ISDIR(about.st_mode):
        return False
    target.unlink()
    for parent in PurePosixPath(path).parents:
        if str(parent) in {".", *kept_folders} or any((root / parent).iterdir()):
            break
        (root / parent).rmdir()
    return True


def _write(target: Path, wanted: Wanted, content: bytes) -> bool:
    now = facts_of(target)
    if now is not None and _is_as_wanted(target, now, wanted, content):
        return False
    if now is not None and stat.S_ISDIR(now.st_mode):
        if any(target.iterdir()):
            raise _InTheWay("a folder with files in it stands there now")
        target.rmdir()
    target.parent.mkdir(parents=True, exist_ok=True)
    half = target.with_name(f".{token_hex(8)}.undo")
    try:
        if wanted.mode == LINK_MODE:
            half.symlink_to(os.fsdecode(content))
        else:
            _write_new(half, content, wanted, now)
        half.replace(target)
    finally:
        half.unlink(missing_ok=True)
    return True


def _write_new(half: Path, content: bytes, wanted: Wanted, replaced: os.stat_result | None) -> None:
    executable = wanted.mode == EXECUTABLE_MODE
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    descriptor = os.open(half, flags, 0o777 if executable else 0o666)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        if wanted.permissions is not None:
            half.chmod(wanted.permissions)
        elif replaced is not None and _keeps_permissions(replaced, wanted):
            half.chmod(stat.S_IMODE(replaced.st_mode))
        elif unusual_permissions(half.lstat()) is not None:  # a strict umask made it so
            half.chmod(0o755 if executable else 0o644)


def _keeps_permissions(replaced: os.stat_result, wanted: Wanted) -> bool:
    usual = stat.S_IMODE(replaced.st_mode) in USUAL_PERMISSIONS
    return usual and git_mode(replaced.st_mode) == wanted.mode


def _is_as_wanted(target: Path, now: os.stat_result, wanted: Wanted, content: bytes) -> bool:
    if stat.S_ISLNK(now.st_mode):
        return wanted.mode == LINK_MODE and os.fsencode(target.readlink()) == content
    if not stat.S_ISREG(now.st_mode) or git_mode(now.st_mode) != wanted.mode:
        return False
    if unusual_permissions(now) != wanted.permissions:
        return False
    return now.st_size == len(content) and target.read_bytes() == content
