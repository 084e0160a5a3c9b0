"""Which program a command really runs, told by its words; for rules about checks.

Consent never rests on this: it asks `wrappers`, which knows what each wrapper does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_PYTHON = re.compile(r"python[0-9.]*|py")
_STARTERS = frozenset({"sudo", "npx", "env", "time", "nice", "nohup", "exec"})
_RUN_FIRST = frozenset({"uv", "poetry", "pdm", "hatch"})


def unwrapped(words: Sequence[str]) -> list[str]:
    """The words from the program on that does the work: without assignments, `sudo`,
    `uv run`, `npx`, `python -m`."""
    rest = list(words)
    while rest:
        name, following = name_of(rest[0]), rest[1:2]
        if _ASSIGNMENT.match(rest[0]) or name in _STARTERS:
            rest = rest[1:]
        elif (
            name == "timeout"
            or (name in _RUN_FIRST and following == ["run"])
            or (_PYTHON.fullmatch(name) and following == ["-m"])
        ):
            rest = rest[2:]
        else:
            break
    return rest


def program_of(words: Sequence[str]) -> str:
    """The name of the program that does the work; empty when there is none."""
    return name_of("".join(unwrapped(words)[:1]))


def name_of(program: str) -> str:
    """A program as it is called, without its folder."""
    return program.rpartition("/")[2]
