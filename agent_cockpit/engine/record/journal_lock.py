"""Who may write a journal: an advisory lock that the system takes back when its process ends,
so that no kill leaves a stale one."""

from __future__ import annotations

import os
import time
from pathlib import Path

_TRIES, _PAUSE_S = 4, 0.03
"""A listing looks whether a journal is in use by taking the lock for a moment."""


def take_lock(descriptor: int) -> None:
    """Lock the open file for this process; `BlockingIOError` when another one has it.

    Where the system or the file system knows no such locks, nothing is locked.
    """
    try:
        import fcntl
    except ImportError:  # Windows has no fcntl
        return
    for attempt in range(_TRIES):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if attempt == _TRIES - 1:
                raise
            time.sleep(_PAUSE_S)
        except OSError:  # such as a network folder without locks: better unlocked than unusable
            return
        else:
            return


def is_locked(path: Path) -> bool:
    """Whether a process writes the journal now."""
    try:
        import fcntl
    except ImportError:
        return False
    with path.open("rb") as file:
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
    return False


def holder_of(path: Path) -> int | None:
    """The id of the process that has the lock, where the system tells (Linux)."""
    try:
        seen = path.stat()
        held = Path("/proc/locks").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    place = f"{os.major(seen.st_dev):02x}:{os.minor(seen.st_dev):02x}:{seen.st_ino}"
    for line in held.splitlines():
        words = line.split()
        if len(words) > 5 and words[1] == "FLOCK" and words[5] == place and words[4].isdecimal():
            return int(words[4]) or None
    return None
