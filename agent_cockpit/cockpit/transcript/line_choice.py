"""Lines of the transcript that are chosen with the keyboard, one at a time.

Law: what is chosen stays chosen whatever the width, the folds and the blocks above become: an
end is kept as a place in the words of its block, never as a row of the screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from textual.geometry import Offset
from textual.selection import Selection
from textual.strip import Strip

from agent_cockpit.cockpit.render.page import join_of

if TYPE_CHECKING:
    from agent_cockpit.cockpit.transcript.layout import Layout


class Mark(NamedTuple):
    """A place in a block: its line as it was written, and the characters of it before."""

    key: int
    line: int
    chars: int


class LineChoice:
    """Owns the two ends of what is chosen; the second one moves."""

    def __init__(self) -> None:
        self.shown: Selection | None = None
        """What was selected for it last."""
        self._ends: tuple[Mark, Mark] | None = None

    @property
    def keys(self) -> range:
        """The blocks that the chosen lines are of."""
        if self._ends is None:
            return range(0)
        first, last = sorted(end.key for end in self._ends)
        return range(first, last + 1)

    def blocks_came_before(self, count: int) -> None:
        """So many blocks stand above all that there were."""
        if self._ends is not None:
            first, last = (end._replace(key=end.key + count) for end in self._ends)
            self._ends = (first, last)

    def grow(self, step: int, key: int, layout: Layout, *, seen: range) -> tuple[int, int] | None:
        """Choose a line more, or one less, on the side of the end that moves: the next (1) or the
        one before (-1). The first is the block's own at that side, of the lines that are `seen`
        where it has some there. The block and the line in it that must be in sight; None where
        there is no further line."""
        if self._ends is None:
            rows = _rows(layout, key)
            if not rows:
                return None
            top = layout.lines_of(key).start
            begun, ended = max(rows.start, seen.start - top), min(rows.stop, seen.stop - top)
            rows = range(begun, ended) or rows
            row = rows[0] if step > 0 else rows[-1]
            mark = mark_of(key, layout.drawn.lines(key), row)
            self._ends = (mark, mark)
            return key, row
        anchor, end = self._ends
        place = _beside(end.key, row_of(layout.drawn.lines(end.key), end), step, layout)
        if place is not None:
            key, row = place
            self._ends = (anchor, mark_of(key, layout.drawn.lines(key), row))
        return place

    def selection(self, layout: Layout) -> Selection | None:
        """The chosen lines as a selection of the view, whole lines from the first to the last."""
        self.shown = self._selection(layout)
        return self.shown

    def _selection(self, layout: Layout) -> Selection | None:
        if self._ends is None or any(end.key >= layout.count for end in self._ends):
            return None
        lines = []
        for end in self._ends:
            layout.measure(end.key)
            row = row_of(layout.drawn.lines(end.key), end)
            lines.append(layout.lines_of(end.key).start + row)
        first, last = sorted(lines)
        return Selection(Offset(0, first), Offset(len(layout.line(last).text), last))

    def count(self, layout: Layout) -> int:
        """How many lines of the screen are chosen."""
        chosen = self._selection(layout)
        if chosen is None or chosen.start is None or chosen.end is None:
            return 0
        return chosen.end.y - chosen.start.y + 1


def mark_of(key: int, lines: Sequence[Strip], row: int) -> Mark:
    """The place at which a row of a block begins."""
    written = chars = 0
    for strip in lines[:row]:
        is_last = join_of(strip) == "\n"
        written, chars = (written + 1, 0) if is_last else (written, chars + _chars(strip))
    return Mark(key, written, chars)


def row_of(lines: Sequence[Strip], mark: Mark) -> int:
    """The row of its block that holds a place; the last one where it is there no more."""
    written = chars = 0
    for row, strip in enumerate(lines):
        after = chars + _chars(strip)
        is_last = join_of(strip) == "\n"
        if written == mark.line and (is_last or mark.chars < after):
            return row
        written, chars = (written + 1, 0) if is_last else (written, after)
    return max(0, len(lines) - 1)


def _chars(strip: Strip) -> int:
    return len(strip.text.strip())


def _rows(layout: Layout, key: int) -> range:
    """The rows of a block, the space before it left out."""
    if not layout.measure(key):
        return range(0)
    return range(layout.drawn.space_above(key), len(layout.drawn.lines(key)))


def _beside(key: int, row: int, step: int, layout: Layout) -> tuple[int, int] | None:
    """The next row, or the one before, over the borders of blocks."""
    row += step
    while not (rows := _rows(layout, key)) or row not in rows:
        key += step
        if not 0 <= key < layout.count:
            return None
        rows = _rows(layout, key)
        row = (rows[0] if step > 0 else rows[-1]) if rows else 0
    return key, row
