"""Real git repositories for tests, made with settings that no machine can change."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
}


def git(folder: Path, *arguments: str) -> str:
    """What a git command prints; fails the test when the command fails."""
    done = subprocess.run(
        ["git", "-c", "init.defaultBranch=main", *arguments],
        cwd=folder,
        env=_ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def make_repository(folder: Path, files: dict[str, str] | None = None) -> Path:
    """A repository in `folder`; with `files`, they are its one commit."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q")
    if files:
        write(folder, files)
        git(folder, "add", "-A", "-f")
        git(folder, "commit", "-q", "-m", "first")
    return folder


def write(folder: Path, files: dict[str, str]) -> None:
    """Files by their names relative to `folder`, byte for byte."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def private_parts(folder: Path) -> dict[str, bytes]:
    """Every file of the repository's `.git`, by name: equal means untouched."""
    inside = folder / ".git"
    return {
        path.relative_to(inside).as_posix(): path.read_bytes()
        for path in sorted(inside.rglob("*"))
        if path.is_file()
    }
