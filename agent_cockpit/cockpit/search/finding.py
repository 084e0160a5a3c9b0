"""One search through a transcript: how often each block holds it, and so which is number n.

Law: the event loop is never held up; blocks are looked through in slices of some milliseconds.
"""

from __future__ import annotations

import asyncio
from time import monotonic

from agent_cockpit.cockpit.search.matching import Matcher, Query, matcher_of
from agent_cockpit.cockpit.widgets.drawn import BlockSource
from agent_cockpit.cockpit.widgets.heights import Heights
from agent_cockpit.transcript.searchable import searchable

SLICE_S = 0.004
_SLICE_BLOCKS = 500


class Finding:
    """Owns the hits of one query; numbers of hits count from 0, in reading order."""

    def __init__(self, query: Query, source: BlockSource) -> None:
        self.query = query
        self.matcher: Matcher = matcher_of(query)
        self._source = source
        self._counts = Heights()
        self._stale: dict[int, None] = {}
        self._is_scanning = False
        self._is_over = False
        self._taken = 0
        """So many blocks were looked at, or are being looked at."""

    @property
    def total(self) -> int:
        """Hits in all blocks that were looked through."""
        return self._counts.total

    @property
    def is_complete(self) -> bool:
        """Whether every block was looked through as it is now."""
        is_known = len(self._counts) >= len(self._source) and not self._stale
        return is_known and not self._is_scanning

    def changed(self, keys: tuple[int, ...]) -> None:
        """These blocks are to be looked through again."""
        self._stale.update((key, None) for key in keys if key < self._taken)

    def count(self, key: int) -> int:
        """Hits in one block."""
        return self._counts[key] if key < len(self._counts) else 0

    def number(self, key: int, place: int) -> int:
        """Which hit of all is hit `place` of a block."""
        return self._counts.offset(key) + place

    def hit(self, number: int) -> tuple[int, int]:
        """The block of a hit, and which of its hits it is."""
        return self._counts.find(number)

    def first_from(self, key: int) -> int:
        """The number of the first hit in or after a block, else of the last one."""
        return min(self._counts.offset(min(key, len(self._counts))), max(0, self.total - 1))

    async def close(self) -> None:
        """Look no further, and let go of the matcher."""
        self._is_over = True
        await self.matcher.close()

    async def scan(self) -> None:
        """Look through what was not looked through yet; raises `PatternError`.

        A second call while the first works leaves it to that one.
        """
        if self._is_scanning:
            return
        self._is_scanning = True
        try:
            await self._scan()
        finally:
            self._is_scanning = False

    async def _scan(self) -> None:
        while not self._is_over and (self._stale or self._taken < len(self._source)):
            keys, texts = self._slice()
            for key, count in zip(keys, await self.matcher.counts(texts), strict=True):
                if key < len(self._counts):
                    self._counts.set(key, count)
                else:
                    self._counts.append(count)
            await asyncio.sleep(0)

    def _slice(self) -> tuple[list[int], list[str]]:
        keys: list[int] = []
        texts: list[str] = []
        ends_at = monotonic() + SLICE_S
        while len(keys) < _SLICE_BLOCKS and monotonic() < ends_at:
            if self._stale:
                key = next(iter(self._stale))
                del self._stale[key]
            elif self._taken < len(self._source):
                key = self._taken
                self._taken += 1
            else:
                break
            keys.append(key)
            texts.append(searchable(self._source.block(key)))
        return keys, texts
