"""A fresh copy of the packaged sample project, for the demo to work on."""

from __future__ import annotations

import os
import shutil
import subprocess
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

_GIT_DEADLINE_S = 20
_SETTINGS = (
    "user.name=demo",
    "user.email=demo@localhost",
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "commit.gpgSign=false",
    "init.templateDir=",
)


def copy_demo_project(target: Path) -> Path:
    """Copy the sample project into `target` (made if missing) and return it, resolved.

    Where a git program works the copy is a repository with one commit; without one it is a
    plain folder. A `target` that holds files already raises `FileExistsError`.
    """
    target.mkdir(parents=True, exist_ok=True)
    if any(target.iterdir()):
        raise FileExistsError(f"`{target}` is not empty; the demo needs a folder of its own")
    _copy(resources.files("agent_cockpit") / "demo_project", target)
    target = target.resolve()
    _commit(target)
    return target


def _copy(source: Traversable, target: Path) -> None:
    for entry in source.iterdir():
        if entry.name == "__pycache__":
            continue
        if entry.is_dir():
            (target / entry.name).mkdir()
            _copy(entry, target / entry.name)
        else:
            (target / entry.name).write_bytes(entry.read_bytes())


def _commit(folder: Path) -> None:
    """One commit of everything; a git that fails leaves a plain folder."""
    git = shutil.which("git")
    if git is None:
        return
    steps = (
        ("init", "--quiet", "--initial-branch=main"),
        ("add", "--all"),
        ("commit", "--quiet", "--no-verify", "--message", "A small project with a failing test"),
    )
    if not all(_git(git, folder, step) for step in steps):
        shutil.rmtree(folder / ".git", ignore_errors=True)


def _git(git: str, folder: Path, step: tuple[str, ...]) -> bool:
    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    try:
        run = subprocess.run(
            [git, *settings, *step],
            cwd=folder,
            env=own | quiet,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_GIT_DEADLINE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return run.returncode == 0
