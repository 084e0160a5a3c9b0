"""The least that changed code must do where nobody knows a better check: be read by its language.

Law: the command only parses what was changed; it runs none of it, and leaves no file behind.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterable, Sequence

from agent_cockpit.events.checks import PlannedCheck

MOST_FILES = 200
"""A command line takes only so much; a change of more files has its own checks, or should."""

FLOOR_KINDS = frozenset({"smoke", "floor"})

_PARSE_PYTHON = (
    "import sys; [compile(open(name, 'rb').read(), name, 'exec') for name in sys.argv[1:]]"
)
"""As `py_compile` does, which would leave a compiled file beside each."""

_PYTHONS = ("python3", "python")
PROGRAMS = (*_PYTHONS, "node", "gofmt", "ruby", "php", "bash")
"""What may be asked to parse; a machine has some of them."""


def takes(plan: Iterable[PlannedCheck]) -> bool:
    """Whether a plan needs a floor: it is empty, or all of it was declared by the model."""
    return all(check.kind == "declared" or check.kind in FLOOR_KINDS for check in plan)


def floor_check(
    changed: Sequence[str],
    programs: Collection[str],
    *,
    is_package: bool = False,
    alone: bool = False,
) -> PlannedCheck | None:
    """One check that parses the changed files, None where no program of the machine can.

    `changed` are files that exist, relative to the workspace. `is_package`: there is a
    `package.json`, so `.js` files may be of a dialect that `node` alone does not read.
    `alone`: no other check is in the plan.
    """
    files = [_as_operand(path) for path in sorted(set(changed))[:MOST_FILES]]
    parts = [
        part
        for suffixes, command in _parsers(programs, is_package)
        if (part := command([file for file in files if file.lower().endswith(suffixes)]))
    ]
    if not parts:
        return None
    kind, provenance = ("smoke" if alone else "floor"), "floor:changed files must parse"
    command = " && ".join(parts)
    return PlannedCheck.model_validate(
        {"name": kind, "command": command, "kind": kind, "provenance": provenance}
    )


_Parser = tuple[tuple[str, ...], Callable[[list[str]], str]]


def _parsers(programs: Collection[str], is_package: bool) -> Iterable[_Parser]:
    python = next((name for name in _PYTHONS if name in programs), None)
    if python:
        yield (".py", ".pyi"), _together(python, "-c", _PARSE_PYTHON)
    if "node" in programs:
        yield (".mjs", ".cjs") if is_package else (".js", ".mjs", ".cjs"), _each("node", "--check")
    if "gofmt" in programs:
        yield (".go",), _together("gofmt", "-l")
    if "ruby" in programs:
        yield (".rb",), _each("ruby", "-c")
    if "php" in programs:
        yield (".php",), _each("php", "-l")
    if "bash" in programs:
        yield (".sh", ".bash"), _each("bash", "-n")


def _together(*words: str) -> Callable[[list[str]], str]:
    return lambda files: shlex.join([*words, *files]) if files else ""


def _each(*words: str) -> Callable[[list[str]], str]:
    """For programs that read their first operand only."""
    return lambda files: " && ".join(shlex.join([*words, file]) for file in files)


def _as_operand(path: str) -> str:
    """No file name may be read as an option."""
    return f"./{path}" if path.startswith("-") else path
