"""What the disk says of a path, without following a link at its end."""

from __future__ import annotations

import os
import stat
from pathlib import Path

LINK_MODE = 0o120000
"""Git's mode of a symbolic link; its content is the target."""

EXECUTABLE_MODE = 0o100755

USUAL_PERMISSIONS = frozenset({0o644, 0o664, 0o755, 0o775})
"""What the usual umasks give; a tree tells them apart by the executable bit alone."""


def facts_of(path: Path | str) -> os.stat_result | None:
    """The status of what is at `path` itself; None when nothing is there to be seen.

    A text where tens of thousands are asked for: making each a `Path` takes longer than
    the asking.
    """
    try:
        return os.lstat(path)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return None


def changed_at_ns(path: Path) -> int | None:
    """When the path's content, permissions or name changed last; None when it is not there."""
    about = facts_of(path)
    if about is None:
        return None
    return about.st_mtime_ns if os.name == "nt" else about.st_ctime_ns


def is_kept_kind(about: os.stat_result) -> bool:
    """Whether it is a plain file or a link: folders, pipes and devices have no content."""
    return stat.S_ISREG(about.st_mode) or stat.S_ISLNK(about.st_mode)


def content_of(path: Path, about: os.stat_result, max_file_bytes: int) -> bytes | None:
    """A file's bytes or a link's target; None for a file too large or unreadable."""
    if stat.S_ISLNK(about.st_mode):
        return os.fsencode(path.readlink())
    if about.st_size > max_file_bytes:
        return None
    try:
        return path.read_bytes()
    except PermissionError:
        return None


def git_mode(mode: int) -> int:
    """A file's mode on disk as a tree's mode."""
    if stat.S_ISLNK(mode):
        return LINK_MODE
    return EXECUTABLE_MODE if mode & stat.S_IXUSR else 0o100644


def unusual_permissions(about: os.stat_result | None) -> int | None:
    """Permission bits that a tree cannot hold; None for usual ones, and for no plain file."""
    if about is None or not stat.S_ISREG(about.st_mode):
        return None
    bits = stat.S_IMODE(about.st_mode)
    return None if bits in USUAL_PERMISSIONS else bits


def is_behind_link(top: Path, name: str, known: dict[str, bool]) -> bool:
    """Whether a parent folder of `name` is a symbolic link; `known` remembers the answers."""
    folder = name.rpartition("/")[0]
    if not folder:
        return False
    if folder not in known:
        known[folder] = (top / folder).is_symlink() or is_behind_link(top, folder, known)
    return known[folder]
