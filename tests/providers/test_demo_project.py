"""The packaged sample: complete, with one real fault, and independent of the person's git."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agent_cockpit.providers.demo.project import copy_demo_project

FILES = {".gitignore", "README.md", "calc.py", "report.py", "test_calc.py"}


def test_the_copy_is_whole_and_its_test_fails_for_one_reason(tmp_path: Path) -> None:
    root = copy_demo_project(tmp_path / "deep" / "sample")

    assert {path.name for path in root.iterdir()} - {".git"} == FILES
    run = subprocess.run(
        [sys.executable, "-B", "-m", "unittest"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert "6.0 != 4" in run.stderr
    assert "failures=1" in run.stderr


@pytest.mark.skipif(shutil.which("git") is None, reason="needs a git program")
def test_the_copy_is_a_clean_repository(tmp_path: Path) -> None:
    root = copy_demo_project(tmp_path / "sample")

    def git(*words: str) -> str:
        run = subprocess.run(
            ["git", "-C", str(root), *words], capture_output=True, text=True, check=True
        )
        return run.stdout.strip()

    assert git("status", "--porcelain") == ""
    assert git("log", "--format=%an") == "demo"
    assert git("branch", "--show-current") == "main"


@pytest.mark.skipif(shutil.which("git") is None, reason="needs a git program")
def test_the_persons_git_settings_do_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    (hooks / "pre-commit").write_text("#!/bin/sh\nexit 1\n")
    (hooks / "pre-commit").chmod(0o755)
    settings = tmp_path / "gitconfig"
    settings.write_text(f"[core]\n hooksPath = {hooks}\n[commit]\n gpgSign = true\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))

    root = copy_demo_project(tmp_path / "sample")

    assert (root / ".git" / "refs" / "heads" / "main").is_file()
    assert not (tmp_path / "elsewhere").exists()


def test_without_a_git_program_the_copy_is_a_plain_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    root = copy_demo_project(tmp_path / "sample")

    assert {path.name for path in root.iterdir()} == FILES


def test_a_folder_with_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")

    with pytest.raises(FileExistsError, match="is not empty"):
        copy_demo_project(tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
