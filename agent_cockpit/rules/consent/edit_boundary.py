"""Which lines of a file may be edited. Lines are 0-indexed, both ends inclusive."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EditBoundary:
    """A range of lines; make one with `new`, which refuses what is no range."""

    start: int
    end: int

    @classmethod
    def new(cls, start: int, end: int) -> EditBoundary:
        """The range from `start` to `end`; `ValueError` names both where they make none."""
        if start < 0 or end < 0:
            raise ValueError(f"no range from line {start} to line {end}: lines must be >= 0")
        if start > end:
            raise ValueError(f"no range from line {start} to line {end}: start must not exceed end")
        return cls(start, end)

    def contains_line(self, line: int) -> bool:
        """Whether `line` may be edited."""
        return self.start <= line <= self.end

    def contains_range(self, first: int, last: int) -> bool:
        """Whether all of `first` to `last` may be edited: both ends lie inside."""
        return self.start <= first <= last <= self.end

    def adjust(self, edit_line: int, delta: int) -> EditBoundary:
        """The range after an edit at `edit_line` made the file `delta` lines longer.

        An edit below leaves it, one above moves it (never past line 0), one inside
        stretches or shrinks it, but never to less than its first line.
        """
        if edit_line > self.end:
            return self
        if edit_line < self.start:
            return EditBoundary(max(0, self.start + delta), max(0, self.end + delta))
        return EditBoundary(self.start, max(self.start, self.end + delta))

    @property
    def words(self) -> str:
        """The range as people count lines, from 1: `line 3` or `lines 3-10`."""
        return span_words(self.start, self.end)


def span_words(first: int, last: int) -> str:
    """0-indexed lines in the words of people, who count from 1."""
    return f"line {first + 1}" if first == last else f"lines {first + 1}-{last + 1}"
