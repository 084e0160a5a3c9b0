"""The project's own files about its checks, read with bounds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent_cockpit.workspace.project.check_files import (
    MAX_FILE_BYTES,
    MAX_FILES_A_FOLDER,
    find_checks,
    present_python,
    read_check_files,
)


def test_only_the_candidates_are_read(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "test_a.py", "tests/test_b.py", "src/test_c.py", "main.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(name)
    (tmp_path / ".github/workflows").mkdir(parents=True)
    (tmp_path / ".github/workflows/ci.yml").write_text("run: tox")
    assert set(read_check_files(tmp_path)) == {
        ".github/workflows/ci.yml",
        "pyproject.toml",
        "test_a.py",
        "tests/test_b.py",
    }


def test_a_project_without_any_of_them_has_no_checks(tmp_path: Path) -> None:
    assert read_check_files(tmp_path) == {}
    assert read_check_files(tmp_path / "missing") == {}
    assert find_checks(tmp_path) == ()


def test_hostile_files_are_bounded_or_left_out(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_bytes(b"\xff" * (MAX_FILE_BYTES * 2))
    (tmp_path / "package.json").mkdir()
    os.mkfifo(tmp_path / "tox.ini")
    (tmp_path / "go.mod").symlink_to("/dev/zero")
    for number in range(MAX_FILES_A_FOLDER + 20):
        (tmp_path / f"test_{number:03}.py").touch()
    texts = read_check_files(tmp_path)
    assert len(texts["Makefile"]) == MAX_FILE_BYTES
    assert len(texts) == MAX_FILES_A_FOLDER + 1


@pytest.mark.parametrize(
    ("programs", "command", "expected"),
    [
        (["python3"], "python -m pytest", "python3 -m pytest"),
        (["python", "python3"], "python -m pytest", "python -m pytest"),
        ([], "python -m pytest", "python -m pytest"),
        (["python3"], "pythonic x", "pythonic x"),
        (["python3"], "make test", "make test"),
    ],
)
def test_python3_stands_in_for_a_missing_python(
    tmp_path: Path, programs: list[str], command: str, expected: str
) -> None:
    for program in programs:
        (tmp_path / program).touch(mode=0o755)
    assert present_python(command, search_path=str(tmp_path)) == expected
