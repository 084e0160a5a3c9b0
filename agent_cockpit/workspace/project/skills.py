"""Finds the skills that there are: folders with a SKILL.md, of the project and of the person."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from agent_cockpit.errors import ToolRefused
from agent_cockpit.rules.model.skills import BrokenSkill, Skill, named, parse_skill
from agent_cockpit.text import clean_line
from agent_cockpit.workspace.project.discovery import Sources, chain, is_file, read_words
from agent_cockpit.workspace.workspace import Workspace

FILE = "SKILL.md"
IN_PROJECT = Path(".agents") / "skills"
IN_CONFIG = "skills"

LARGEST_FILE_BYTES = 256_000
_MOST_FOLDERS = 200
"""Of one skills folder: a start must stay quick in a hostile tree, too."""


@dataclass(frozen=True, slots=True)
class FoundSkills:
    """The skills, by scope and name, and the files that are left out."""

    skills: tuple[Skill, ...] = ()
    broken: tuple[BrokenSkill, ...] = ()


def find_skills(sources: Sources, workspace: Workspace) -> FoundSkills:
    """All skills: the project's, those of added folders, the person's own.

    In a project, nearer folders come before those above. The model is told only of those
    whose file it may read; a person may call the others.
    """
    skills: list[Skill] = []
    broken: list[BrokenSkill] = []
    for folder, scope, top in _places(sources):
        path = folder / FILE
        try:
            text = read_words(
                path,
                within=top,
                sensitive_globs=sources.sensitive_globs,
                limit_bytes=LARGEST_FILE_BYTES,
            )
            if text is None:
                raise ToolRefused("it is a link to nothing")
            skill = parse_skill(text, folder=folder.name, scope=scope, path=str(path))
        except (ToolRefused, ValueError) as problem:
            broken.append(BrokenSkill(path=str(path), problem=clean_line(str(problem))))
        else:
            skills.append(skill if _may_read(path, workspace) else replace(skill, is_listed=False))
    return FoundSkills(named(skills), tuple(broken))


def own_skills(config_dir: Path) -> Path:
    """The person's own skills, which the model may read although they lie elsewhere."""
    return config_dir / IN_CONFIG


def _places(sources: Sources) -> Iterator[tuple[Path, str, Path | None]]:
    """Skill folders, their scope, and the folder that a link may not leave."""
    if not sources.is_off:
        yield from _of_project(sources.cwd, "project")
    for added in dict.fromkeys(sources.added):
        yield from _of_project(added, "added")
    if not sources.is_off:
        yield from ((folder, "yours", None) for folder in _children(own_skills(sources.config_dir)))


def _of_project(folder: Path, scope: str) -> Iterator[tuple[Path, str, Path | None]]:
    folders = chain(folder)
    for each in reversed(folders):
        for child in _children(each / IN_PROJECT):
            yield child, scope, folders[0]


def _children(folder: Path) -> Iterator[Path]:
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208 - names are enough, one call
    except OSError:
        return
    yield from (folder / n for n in islice(names, _MOST_FOLDERS) if is_file(folder / n / FILE))


def _may_read(path: Path, workspace: Workspace) -> bool:
    try:
        workspace.locate_to_read(str(path))
    except ToolRefused:
        return False
    return True
