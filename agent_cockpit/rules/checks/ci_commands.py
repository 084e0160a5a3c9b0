"""Test and lint commands found in the `run:` lines of a CI workflow, told by their program."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Literal

from agent_cockpit.rules.shell.real_program import name_of, unwrapped

_RUN = re.compile(r"^(\s*)(?:-\s+)?run:\s*(.*)$")
_SPLIT = re.compile(r"&&|\|\||;")

_NEEDS_CI = re.compile(r"[$|&<>`]")
"""Values that only the CI has, and pipes and redirections, which hide an exit code."""

_PROGRAMS: dict[str, Literal["test", "lint"]] = {
    **dict.fromkeys(
        ("pytest", "tox", "nox", "unittest", "jest", "vitest", "rspec", "ctest"), "test"
    ),
    **dict.fromkeys(("ruff", "flake8", "pylint", "mypy", "pyright", "pyrefly", "eslint"), "lint"),
    **dict.fromkeys(("golangci-lint", "rubocop", "biome", "pre-commit", "pre_commit"), "lint"),
}
_RUNNERS: dict[str, dict[str, Literal["test", "lint"]]] = {
    "make": {"test": "test", "tests": "test", "lint": "lint"},
    "go": {"test": "test", "vet": "lint"},
    "cargo": {"test": "test", "clippy": "lint"},
    "mvn": {"test": "test"},
    "gradle": {"test": "test"},
    "gradlew": {"test": "test"},
}
_SCRIPT_RUNNERS = frozenset({"npm", "yarn", "pnpm"})


def ci_commands(workflow: str) -> Iterator[tuple[Literal["test", "lint"], str]]:
    """Every test or lint command of a workflow's text, in order, as it stands there.

    Left out: what needs the CI's own values, hides its exit code, or runs in a sub-folder.
    """
    if "working-directory:" in workflow:
        return
    for line in _run_lines(workflow):
        for piece in _SPLIT.split(line):
            command = piece.strip()
            slot = classify(command)
            if slot and not _NEEDS_CI.search(command):
                yield slot, command


def classify(command: str) -> Literal["test", "lint"] | None:
    """What one simple command is for, by the program that it really runs."""
    try:
        words = shlex.split(command, comments=True)
    except ValueError:
        return None
    words = unwrapped(words)
    if not words:
        return None
    program, following = name_of(words[0]), words[1:]
    if program in _PROGRAMS:
        return _PROGRAMS[program]
    operands = [word for word in following if not word.startswith("-")]
    if program in _SCRIPT_RUNNERS:
        return _script(operands)
    if operands and program in _RUNNERS:
        return _RUNNERS[program].get(operands[0])
    return None


def _script(operands: list[str]) -> Literal["test", "lint"] | None:
    if operands[:1] == ["test"]:
        return "test"
    script = operands[1] if operands[:1] == ["run"] and len(operands) > 1 else ""
    if script.startswith("test"):
        return "test"
    return "lint" if script.startswith("lint") else None


def _run_lines(workflow: str) -> Iterator[str]:
    lines = iter(workflow.splitlines())
    pending = next(lines, None)
    while pending is not None:
        match = _RUN.match(pending)
        pending = next(lines, None)
        if not match:
            continue
        value = match[2].strip()
        if value[:1] not in ("|", ">"):
            yield _unquoted(value)
            continue
        indent = len(match[1])
        block: list[str] = []
        while pending is not None and (
            not pending.strip() or len(pending) - len(pending.lstrip()) > indent
        ):
            block.append(pending.strip())
            pending = next(lines, None)
        joined = " ".join(block) if value[0] == ">" else re.sub(r"\s*\\\n", " ", "\n".join(block))
        yield from joined.split("\n")


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
