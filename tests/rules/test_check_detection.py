"""A project's checks, from the words of its own files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.rules.checks.check_detection import (
    MAKEFILES,
    MANIFESTS,
    detect_checks,
    plan_checks,
)
from agent_cockpit.rules.checks.ci_commands import classify
from agent_cockpit.settings import HarnessConfig

CI = ".github/workflows/ci.yml"
PYTEST, RUFF = "python -m pytest", "python -m ruff check"
UNITTEST = "import unittest\n\nclass T(unittest.TestCase): ...\n"


def found(files: dict[str, str]) -> list[str]:
    return [f"{check.kind} {check.command} ({check.provenance})" for check in detect_checks(files)]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "package.json",
            '{"scripts": {"test": "jest", "lint": "eslint ."}}',
            "npm test|npm run lint",
        ),
        ("package.json", '{"scripts": {"test": "echo \\"Error: no test specified\\""}}', ""),
        ("package.json", '{"scripts": ["test"]}', ""),
        ("package.json", "[" * 100_000, ""),
        ("pyproject.toml", "[tool.pytest.ini_options]\n[tool.ruff]\n", f"{PYTEST}|{RUFF}"),
        ("pyproject.toml", "[project]\ndependencies = ['PyTest >= 8']", PYTEST),
        (
            "pyproject.toml",
            "[dependency-groups]\ndev = ['pytest==8', {include-group = 'x'}]",
            PYTEST,
        ),
        ("pyproject.toml", "[tool.poetry.group.dev.dependencies]\npytest = '*'", PYTEST),
        ("pyproject.toml", "[project]\ndependencies = ['pytest-is-not-it']", ""),
        ("pyproject.toml", "[[[", ""),
        (
            "requirements-dev.txt",
            "# tools\nruff\npytest[x]>=8 ; python_version > '3'\n",
            f"{PYTEST}|{RUFF}",
        ),
        ("setup.cfg", "[tool:pytest]\n", PYTEST),
        ("pytest.ini", "", PYTEST),
        ("tox.ini", "[testenv]\ncommands = pytest", "python -m tox"),
        ("noxfile.py", "import nox", "python -m nox"),
        ("Cargo.toml", "[package]", "cargo test"),
        ("go.mod", "module x", "go test ./...|go vet ./..."),
        (".pre-commit-config.yaml", "repos: []", "python -m pre_commit run --all-files"),
        (
            "Makefile",
            ".PHONY: test lint\nall: x\ntest lint: all\n\tpytest\n",
            "make test|make lint",
        ),
        ("GNUmakefile", "tests:\n\techo\nX := test:\n", "make tests"),
        ("Makefile", "latest: x\n\ttest: y\n", ""),
        ("test_calc.py", UNITTEST, "python -m unittest"),
        ("tests/test_calc.py", UNITTEST, "python -m unittest discover -s tests"),
        ("test_calc.py", "from unittest.mock import Mock\n", "python -m unittest"),
        ("test_calc.py", "import pytest\nimport unittest\n", PYTEST),
        ("test_calc.py", "def test_a(): ...\n", ""),
    ],
)
def test_a_manifest_says_how_a_project_is_checked(name: str, text: str, expected: str) -> None:
    commands = [check.command for check in detect_checks({name: text})]
    assert commands == [command for command in expected.split("|") if command]


def test_a_package_of_unittests_is_run_from_the_root() -> None:
    files = {"tests/__init__.py": "", "tests/test_a.py": UNITTEST}
    assert found(files) == ["test python -m unittest (manifest:unittest)"]


def test_ci_wins_over_manifests_these_over_makefile_and_that_over_test_files() -> None:
    files = {
        CI: "steps:\n  - run: uv run pytest -q\n",
        "pyproject.toml": "[tool.pytest]\n[tool.ruff]\n",
        "Makefile": "test:\nlint:\n",
        "test_a.py": UNITTEST,
    }
    assert found(files) == [
        f"test uv run pytest -q (ci:{CI})",
        "lint python -m ruff check (manifest:pyproject.toml)",
    ]
    del files[CI], files["pyproject.toml"]
    assert found(files) == [
        "test make test (makefile:Makefile)",
        "lint make lint (makefile:Makefile)",
    ]


def test_the_first_workflow_by_name_wins() -> None:
    files = {".github/workflows/b.yml": "run: tox", ".github/workflows/a.yaml": "run: nox"}
    assert found(files) == ["test nox (ci:.github/workflows/a.yaml)"]


def test_block_scalars_continuations_and_lists_of_commands_are_read() -> None:
    workflow = """
jobs:
  test:
    steps:
      - name: pytest is only a name
        run: |
          pip install pytest && cd x
          CI=1 python3.11 -m pytest \\
            -q tests; echo done

      - run: >
          npx
          eslint .
      - uses: x
"""
    assert [check.command for check in detect_checks({CI: workflow})] == [
        "CI=1 python3.11 -m pytest -q tests",
        "npx eslint .",
    ]


@pytest.mark.parametrize(
    "run",
    [
        "pytest ${{ matrix.args }}",
        "pytest $ARGS",
        "pytest | tee log",
        "pytest > log",
        "pytest & sleep 1",
        "echo pytest",
        "pip install pytest",
        "pytest 'unbalanced",
        "",
    ],
)
def test_what_cannot_be_run_here_as_it_stands_is_left_out(run: str) -> None:
    assert detect_checks({CI: f"- run: {run}\n"}) == ()


def test_a_workflow_that_works_in_a_sub_folder_is_left_out() -> None:
    assert detect_checks({CI: "- run: pytest\n  working-directory: api\n"}) == ()


@pytest.mark.parametrize(
    ("command", "slot"),
    [
        ("pytest", "test"),
        ("/usr/bin/pytest -q", "test"),
        ("sudo env A=1 uv run python -m unittest", "test"),
        ("npm run test:unit", "test"),
        ("yarn test", "test"),
        ("pnpm run lint-all", "lint"),
        ("npm install", None),
        ("make -k test", "test"),
        ("make all", None),
        ("go vet ./...", "lint"),
        ("cargo clippy -- -D warnings", "lint"),
        ("./gradlew test", "test"),
        ("python test.py", None),
        ("A=1", None),
        ("", None),
    ],
)
def test_a_command_is_told_by_the_program_it_runs(command: str, slot: str | None) -> None:
    assert classify(command) == slot


def test_settings_win_slot_by_slot() -> None:
    detected = detect_checks({"go.mod": ""})
    plan = plan_checks(HarnessConfig(test_command=" make it "), detected)
    assert [(check.name, check.command, check.provenance) for check in plan] == [
        ("tests", "make it", "config:test_command"),
        ("lint", "go vet ./...", "manifest:go.mod"),
    ]
    assert plan_checks(HarnessConfig(), detected) == detected
    assert plan_checks(HarnessConfig(), ()) == ()


NAMES = st.sampled_from([*MANIFESTS, *MAKEFILES, CI, "test_a.py", "tests/test_b.py", "conftest.py"])


@given(st.dictionaries(NAMES, st.text()))
def test_no_file_makes_it_raise_and_there_is_one_check_a_slot(files: dict[str, str]) -> None:
    checks = detect_checks(files)
    kinds = [check.kind for check in checks]
    assert kinds == sorted(set(kinds), reverse=True)
    assert all(check.command and check.provenance for check in checks)
