"""Which block the person points at, and how far a selection of blocks reaches from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent_cockpit.cockpit.transcript.layout import Layout


class BlockCursor:
    """Owns the pointed block and the selection; what draws nothing is passed over."""

    def __init__(self) -> None:
        self.key: int | None = None
        self._anchor: int | None = None
        self._wanted: int | None = None

    @property
    def keys(self) -> range:
        """The selected blocks, or the one that is pointed at; none without a cursor."""
        if self.key is None:
            return range(0)
        anchor = self.key if self._anchor is None else self._anchor
        return range(min(anchor, self.key), max(anchor, self.key) + 1)

    @property
    def selects(self) -> bool:
        """Whether blocks are selected, one or more."""
        return self._anchor is not None

    def move(self, step: int, layout: Layout, lines: range, *, extend: bool = False) -> None:
        """To the next block (1) or the one before (-1), which may leave the cursor as it is.

        The first step points at the block in the visible `lines` that was wanted by
        `begin_at`; else up at the last one that begins in them, down at the first. With
        `extend` the selection grows or shrinks to where the cursor comes.
        """
        if self.key is None:
            key = self._first(step, layout, lines)
        else:
            if extend and self._anchor is None:
                self._anchor = self.key
            key = self._shown(self.key + step, step, layout)
        if not extend:
            self._anchor = None
        if key is not None:
            self.key = key

    def begin_at(self, key: int) -> None:
        """The next time that the person begins to point, this block is meant."""
        self._wanted = key

    def point_at(self, key: int) -> None:
        """Point at one block."""
        self.key, self._anchor = key, None

    def blocks_came_before(self, count: int) -> None:
        """So many blocks stand above all that there were."""
        self.key = None if self.key is None else self.key + count
        self._anchor = None if self._anchor is None else self._anchor + count
        self._wanted = None if self._wanted is None else self._wanted + count

    def selects_no_more(self) -> None:
        """Point at one block again."""
        self._anchor = None

    def leave(self) -> None:
        """Point at nothing."""
        self.key = self._anchor = self._wanted = None

    def _first(self, step: int, layout: Layout, lines: range) -> int | None:
        wanted, self._wanted = self._wanted, None
        if not lines:
            return self._shown(0, step, layout)
        first, last = layout.block_at(lines[0]), layout.block_at(lines[-1])
        if wanted is not None and first <= wanted <= last:
            return self._shown(wanted, step, layout)
        if step > 0:
            return self._shown(first, step, layout)
        has_words = layout.lines_of(last).start + layout.drawn.space_above(last) <= lines[-1]
        return self._shown(last if has_words else max(first, last - 1), step, layout)

    def _shown(self, key: int, step: int, layout: Layout) -> int | None:
        """The next block from `key` on that has lines."""
        while 0 <= key < layout.count:
            if layout.measure(key):
                return key
            key += step
        return None
