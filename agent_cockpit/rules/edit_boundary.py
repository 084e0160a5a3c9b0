"""Which lines of a file may be edited (turns A11). Lines are 0-indexed, both ends inclusive."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EditBoundary:
    """A range of lines; make one with `new`, which refuses what is no range."""

    start: int
    end: int
