"""The files of the workspace as git would see them: ignored ones, `.git` and our own left out.

Law: no link to a folder is followed, so a walk ends and stays inside.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from agent_cockpit.errors import OutsideWorkspace
from agent_cockpit.rules.paths import is_git_internal
from agent_cockpit.workspace.cancellation import never
from agent_cockpit.workspace.finding.globs import Glob, States, parse_glob
from agent_cockpit.workspace.finding.ignores import Ignores, ignores_around, ignores_of
from agent_cockpit.workspace.workspace import Workspace, shown

MOST_SHOWN = 1000
DEADLINE_S = 20.0

Below = tuple[States, ...] | None
"""States of each pattern at a folder; None when the folder itself matched."""


@dataclass(frozen=True, slots=True)
class Listing:
    """Matching files, relative and sorted; `paths` are the first ones, `total` counts all.

    `complete` is False when the deadline or a cancel ended the walk early.
    """

    paths: tuple[str, ...]
    total: int
    complete: bool = True


def list_files(
    workspace: Workspace,
    pattern: str = "**/*",
    *,
    most: int = MOST_SHOWN,
    deadline_s: float = DEADLINE_S,
    cancelled: Callable[[], bool] = never,
) -> Listing:
    """The files that match `pattern`; a folder that matches stands for all that it holds.

    Names with a leading dot count only if the pattern names one. A pattern whose fixed
    beginning is an ignored folder looks into it.
    """
    stop_s = time.monotonic() + deadline_s
    paths: list[str] = []
    total = 0
    for path in walk(workspace, parse_glob(_inside(workspace, pattern))):
        if total < most:
            paths.append(path)
        total += 1
        if cancelled() or time.monotonic() > stop_s:
            return Listing(tuple(paths), total, complete=False)
    return Listing(tuple(paths), total)


def walk(workspace: Workspace, globs: tuple[Glob, ...]) -> Iterator[str]:
    """Every visible file that one of `globs` matches, by folders, names in order."""
    states = tuple(glob.start for glob in globs)
    return _Walk(workspace, globs).below(
        _Folder(str(workspace.root), "", states, ignores_around(workspace.root))
    )


@dataclass(frozen=True, slots=True)
class _Folder:
    path: str
    relative: str
    states: Below
    ignores: Ignores | None


class _Walk:
    def __init__(self, workspace: Workspace, globs: tuple[Glob, ...]) -> None:
        self._workspace = workspace
        self._globs = globs
        self._dot_names = any(glob.shows_dot_names for glob in globs)
        self._fixed = tuple(_fixed_beginning(glob) for glob in globs)

    def below(self, top: _Folder) -> Iterator[str]:
        """Files below `top`; a stack of our own, since trees can be deeper than Python's."""
        waiting = [self._entries(top)]
        while waiting:
            entry = next(waiting[-1], None)
            if entry is None:
                waiting.pop()
            elif isinstance(entry, _Folder):
                waiting.append(self._entries(entry))
            else:
                yield entry

    def _entries(self, folder: _Folder) -> Iterator[_Folder | str]:
        """What is wanted of one folder, by name."""
        ignores = ignores_of(Path(folder.path), folder.ignores)
        try:
            with os.scandir(folder.path) as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError:
            return  # gone or unreadable meanwhile: nothing to list
        for entry in entries:
            relative = f"{folder.relative}/{entry.name}" if folder.relative else entry.name
            states = self._step(folder.states, entry.name)
            if states == () or not self._may_show(entry.name, relative):
                continue
            is_folder = entry.is_dir(follow_symlinks=False)
            ignored = ignores is not None and ignores.ignores(entry.path, is_folder=is_folder)
            if ignored and not self._is_named(relative):
                continue
            if is_folder:
                yield _Folder(entry.path, relative, states, None if ignored else ignores)
            elif states is None and entry.is_file():
                yield relative

    def _may_show(self, name: str, relative: str) -> bool:
        if is_git_internal(name) or (name.startswith(".") and not self._dot_names):
            return False
        return self._workspace.is_visible(relative)

    def _step(self, states: Below, name: str) -> Below:
        """States below `name`; None when all of it is wanted, () when nothing can be."""
        if states is None:
            return None
        after = tuple(
            glob.step(state, name) for glob, state in zip(self._globs, states, strict=True)
        )
        if any(glob.accepts(state) for glob, state in zip(self._globs, after, strict=True)):
            return None
        return after if any(after) else ()

    def _is_named(self, relative: str) -> bool:
        """Whether the pattern spells this path out, so that ignore rules do not hide it."""
        return any(f"{fixed}/".startswith(f"{relative}/") for fixed in self._fixed if fixed)


def _fixed_beginning(glob: Glob) -> str:
    fixed: list[str] = []
    for part in glob.parts:
        if any(char in part for char in "*?["):
            break
        fixed.append(part)
    return "/".join(fixed)


def _inside(workspace: Workspace, pattern: str) -> str:
    """`pattern` relative to the root; an absolute one must begin with it."""
    if not pattern.startswith("/"):
        return pattern
    root = str(workspace.root)
    if pattern == root or pattern.startswith(root.rstrip("/") + "/"):
        return pattern[len(root) :].lstrip("/") or "**/*"
    raise OutsideWorkspace(f"`{shown(pattern)}` is outside the workspace")
