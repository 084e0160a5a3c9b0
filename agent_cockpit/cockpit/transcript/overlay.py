"""What is laid over a drawn line: marks on ranges of it, and the pill at its end."""

from __future__ import annotations

from collections.abc import Iterable

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip


def with_marks(strip: Strip, ranges: Iterable[tuple[int, int]], style: Style) -> Strip:
    """The line with `style` over these character ranges; an end below 0 is the line's end, and
    so is one beyond it, as a mouse may leave it when a line became shorter.

    Ranges are in order and do not overlap.
    """
    pieces: list[Strip] = []
    at, size = 0, sum(len(text) for text, _, _ in strip)
    for first, last in ranges:
        if first >= size:
            break
        start = strip.index_to_cell_position(first)
        end = strip.index_to_cell_position(last) if 0 <= last < size else strip.cell_length
        pieces += [strip.crop(at, start), _painted(strip.crop(start, end), style)]
        at = end
    if not pieces:
        return strip
    return Strip.join([*pieces, strip.crop(at, strip.cell_length)])


def with_lead(strip: Strip, sign: str, style: Style) -> Strip:
    """The line with a sign in its first cell."""
    ground = next((style for _, style, _ in strip if style is not None), Style())
    lead = Strip([Segment(sign, ground + style)])
    return Strip.join([lead, strip.crop(lead.cell_length)])


def with_pill(strip: Strip, words: str, style: Style) -> Strip:
    """The line with `words` near its right edge."""
    width = strip.cell_length
    pill = Strip([Segment(f" {words} ", style)])
    start = max(0, width - pill.cell_length - 1)
    return Strip.join([strip.crop(0, start), pill, strip.crop(width - 1)]).crop(0, width)


def _painted(strip: Strip, style: Style) -> Strip:
    segments = [Segment(text, (ink or Style()) + style) for text, ink, _ in strip]
    return Strip(segments, strip.cell_length)
