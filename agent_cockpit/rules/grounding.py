"""Which files a prompt refers to with `@path`, and with which lines."""

from __future__ import annotations

import re
from dataclasses import dataclass

_REFERENCE = re.compile(r"(?<![\w@.`/])@(\"[^\"\n]+\"|[^\s@\"']+)")
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
    path; quotes hold a path with spaces (`@"my file.txt"`); `@file:10-40` names lines.
    """
    found: dict[Reference, None] = {}
    for match in _REFERENCE.finditer(prompt):
        word = match[1]
        name = word[1:-1] if word.startswith('"') else word.rstrip(".,;:!?)]}>'’”")
        lines = _LINES.match(name)
        if lines:
            first = int(lines[2])
            found[Reference(lines[1], first, int(lines[3] or first))] = None
        elif name:
            found[Reference(name)] = None
    return tuple(found)
