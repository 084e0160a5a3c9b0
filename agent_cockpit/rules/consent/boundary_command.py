"""The argument of `/boundary`, in which people count lines from 1."""

from __future__ import annotations

import re
from dataclasses import dataclass

BOUNDARY_USAGE = (
    "write /boundary PATH A-B, for example /boundary calc.py 3-10, or /boundary clear [PATH]"
)


@dataclass(frozen=True, slots=True)
class SetBoundary:
    """Restrict edits of `path` to lines `start` to `end`, counted from 0, both included."""

    path: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ClearBoundary:
    """Lift the boundary of `path`; of every file where it is None."""

    path: str | None


def parse_boundary(argument: str) -> SetBoundary | ClearBoundary:
    """What `/boundary` was asked to do; the path as it was typed, without quotes around it.

    `ValueError` says what to write instead. A file named `clear` is written `./clear`.
    """
    argument = argument.strip()
    first, *rest = argument.split(None, 1) or [""]
    if first == "clear":
        return ClearBoundary(_unquoted(rest[0]) if rest else None)
    match = _RANGE_AT_END.search(argument)
    path = _unquoted(argument[: match.start()]) if match else ""
    if not match or not path:
        raise ValueError(BOUNDARY_USAGE)
    start, end = int(match["start"]), int(match["end"] or match["start"])
    if start < 1 or end < 1:
        raise ValueError(f"no lines {start}-{end}: lines count from 1")
    if start > end:
        raise ValueError(f"no lines {start}-{end}: write the smaller number first")
    return SetBoundary(path, start - 1, end - 1)


_RANGE_AT_END = re.compile(
    r"\s(?P<start>[0-9]{1,9})(?:\s?[-–:]\s?(?P<end>[0-9]{1,9}))?\Z",
)


def _unquoted(path: str) -> str:
    path = path.strip()
    return path[1:-1] if len(path) > 1 and path[0] == path[-1] and path[0] in "'\"`" else path
