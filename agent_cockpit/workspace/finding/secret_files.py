"""Whether a search through the folders of the workspace would come by a secret file.

Law: what cannot be found out in time counts as yes.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path

from agent_cockpit.errors import GitFailed, ToolRefused
from agent_cockpit.workspace.finding.ignores import Ignores, ignores_around, ignores_of
from agent_cockpit.workspace.git import Git, find_repository
from agent_cockpit.workspace.workspace import Workspace

MOST_NAMES = 30_000
"""Looked at before one command is judged; a larger tree counts as one with secrets."""


def sweeps_with_secrets(workspace: Workspace, sweeps: Collection[str]) -> frozenset[str]:
    """Those of `sweeps` (`judgement.Sweep`) that would show a file which may hold secrets."""
    return frozenset(sweep for sweep in sweeps if _comes_by_secrets(workspace, sweep))


def _comes_by_secrets(workspace: Workspace, sweep: str) -> bool:
    match sweep:
        case "tracked":
            names = _tracked(workspace.root)
        case "visible":
            names = _below(workspace.root, as_rg=True)
        case _:
            names = _below(workspace.root, as_rg=False)
    for count, name in enumerate(names):
        if count >= MOST_NAMES or not workspace.is_visible(name):
            return True
        if sweep == "all" and not _stays(workspace, name):
            return True
    return False


def _stays(workspace: Workspace, name: str) -> bool:
    """Whether a name is no link, or one to a file that may be shown."""
    try:
        return not (workspace.root / name).is_symlink() or bool(workspace.locate(name))
    except (ToolRefused, OSError):
        return False


def _tracked(root: Path) -> Iterator[str]:
    git = Git("git")
    try:
        if find_repository(git, root) is not None:
            yield from git.names("ls-files", "-z", cwd=root)
    except GitFailed:
        return  # what git cannot list here, the command's git cannot show


def _below(root: Path, *, as_rg: bool) -> Iterator[str]:
    """Names relative to the root, folders too; `as_rg`: neither hidden nor ignored ones."""
    waiting: list[tuple[str, Ignores | None]] = [("", ignores_around(root) if as_rg else None)]
    while waiting:
        relative, above = waiting.pop()
        folder = root / relative
        ignores = ignores_of(folder, above) if as_rg else None
        try:
            with os.scandir(folder) as scan:
                entries = list(scan)
        except OSError:
            continue  # gone or unreadable meanwhile: no command can read it either
        for entry in entries:
            if entry.name == ".git" or (as_rg and entry.name.startswith(".")):
                continue
            is_folder = entry.is_dir(follow_symlinks=False)
            if ignores is not None and ignores.ignores(entry.path, is_folder=is_folder):
                continue
            name = f"{relative}/{entry.name}" if relative else entry.name
            yield name
            if is_folder:
                waiting.append((name, ignores))
