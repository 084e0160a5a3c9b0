"""Files and empty folders moved from how one snapshot has them to how another has them.

Law: what is not as the first one has it is somebody else's work, and stays.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from agent_cockpit.workspace.time_machine.folders import SIGN, is_folder, move_folders
from agent_cockpit.workspace.time_machine.put_back import Wanted, put_back

UNKNOWN = "no snapshot holds a file of this name"


@dataclass(frozen=True, slots=True)
class Side:
    """How a snapshot has the paths in question: files by name, why those of others are not
    known, its empty folders, and every folder that it knows."""

    files: Mapping[str, Wanted]
    unknown: Mapping[str, str]
    empty_folders: Collection[str]
    folders: Collection[str]


def move(
    root: Path, now: Side, to: Side, folders: Collection[str]
) -> tuple[tuple[str, ...], dict[str, str]]:
    """What this changed, and why each other path stays; names of folders end in a slash."""
    left = {**now.unknown, **to.unknown}
    for name in to.files.keys() - left.keys():
        if to.files[name].content is None and now.files[name].content is None:
            left[name] = UNKNOWN
    moving = [each for name, each in to.files.items() if name not in left]
    were = {name for name in folders if is_folder(root / name)}
    changed, failed = put_back(root, moving, to.empty_folders, now.files)
    wanted = {name for name in folders if name in to.empty_folders}
    stuck = move_folders(root, wanted, {*folders} - wanted, to.folders)
    moved = {name for name in folders if is_folder(root / name) != (name in were)}
    left |= failed | {f"{name}{SIGN}": why for name, why in stuck.items()}
    return tuple(sorted([*changed, *(f"{name}{SIGN}" for name in moved)])), left
