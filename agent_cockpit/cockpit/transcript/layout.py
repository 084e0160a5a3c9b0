"""Where blocks stand: line numbers, the reading position, and what had to be drawn to know.

Laws: only what is visible and a screen around it is measured, the rest is guessed. The
reading position is a line of a block, so it outlives every new measure above it.
"""

from __future__ import annotations

from typing import NamedTuple

from textual.strip import Strip

from agent_cockpit.cockpit.transcript.drawn import BlockSource, Drawn
from agent_cockpit.cockpit.transcript.heights import Heights


class Position(NamedTuple):
    """Where a person reads: a line of a block at the top, or always the end."""

    key: int
    line: int
    is_at_end: bool


class Layout:
    """Owns the heights of all blocks and the reading position.

    `view` is everywhere the number of visible lines; lines count from 0 over all blocks.
    """

    def __init__(self, drawn: Drawn) -> None:
        self.drawn = drawn
        self.is_at_end = True
        self._unseen: set[int] = set()
        """Blocks that came, or went on out of sight, while the person read further up."""
        self._heights = Heights()
        self._top = (0, 0)
        self.take_new()

    @property
    def unseen(self) -> int:
        """How many blocks have something that the person cannot have seen."""
        return len(self._unseen)

    @property
    def total(self) -> int:
        """Lines of all blocks, as far as they are known."""
        return self._heights.total

    @property
    def count(self) -> int:
        """Blocks that have a place."""
        return len(self._heights)

    @property
    def position(self) -> Position:
        """Where the person reads; what was read may be put back."""
        return Position(*self._top, self.is_at_end)

    @position.setter
    def position(self, position: Position) -> None:
        self._top = (position.key, position.line)
        self.is_at_end = position.is_at_end

    def take_new(self) -> None:
        """Take in blocks that the source has and the layout does not, with guessed heights."""
        new = range(len(self._heights), len(self.drawn.source))
        for key in new:
            self._heights.append(self.drawn.guess(key))
        if not self.is_at_end:
            self._unseen.update(new)

    def goes_on(self, key: int, bottom: int) -> None:
        """A block changed while the view ended before the line `bottom`: what comes behind
        that is not seen."""
        is_placed = key < len(self._heights)
        if is_placed and not self.is_at_end and self._heights.offset(key + 1) >= bottom:
            self._unseen.add(key)

    def show_instead(self, source: BlockSource) -> None:
        """Show another transcript, at its end: of blocks that are the same in both, all that is
        known stays so."""
        count = min(self.count, len(source))
        for key in self.drawn.take(source, count):
            self._heights.set(key, self.drawn.guess(key))
        self._heights.cut(count)
        self.take_new()
        self.is_at_end = True

    def put_before(self, source: BlockSource, count: int) -> None:
        """Show another transcript, which has `count` blocks more before those that are shown: of
        these all that is known stays so, and none of the others is new to the person."""
        (key, line), shown = self._top, self.count
        self._unseen = {each + count for each in self._unseen}
        above = self.drawn.space_above(0) if shown else 0
        known = list(self._heights)
        self.drawn.put_before(source, count)
        guesses = [
            self.drawn.guess(key) for key in (*range(count), *range(count + shown, len(source)))
        ]
        self._heights = Heights([*guesses[:count], *known, *guesses[count:]])
        if shown:
            self.measure(count)
            more = self.drawn.space_above(count) - above if key == 0 else 0
            self._top = (key + count, line + more)

    def settle(self, view: int) -> int:
        """Measure what is visible; the line that belongs at the top of the view."""
        count = len(self._heights)
        if count == 0:
            return 0
        if self.is_at_end:
            self._unseen.clear()
            self._measure_up(count - 1, 2 * view)
            top = max(0, self.total - view)
            self._top = self._heights.find(top)
            return top
        key = min(self._top[0], count - 1)
        line = min(self._top[1], max(0, self.measure(key) - 1))
        self._measure_down(key + 1, 2 * view)
        self._measure_up(key - 1, view)
        return max(0, min(self._heights.offset(key) + line, self.total - view))

    def read_from(self, line: int, view: int) -> None:
        """The person put `line` at the top; at the last one, the view follows what is new."""
        self.is_at_end = line >= self.total - view
        self._top = self._heights.find(line)
        if self.is_at_end:
            self._unseen.clear()

    def show(self, key: int, line: int = 0, *, above: int = 0) -> None:
        """Put a line of a block at the top, or `above` lines below it."""
        self.is_at_end = False
        self._top = self._heights.find(self._heights.offset(key) + line - above)

    def bring(self, key: int, line: int, top: int, view: int) -> None:
        """Have a line of a block in sight; where it is in sight already nothing moves. In the
        last row it is not while that says how much is new.

        `top` is the line at the top of the view now.
        """
        at = self._heights.offset(key) + line
        self.is_at_end = False
        if not top <= at < top + view - bool(self.unseen):
            top = at - view // 3
        self._top = self._heights.find(max(0, top))

    def peek(self, key: int | None) -> None:
        """Show all of one block for now, and no other block any more."""
        before = self.drawn.peeked
        self.drawn.peek(key)
        for changed in (before, key):
            if changed is not None:
                self.measure(changed)

    def toggle(self, key: int, top: int, view: int) -> None:
        """Fold or unfold a block; its first line stays where it is on the screen."""
        if not self.drawn.may_fold(key):
            return
        row = self._heights.offset(key) - top
        self.drawn.toggle(key)
        self.measure(key)
        self.read_from(max(0, self._heights.offset(key) - row), view)

    def block_at(self, line: int) -> int:
        """The block that holds a line."""
        return self._heights.find(line)[0]

    def place_of(self, line: int) -> tuple[int, int]:
        """The block that holds a line, and the line in it."""
        return self._heights.find(line)

    def lines_of(self, key: int) -> range:
        """The lines that a block takes; none before its frame has come."""
        if key >= len(self._heights):
            return range(self.total, self.total)
        top = self._heights.offset(key)
        return range(top, top + self._heights[key])

    def line(self, line: int) -> Strip:
        """One line, drawn if need be."""
        key, within = self._heights.find(line)
        lines = self.drawn.lines(key)
        return lines[within] if within < len(lines) else Strip([])

    def rows(self, top: int, view: int) -> list[Strip | None]:
        """The lines from `top` on, drawn if need be; None below the last."""
        rows: list[Strip | None] = []
        key, within = self._heights.find(top) if top < self.total else (len(self._heights), 0)
        while len(rows) < view and key < len(self._heights):
            height = self._heights[key]
            lines = self.drawn.lines(key)[within:height] if height else []
            rows += lines
            rows += [Strip([])] * (height - within - len(lines))
            key, within = key + 1, 0
        return [*rows[:view], *[None] * (view - len(rows))]

    def measure(self, key: int) -> int:
        """Draw a block, and know its height from now on."""
        height = len(self.drawn.lines(key))
        self._heights.set(key, height)
        return height

    def _measure_up(self, key: int, lines: int) -> None:
        while key >= 0 and lines > 0:
            lines -= self.measure(key)
            key -= 1

    def _measure_down(self, key: int, lines: int) -> None:
        while key < len(self._heights) and lines > 0:
            lines -= self.measure(key)
            key += 1
