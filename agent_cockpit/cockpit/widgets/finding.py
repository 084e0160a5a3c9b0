"""Finding words in a transcript, folded or not; words, never patterns.

A person's regular expression could hold the screen up for ever, so there are none here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from textual.strip import Strip

from agent_cockpit.cockpit.widgets.drawn import BlockSource
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
        self.place: tuple[int, int] | None = None
        """The block and the line in it that was found last."""
        self._words = re.compile(re.escape(words), re.IGNORECASE)

    def is_in(self, text: str) -> bool:
        """Whether the words stand in `text`."""
        return self._words.search(text) is not None

    def ranges(self, strip: Strip) -> list[tuple[int, int]]:
        """Where in a line they stand, in characters."""
        return [match.span() for match in self._words.finditer(strip.text)]

    def lines(self, strips: list[Strip]) -> list[int]:
        """The lines of a block that hold them."""
        return [number for number, strip in enumerate(strips) if self.is_in(strip.text)]

    def blocks(self, source: BlockSource, after: int, step: int) -> Iterator[int]:
        """Blocks that hold them, from the one after `after` once around to it."""
        count = len(source)
        for distance in range(1, count + 1):
            key = (after + step * distance) % count
            if any(self.is_in(text) for text in _texts(source.block(key))):
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
