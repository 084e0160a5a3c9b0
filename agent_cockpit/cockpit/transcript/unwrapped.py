"""The text that drawn lines show, wrapped lines made whole, and the way back to the lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from textual.strip import Strip

from agent_cockpit.cockpit.render.page import join_of

Span = tuple[int, int]


class Mark(NamedTuple):
    """A range of a line's characters that belongs to hit `number` of its block."""

    start: int
    end: int
    number: int


class Unwrapped:
    """`text` of a block's lines without gutter and indents of wrapped lines."""

    def __init__(self, strips: Sequence[Strip], gutter: int) -> None:
        self._starts: list[int] = []
        self._firsts: list[int] = []
        self._sizes: list[int] = []
        parts: list[str] = []
        at, is_whole = 0, True
        for strip in strips:
            line = strip.text.rstrip()
            first = gutter if is_whole else len(line) - len(line.lstrip())
            piece, join = line[first:], join_of(strip)
            self._starts.append(at)
            self._firsts.append(first)
            self._sizes.append(len(piece))
            parts += [piece, join]
            at += len(piece) + len(join)
            is_whole = join == "\n"
        self.text = "".join(parts[:-1])

    def line_of(self, offset: int) -> int:
        """The line that shows this character of the text."""
        return max(0, bisect_right(self._starts, offset) - 1)

    def ranges(self, spans: Iterable[Span]) -> dict[int, list[Mark]]:
        """For each line the character ranges of its strip that these spans of the text cover."""
        found: dict[int, list[Mark]] = {}
        for number, (start, end) in enumerate(spans):
            line = self.line_of(start)
            while line < len(self._starts) and self._starts[line] < end:
                first = max(0, start - self._starts[line])
                last = min(self._sizes[line], end - self._starts[line])
                if last > first:
                    shift = self._firsts[line]
                    found.setdefault(line, []).append(Mark(first + shift, last + shift, number))
                line += 1
        return found
