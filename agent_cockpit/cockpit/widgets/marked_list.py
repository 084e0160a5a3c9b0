"""A list of one-row options whose chosen one has a sign before it, for colour alone tells some
people nothing."""

from __future__ import annotations

from rich.segment import Segment
from textual.strip import Strip
from textual.widgets import OptionList

CHOSEN = "▸"


class MarkedList(OptionList):
    """Every option has one row, and leaves its first two cells to the sign."""

    DEFAULT_CSS = """
    MarkedList { min-width: 4; }  /* narrower, nothing is left for the words */
    MarkedList > .option-list--option { padding: 0 0 0 2; }
    """

    def render_line(self, y: int) -> Strip:
        strip = super().render_line(y)
        if self.highlighted != round(self.scroll_y) + y:
            return strip
        ground = next((style for _, style, _ in strip), None)
        return Strip.join([Strip([Segment(CHOSEN, ground)]), strip.crop(1)])
