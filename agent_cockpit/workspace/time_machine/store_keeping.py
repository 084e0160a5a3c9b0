"""Old snapshot stores, taken away when nobody needs them any more.

Laws: the store of a sitting that lives is never touched, nor one that was used within the time
that stores are kept; what a kill left half taken away goes the next time.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

KEPT_S = 14 * 24 * 3600.0
"""As long as somebody may still want back by hand what a sitting changed."""
_CLAIM = "in-use"
LEAVING = ".leaving"
_ID = re.compile("[0-9a-f]{12}|[0-9a-f]{32}")
"""What every store and every sitting is called."""


def claim(store: Path) -> int:
    """Say that this process uses the store, until the descriptor is closed or the process is
    over; the folder must be there. Raises `OSError`."""
    descriptor = os.open(store / _CLAIM, os.O_RDWR | os.O_CREAT, 0o600)
    _locked(descriptor)
    return descriptor


def store_of(project: Path, name: str) -> Path:
    """Where below `project` the store of this name is, or that of the sitting with this id; a
    new place where it is none of ours, as in a journal that somebody made by hand."""
    return project / (name if _ID.fullmatch(name) else uuid4().hex)[:12]


def take_away_old(
    stores: Path, *, now_s: float, kept_s: float = KEPT_S, spared: Path | None = None
) -> tuple[Path, ...]:
    """Take away what is old below `stores`, a folder of projects with a folder for each store;
    those that went. A project that holds none any more goes too. What cannot be looked at or
    taken away stays, and so does `spared`: its sitting lives, though it may not have claimed it
    yet. Blocks."""
    gone: list[Path] = []
    for project in _folders(stores):
        for store in _folders(project):
            leaving = store
            if store == spared:
                continue
            if store.suffix != LEAVING:
                if now_s - _used_at_s(store) < kept_s or _is_claimed(store):
                    continue
                leaving = store.with_name(f"{store.name}{LEAVING}")
                try:
                    store.rename(leaving)
                except OSError:  # another process was faster, or it is not ours to move
                    continue
            shutil.rmtree(leaving, ignore_errors=True)
            if not leaving.exists():
                gone.append(store)
        if spared is None or project != spared.parent:
            with suppress(OSError):  # there are others in it, or it is not ours to take away
                project.rmdir()
    return tuple(gone)


def _folders(folder: Path) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            found = [Path(entry) for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return
    yield from found


def _used_at_s(store: Path) -> float:
    """When the store was made or a snapshot taken last."""
    times = [0.0]
    for place in (store, *_folders(store)):
        try:
            times.append(place.stat().st_mtime)
        except OSError:
            continue
    return max(times)


def _is_claimed(store: Path) -> bool:
    try:
        descriptor = os.open(store / _CLAIM, os.O_RDWR)
    except FileNotFoundError:
        return False
    except OSError:  # not ours to look at
        return True
    try:
        return not _locked(descriptor)
    finally:
        os.close(descriptor)


def _locked(descriptor: int) -> bool:
    """Whether the lock is ours now; where the system knows no such locks it always is."""
    try:
        import fcntl
    except ImportError:  # Windows has no fcntl
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # such as a network folder without locks
        return True
    return True
