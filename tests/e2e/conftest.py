"""A home of its own for the installed command, and a project with a bug for it to mend."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.installed import clean_environment
from tests.support.repositories import make_repository

CALC = '''def average(numbers: list[float]) -> float:
    """The mean of the numbers."""
    total = sum(numbers)
    return total / (len(numbers) - 1)
'''
TESTS = """import unittest

from calc import average


class AverageTest(unittest.TestCase):
    def test_three(self) -> None:
        self.assertEqual(average([2, 4, 6]), 4, "the mean of 2, 4 and 6")
"""


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """What the command finds in its environment: nothing of the person who runs the tests."""
    return clean_environment(tmp_path / "home") | {
        "AGENT_COCKPIT_TEST_COMMAND": f"{Path(sys.executable).name} -m unittest",
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
    }


@pytest.fixture
def programs_without_git() -> Iterator[Path]:
    """A folder for PATH with a shell, a Python, and nothing else of note.

    Not below the temporary folder, where commands in a sandbox see files of their own.
    """
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="agent-cockpit-programs-") as name:
        for program in ("sh", "bash", "env", "cat", "mkdir", "sleep"):
            if found := shutil.which(program):
                (Path(name) / program).symlink_to(found)
        (Path(name) / "python3").symlink_to(Path(sys.executable).resolve())
        yield Path(name)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository of one commit whose one test fails."""
    return make_repository(
        tmp_path / "project",
        {"calc.py": CALC, "test_calc.py": TESTS, ".gitignore": "__pycache__/\n"},
    )
