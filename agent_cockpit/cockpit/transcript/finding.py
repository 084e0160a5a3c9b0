"""One search through a transcript: how often each block holds it, and so which is number n.

Laws: the event loop is never held up; blocks are looked through in slices of some milliseconds,
and between two of them there is as much time for keys. What is nearest to where the person reads
is looked through first.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import chain
from time import monotonic

from agent_cockpit.cockpit.transcript.drawn import BlockSource
from agent_cockpit.cockpit.transcript.heights import Heights
from agent_cockpit.cockpit.transcript.matching import Matcher, Query, WordMatcher
from agent_cockpit.transcript.searchable import searchable

SLICE_S = 0.004
_SLICE_BLOCKS = 500


class Finding:
    """Owns the hits of one query; numbers of hits count from 0, in reading order.

    It begins at block `start`, goes to the end, and then from `start` upwards. Where `before`,
    the finding of a query that this one goes on with, knows a block to hold none, it holds none.
    """

    def __init__(
        self,
        query: Query,
        source: BlockSource,
        start: int = 0,
        *,
        before: Finding | None = None,
        matcher: Matcher | None = None,
    ) -> None:
        """`matcher` looks for the query; without one it is looked for as words."""
        self.query = query
        self.matcher: Matcher = matcher or WordMatcher(query)
        self._source = source
        self._start = min(start, len(source))
        self._counts = Heights([0] * len(source))
        self._holding: set[int] = set()
        self._is_known = bytearray(len(source))
        self._before = before if before is not None and query.narrows(before.query) else None
        self._order = self._in_order(range(len(source)))
        if self._before is not None and self._before.is_complete:
            self._order = self._in_order(self._only(self._before.hit_blocks()))
            self._before = None
        self._stale: dict[int, None] = {}
        self._is_above = False
        self._is_through = False
        self._is_scanning = False
        self._is_over = False

    @property
    def total(self) -> int:
        """Hits in all blocks that were looked through."""
        return self._counts.total

    @property
    def is_complete(self) -> bool:
        """Whether every block was looked through as it is now."""
        is_known = self._is_through and not self._stale
        return is_known and not self._is_scanning and len(self._counts) >= len(self._source)

    def hit_blocks(self) -> list[int]:
        """The blocks that hold hits, in reading order."""
        return sorted(self._holding)

    def _only(self, keys: list[int]) -> list[int]:
        """Know of all other blocks that they hold none."""
        self._is_known = bytearray(b"\x01") * len(self._source)
        for key in keys:
            self._is_known[key] = 0
        return keys

    def _in_order(self, keys: Sequence[int]) -> Iterator[int]:
        """From the start on, then upwards from it."""
        at = bisect_left(keys, self._start)
        return chain(keys[at:], reversed(keys[:at]))

    def changed(self, keys: tuple[int, ...]) -> None:
        """These blocks are to be looked through again, and those that are new."""
        new = range(len(self._counts), len(self._source))
        for _ in new:
            self._counts.append(0)
            self._is_known.append(0)
        self._stale.update(dict.fromkeys(chain(keys, new)))

    def count(self, key: int) -> int:
        """Hits in one block."""
        return self._counts[key] if key < len(self._counts) else 0

    def holds_none(self, key: int) -> bool:
        """Whether the block, as it is now, is known to hold no hit."""
        is_known = key < len(self._counts) and self._is_known[key] and key not in self._stale
        return bool(is_known) and not self._counts[key]

    def number(self, key: int, place: int) -> int:
        """Which hit of all is hit `place` of a block."""
        return self._counts.offset(key) + place

    def hit(self, number: int) -> tuple[int, int]:
        """The block of a hit, and which of its hits it is."""
        return self._counts.find(number)

    def nearest(self) -> int | None:
        """The number of the first hit from the start on, else of the last one above it; None
        while it is not known."""
        above = self._counts.offset(self._start)
        if self.total > above:
            return above
        return above - 1 if above and self._is_above else None

    async def close(self) -> None:
        """Look no further, and let go of the matcher."""
        self._is_over = True
        self._before = None
        await self.matcher.close()

    async def scan(self, told: Callable[[], Awaitable[object]] | None = None) -> None:
        """Look through what was not looked through yet; raises `PatternError`.

        `told` is called after every slice, and waited for. A second call while the first works
        leaves it to that one.
        """
        if self._is_scanning:
            return
        self._is_scanning = True
        try:
            while not self._is_over and (self._stale or not self._is_through):
                slice_ = self._slice()
                counts = await self.matcher.counts([text for _, text in slice_]) if slice_ else []
                for (key, _), count in zip(slice_, counts, strict=True):
                    self._counts.set(key, count)
                    (self._holding.add if count else self._holding.discard)(key)
                    self._is_known[key] = 1
                    self._is_above = self._is_above or key < self._start
                if told is not None:
                    await told()
                await asyncio.sleep(0 if self._is_through else SLICE_S)
        finally:
            self._is_scanning = False

    def _slice(self) -> list[tuple[int, str]]:
        """The next blocks that may hold a hit, and their texts."""
        taken: list[tuple[int, str]] = []
        skipped = 0
        ends_at = monotonic() + SLICE_S
        while len(taken) < _SLICE_BLOCKS:
            if self._stale:
                key = next(iter(self._stale))
                del self._stale[key]
            elif (following := next(self._order, None)) is not None:
                key = following
                if self._before is not None and self._before.holds_none(key):
                    self._is_known[key] = 1
                    skipped += 1
                    if skipped % _SLICE_BLOCKS == 0 and monotonic() >= ends_at:
                        break
                    continue
            else:
                self._is_through = True
                break
            taken.append((key, searchable(self._source.block(key))))
            if monotonic() >= ends_at:
                break
        return taken
