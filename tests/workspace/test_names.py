"""The names that a person may mention."""

from __future__ import annotations

import os
from pathlib import Path

from agent_cockpit.workspace.finding.names import file_names, is_there
from agent_cockpit.workspace.workspace import Workspace
from tests.support.repositories import git


def fill(root: Path) -> Workspace:
    for name in (
        "calc.py",
        "my notes.md",
        "e\u0301.md",
        "[/x].md",
        ".env",
        ".github/ci.yml",
        "build/out.o",
        "src/deep/key.pem",
        "src/a.py",
    ):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    (root / ".gitignore").write_text("build/\n")
    (root / "bad\u202ename").write_text("x")
    (root / "two\nlines").write_text("x")
    Path(os.fsdecode(os.fsencode(root) + b"/not\xffutf8")).write_text("x")
    return Workspace(root)


WANTED = {".github/ci.yml", ".gitignore", "[/x].md", "calc.py", "e\u0301.md", "my notes.md"} | {
    "src/a.py"
}


def test_a_repository_is_listed_without_ignored_secret_and_deceiving_names(tmp_path: Path) -> None:
    workspace = fill(tmp_path)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "calc.py")
    assert set(file_names(workspace)) == WANTED


def test_a_plain_folder_is_listed_alike(tmp_path: Path) -> None:
    assert set(file_names(fill(tmp_path))) == WANTED


def test_only_what_is_still_there_and_inside_is_there(tmp_path: Path) -> None:
    workspace = fill(tmp_path)
    (tmp_path / "out").symlink_to("/etc/hosts")
    assert is_there(workspace, "calc.py")
    assert is_there(workspace, "src/")
    assert not is_there(workspace, "src")
    assert not is_there(workspace, "gone.py")
    assert not is_there(workspace, "out")
    assert not is_there(workspace, ".env")
