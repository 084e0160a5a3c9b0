"""Finds the AGENTS.md files that hold for a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from agent_cockpit.errors import ToolRefused
from agent_cockpit.rules.model.project_instructions import InstructionFile
from agent_cockpit.workspace.finding.ignores import Ignores, ignores_around, ignores_of
from agent_cockpit.workspace.project.discovery import Sources, chain, is_file, read_words

NAME = "AGENTS.md"
LARGEST_FILE_BYTES = 1_000_000
OVERRIDE = "AGENTS.override.md"
"""Stands in for the other file of its folder, also when it is empty."""


def find_instructions(sources: Sources) -> tuple[InstructionFile, ...]:
    """The files that hold, lowest precedence first, with those that are left out and why.

    First the person's own, then from the project's top down to the folder, then each added
    folder's project likewise. A file counts once, however it is reached.
    """
    seen: set[str] = set()
    return tuple(
        file
        for path, scope, top in _candidates(sources)
        if (file := _read(path, scope, top, sources, seen)) is not None
    )


def _candidates(sources: Sources) -> Iterator[tuple[Path, str, Path | None]]:
    """Path, scope, and the folder that a link may not leave."""
    if not sources.is_off:
        if (own := _chosen(sources.config_dir)) is not None:
            yield own, "yours", None
        yield from _below(sources.cwd, "project")
    for folder in dict.fromkeys(sources.added):
        yield from _below(folder, "added")


def _below(folder: Path, scope: str) -> Iterator[tuple[Path, str, Path | None]]:
    folders = chain(folder)
    for each in folders:
        if (path := _chosen(each)) is not None:
            yield path, scope, folders[0]


def _chosen(folder: Path) -> Path | None:
    return next((folder / n for n in (OVERRIDE, NAME) if is_file(folder / n)), None)


def _read(
    path: Path, scope: str, top: Path | None, sources: Sources, seen: set[str]
) -> InstructionFile | None:
    canonical = os.path.realpath(path).lower()
    if canonical in seen:
        return None
    seen.add(canonical)
    file = InstructionFile(path=str(path), scope=scope)
    if scope == "project" and path.name == NAME and _is_ignored(path, top):
        return replace(file, problem="git ignores it")
    try:
        text = read_words(
            path,
            within=top,
            sensitive_globs=sources.sensitive_globs,
            limit_bytes=LARGEST_FILE_BYTES,
        )
    except ToolRefused as refused:
        return replace(file, problem=str(refused), text=f"(not shown: {refused})")
    if text is None:
        return replace(file, problem="it is a link to nothing")
    text = text.strip()
    return replace(file, text=text) if text else replace(file, problem="it is empty")


def _is_ignored(path: Path, top: Path | None) -> bool:
    """Whether git leaves the file out; an override may be ignored on purpose and counts.

    Outside a repository nothing is ignored.
    """
    if top is None or not (top / ".git").exists():
        return False
    between = [folder for folder in path.parents if folder != top and folder.is_relative_to(top)]
    ignores: Ignores | None = ignores_of(top, ignores_around(top))
    for folder in reversed(between):
        if ignores is not None and ignores.ignores(str(folder), is_folder=True):
            return True
        ignores = ignores_of(folder, ignores)
    return ignores is not None and ignores.ignores(str(path), is_folder=False)
