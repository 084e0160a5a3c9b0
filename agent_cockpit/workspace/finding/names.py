"""The names of all files that a person may mention: as git lists them, else by walking.

Law: no name is given that `Workspace.is_visible` hides, and none that a screen cannot show.
"""

from __future__ import annotations

import time
from itertools import islice
from pathlib import Path

from agent_cockpit.errors import GitFailed, ToolRefused
from agent_cockpit.text import clean
from agent_cockpit.workspace.finding.globs import parse_glob
from agent_cockpit.workspace.finding.listing import walk
from agent_cockpit.workspace.git import Git, find_repository
from agent_cockpit.workspace.workspace import Workspace

MOST_NAMES = 300_000
DEADLINE_S = 30.0
"""A walk through a tree without a repository ends here, with what it found."""


def file_names(workspace: Workspace) -> list[str]:
    """Files relative to the root, without ignored ones; a repository within ends in `/`.
    Blocks, for seconds in a large tree."""
    names = _listed(workspace.root)
    if names is None:
        names = _walked(workspace)
    return [name for name in names if _may_show(name) and workspace.is_visible(name.rstrip("/"))]


def is_there(workspace: Workspace, name: str) -> bool:
    """Whether a name that was listed earlier is still a file, or with a `/` a folder, inside."""
    try:
        place = workspace.locate(name).path
    except ToolRefused:
        return False
    return place.is_dir() if name.endswith("/") else place.is_file()


def _listed(root: Path) -> list[str] | None:
    """As git knows them: tracked and new; None without git or a repository."""
    git = Git("git")
    try:
        if find_repository(git, root) is None:
            return None
        excludes = git.user_setting("core.excludesFile", root)
        settings = {"core.excludesFile": excludes} if excludes else {}
        asked = ("ls-files", "-z", "-c", "-o", "--exclude-standard")
        names = git.names(*asked, cwd=root, settings=settings)
    except GitFailed:
        return None  # what git cannot list is walked
    return list(dict.fromkeys(names[:MOST_NAMES]))


def _walked(workspace: Workspace) -> list[str]:
    stop_s = time.monotonic() + DEADLINE_S
    names = []
    globs = (*parse_glob("**/*"), *parse_glob("**/.*"))
    for name in islice(walk(workspace, globs), MOST_NAMES):
        names.append(name)
        if time.monotonic() > stop_s:
            break
    return names


def _may_show(name: str) -> bool:
    if name.isascii() and name.isprintable():
        return True
    return "\n" not in name and "\t" not in name and clean(name) == name
