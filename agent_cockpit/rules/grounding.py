"""Which files a prompt refers to with `@path`, and with which lines."""

from __future__ import annotations

import re
from dataclasses import dataclass

_REFERENCE = re.compile(r"(?<![\w@.`/])@(?:\"([^\"\n]+)\"(:\d+(?:-\d+)?)?|([^\s@\"']+))")
_LINES = re.compile(r"^(.*?):(\d+)(?:-(\d+))?$")

SHOWN_CHARACTERS = 2000
"""How much of a referenced file goes into the prompt; the model can read on."""


@dataclass(frozen=True, slots=True)
class Reference:
    """One `@path`; lines count from 1, both ends inclusive, None: from the top."""

    path: str
    first_line: int | None = None
    last_line: int | None = None


def references(prompt: str) -> tuple[Reference, ...]:
    """The files that a prompt names, in order, each once.

    An address such as `me@example.org` is none; closing punctuation does not belong to a
    path; quotes hold a path with spaces (`@"my file.txt"`); `@file:10-40` names lines, as
    `@"my file.txt":10-40` does, and `@"my file.txt:10-40"`.
    """
    found: dict[Reference, None] = {}
    for match in _REFERENCE.finditer(prompt):
        quoted, behind, plain = match.groups()
        name = f"{quoted}{behind or ''}" if quoted else plain.rstrip(".,;:!?)]}>'’”")
        lines = _LINES.match(name)
        if lines:
            first = int(lines[2])
            found[Reference(lines[1], first, int(lines[3] or first))] = None
        elif name:
            found[Reference(name)] = None
    return tuple(found)


def mention(path: str, lines: str = "") -> str | None:
    """How a prompt names this path, with `lines` as `:10` or `:10-40`, so that `references`
    finds just that; None for a path that cannot be named so."""
    for written in (f"@{path}{lines}", f'@"{path}"{lines}'):
        found = references(f"{written} ")
        if len(found) == 1 and found[0].path == path and bool(lines) == bool(found[0].first_line):
            return written
    return None
