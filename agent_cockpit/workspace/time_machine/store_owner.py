"""Whose a store of snapshots is: that of the sitting whose journal it names.

Laws: a journal that was copied is another sitting from then on, with a store of its own that
begins as a copy of the first one's, since both refer to what that holds; a journal that was moved
keeps its store.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from agent_cockpit.errors import SnapshotFailed

_OWNER = "journal"
COMING = ".coming"
"""Ends the name of a store that is being copied; what leaves is taken away by anybody at once."""
_NOT_COPIED = shutil.ignore_patterns("*.lock", "*.half", "tmp_*")
"""Of whoever writes there now."""
_NEVER_CHANGED = (Path("git/objects.git/objects"), Path("copies"))
"""Folders whose files are written once, named by what they hold: two stores may share them."""


def store_for(store: Path, journal: Path) -> Path:
    """The store that a sitting goes on with: `store`, or, where that is another journal's, a
    copy of it beside it. From now on it is this journal's.

    Raises `SnapshotFailed` when it cannot be copied; then nothing is left of it.
    """
    if _is_of_another(store, journal):
        store = _copied(store)
    say_whose(store, journal)
    return store


def say_whose(store: Path, journal: Path) -> None:
    """Write down in the store, which is made, that it is this journal's."""
    half = store / f"{_OWNER}.half"
    with suppress(OSError):  # whoever needs the store next says that it cannot be used
        store.mkdir(mode=0o700, parents=True, exist_ok=True)
        half.write_bytes(os.fsencode(journal.resolve()))
        half.replace(store / _OWNER)


def _is_of_another(store: Path, journal: Path) -> bool:
    """Whether it names a journal that is still there and is not this one."""
    try:
        owner = Path(os.fsdecode((store / _OWNER).read_bytes()))
        return owner.is_file() and not owner.samefile(journal)
    except (OSError, ValueError):  # it names none, or one that is gone
        return False


def _copied(store: Path) -> Path:
    copy = store.with_name(uuid4().hex[:12])
    half = copy.with_name(f"{copy.name}{COMING}")

    def copy_file(source: str, target: str) -> None:
        name = Path(source).relative_to(store)
        if any(name.is_relative_to(folder) for folder in _NEVER_CHANGED):
            with suppress(OSError):  # such as a file system without links
                os.link(source, target)
                return
        shutil.copy2(source, target)

    try:
        half.mkdir(mode=0o700)
        # what is kept comes after the records that name it: the other sitting may go on meanwhile
        for part in sorted(store.iterdir(), reverse=True):
            if part.is_dir():
                shutil.copytree(part, half / part.name, ignore=_NOT_COPIED, copy_function=copy_file)
        half.rename(copy)
    except OSError as cause:
        shutil.rmtree(half, ignore_errors=True)
        raise SnapshotFailed(
            f"another sitting uses the snapshots of this one, and they cannot be copied: {cause}"
        ) from cause
    return copy
