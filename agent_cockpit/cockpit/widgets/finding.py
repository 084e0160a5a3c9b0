"""Finding words in a transcript, folded or not; words, never patterns.

A person's regular expression could hold the screen up for ever, so there are none here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from textual.strip import Strip

from agent_cockpit.cockpit.widgets.drawn import BlockSource, Drawn
from agent_cockpit.transcript.blocks import (
    Block,
    CallBlock,
    NoticeBlock,
    OutcomeBlock,
    VerdictBlock,
)
from agent_cockpit.transcript.plain import plain_lines


class Finding:
    """One search for `words`, without regard to case; remembers where it stands."""

    def __init__(self, words: str) -> None:
        self.words = words
        self._words = re.compile(re.escape(words), re.IGNORECASE)
        self._place: tuple[int, int] | None = None

    def ranges(self, strip: Strip) -> list[tuple[int, int]]:
        """Where in a line the words stand, in characters."""
        return [match.span() for match in self._words.finditer(strip.text)]

    def advance(self, drawn: Drawn, *, backwards: bool) -> tuple[int, int] | None:
        """The block and the line in it of the next place, around the ends; None without any.

        A folded block that holds the words is opened.
        """
        self._place = self._next_place(drawn, -1 if backwards else 1)
        return self._place

    def _next_place(self, drawn: Drawn, step: int) -> tuple[int, int] | None:
        key = -1 if step > 0 else len(drawn.source)
        if self._place is not None:
            key, line = self._place
            here = self._lines(drawn.lines(key))
            further = [other for other in here if (other - line) * step > 0]
            if further:
                return key, further[0 if step > 0 else -1]
        for found in self._blocks(drawn.source, key, step):
            lines = self._lines(drawn.lines(found))
            if not lines and drawn.may_fold(found):
                drawn.open(found)
                lines = self._lines(drawn.lines(found))
            return found, lines[0 if step > 0 else -1] if lines else 0
        return None

    def _lines(self, strips: list[Strip]) -> list[int]:
        return [number for number, strip in enumerate(strips) if self._words.search(strip.text)]

    def _blocks(self, source: BlockSource, after: int, step: int) -> Iterator[int]:
        """Blocks that hold the words, from the one after `after` once around to it."""
        count = len(source)
        for distance in range(1, count + 1):
            key = (after + step * distance) % count
            if any(self._words.search(text) for text in _texts(source.block(key))):
                yield key


def _texts(block: Block) -> Iterator[str]:
    """Everything that a block can show, whatever it is folded to."""
    if isinstance(block, CallBlock):
        yield block.output
        yield block.diff
    elif not isinstance(block, VerdictBlock | NoticeBlock | OutcomeBlock):
        yield str(getattr(block, "text", ""))
        return
    yield from plain_lines(block)
