"""Which lines a unified diff adds and removes, and in which files; for rules that judge a change.

Law: hunks are read by their counts, so a changed line that looks like a header is still a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(r"\\([0-7]{3}|.)")
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """One `+` or `-` line; `number` counts from 1 in the new file, 0 for a removed line."""

    path: str
    number: int
    sign: Literal["+", "-"]
    text: str


def changed_lines(diff: str) -> Iterator[ChangedLine]:
    """Every added and removed line, in order; damaged diffs give what can be read."""
    path, number, old_left, new_left = "", 0, 0, 0
    for line in diff.split("\n"):
        if old_left > 0 or new_left > 0:
            sign = line[:1]
            if sign == "+":
                yield ChangedLine(path, number, "+", line[1:])
                number, new_left = number + 1, new_left - 1
            elif sign == "-":
                yield ChangedLine(path, 0, "-", line[1:])
                old_left -= 1
            elif sign != "\\":
                number, old_left, new_left = number + 1, old_left - 1, new_left - 1
        elif line.startswith(("+++ ", "--- ")):
            path = header_path(line[4:]) or path
        elif match := _HUNK.match(line):
            old_left = int(match[1] or 1)
            number = int(match[2])
            new_left = int(match[3] or 1)


def split_hunks(diff: str) -> tuple[str, tuple[str, ...]]:
    """What stands before the first hunk of one file's diff, and each hunk with its heading;
    joined by line ends they are the diff."""
    lines = diff.split("\n")
    starts: list[int] = []
    old_left = new_left = 0
    for place, line in enumerate(lines):
        if old_left > 0 or new_left > 0:
            old_left -= line[:1] not in ("+", "\\")
            new_left -= line[:1] not in ("-", "\\")
        elif match := _HUNK.match(line):
            starts.append(place)
            old_left, new_left = int(match[1] or 1), int(match[3] or 1)
    cuts = [*starts, len(lines)]
    hunks = tuple("\n".join(lines[start:end]) for start, end in pairwise(cuts))
    return "\n".join(lines[: cuts[0]]), hunks


def header_path(header: str) -> str:
    """The path of a `---`/`+++` header without its `a/` or `b/`; empty for `/dev/null`.

    Names that git quoted (`"b/caf\\303\\251"`) come back as they are on the disk.
    """
    name = header.rstrip("\r").split("\t", 1)[0] if not header.startswith('"') else header
    name = name.strip()
    if name.startswith('"') and name.endswith('"') and len(name) > 1:
        name = _unquoted(name[1:-1])
    if name == "/dev/null":
        return ""
    return name[2:] if name.startswith(("a/", "b/")) else name


def _unquoted(name: str) -> str:
    """Git's C-style quoting undone; octal escapes are bytes of UTF-8."""
    raw = bytearray()
    position = 0
    for match in _ESCAPE.finditer(name):
        raw += name[position : match.start()].encode("utf-8", "surrogateescape")
        code = match[1]
        if len(code) == 3:
            raw.append(int(code, 8) & 0xFF)
        else:
            raw += _LETTERS.get(code, code).encode("utf-8", "surrogateescape")
        position = match.end()
    raw += name[position:].encode("utf-8", "surrogateescape")
    return raw.decode("utf-8", "replace")
