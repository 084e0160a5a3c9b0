"""Lines of any number and length in a scrolling view; only those in sight are drawn."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from agent_cockpit.cockpit.consent.question import Line
from agent_cockpit.cockpit.look.cells import end_of_row

SCROLL_KEYS = {
    "up": "scroll_up",
    "down": "scroll_down",
    "pageup": "scroll_page_up",
    "pagedown": "scroll_page_down",
    "home": "scroll_home",
    "end": "scroll_end",
}


_LEAD = re.compile(r"\s*(?:(?:[-*+•]|\d+[.)])\s+)?")
"""What stands before the words of a list item."""


class LinesView(ScrollView):
    """Shows `Line`s, wrapped at the right edge or cut there and scrolled sideways."""

    HANGS: ClassVar[bool] = False
    """Whether the further rows of an item of a list begin where its words begin."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "line--plain",
        "line--strong",
        "line--muted",
        "line--added",
        "line--removed",
        "line--place",
        "line--warning",
    }
    DEFAULT_CSS = """
    LinesView {
        scrollbar-size-vertical: 1; scrollbar-size-horizontal: 1; background: transparent;
        & .line--strong { text-style: bold; }
        & .line--muted { color: $text-muted; }
        & .line--added { color: $foreground; background: $success-muted; }
        & .line--removed { color: $foreground; background: $error-muted; }
        &:ansi .line--added { color: $text-success; }
        &:ansi .line--removed { color: $text-error; }
        & .line--place { color: $text-accent; }
        & .line--warning { color: $text-warning; text-style: bold; }
    }
    """

    def __init__(
        self, lines: Sequence[Line] = (), *, wrap: bool = True, id: str | None = None
    ) -> None:
        super().__init__(id=id)
        if wrap:
            self.styles.overflow_x = "hidden"
        self._lines = lines
        self._texts = _texts_of(lines)
        self._wrap = wrap
        self._width = 0
        self._pieces: tuple[int, list[str]] = (-1, [])
        self._ends: list[int] = []
        """For each line the row behind its last one."""

    @property
    def rows(self) -> int:
        """How many rows all lines take at the present width."""
        return self._ends[-1] if self._ends else 0

    def show(self, lines: Sequence[Line], width: int) -> None:
        """Show these lines, laid out for `width` cells."""
        if lines == self._lines and width == self._width:
            return
        if lines != self._lines:
            self._lines, self._texts = lines, _texts_of(lines)
        self._lay_out(width)

    def row_below(self, index: int) -> int:
        """The row behind the last one of this line."""
        return self._ends[index] if 0 <= index < len(self._ends) else 0

    def show_line(self, index: int) -> None:
        """Scroll so that this line is the first in sight, where there is enough below it."""
        row = self._ends[index - 1] if 0 < index <= len(self._ends) else 0
        self.scroll_to(y=row, animate=False)

    def on_resize(self) -> None:
        self._lay_out(self.scrollable_content_region.width)

    def render_line(self, y: int) -> Strip:
        left, top = round(self.scroll_x), round(self.scroll_y)
        width = self.scrollable_content_region.width
        row = top + y
        if row >= self.rows:
            return Strip.blank(width, self.rich_style)
        index = bisect_right(self._ends, row)
        line = self._lines[index]
        text, start, hang = self._texts[index], 0, 0
        if self._wrap:
            left = 0
            pieces = self._pieces_of(index)
            piece = row - (self._ends[index - 1] if index else 0)
            text, start = pieces[piece], sum(map(len, pieces[:piece]))
            hang = self._hang(index) if piece else 0
        style = self.get_component_rich_style(f"line--{line.tone}")
        strip = Strip(self._segments(text, style, index, start)).apply_offsets(start, index)
        if hang:
            strip = Strip.join([Strip([Segment(" " * hang, style)]), strip])
        return strip.crop_extend(left, left + width, style)

    def _pieces_of(self, index: int) -> list[str]:
        """The rows of a line; those of the last one asked for are kept, it may be long."""
        if self._pieces[0] != index:
            self._pieces = (index, self._wrapped(index))
        return self._pieces[1]

    def _wrapped(self, index: int) -> list[str]:
        return wrapped(self._texts[index], self._width, self._hang(index))

    def _hang(self, index: int) -> int:
        """How far the further rows of a line are indented: to where its item's text begins."""
        if not self.HANGS:
            return 0
        lead = _LEAD.match(self._texts[index])
        return min(cell_len(lead[0]) if lead else 0, self._width // 2)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text as the lines have it, however they are wrapped."""
        return selection.extract("\n".join(self._texts)), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        self.refresh()

    def _segments(self, text: str, style: Style, index: int, start: int) -> list[Segment]:
        """The text of one row, with what is selected of it marked."""
        selection = self.text_selection
        span = None if selection is None else selection.get_span(index)
        if span is None:
            return [Segment(text, style)]
        first = min(max(0, span[0] - start), len(text))
        last = len(text) if span[1] == -1 else min(max(0, span[1] - start), len(text))
        marked = style + self.screen.get_component_rich_style("screen--selection")
        parts = [(text[:first], style), (text[first:last], marked), (text[last:], style)]
        return [Segment(part, look) for part, look in parts if part]

    def _lay_out(self, width: int) -> None:
        self._width = max(1, width)
        self._pieces = (-1, [])
        if self._wrap:
            heights = (len(self._wrapped(index)) for index in range(len(self._texts)))
            widest = self._width
        else:
            heights = (1 for _ in self._texts)
            widest = max(map(cell_len, self._texts), default=0)
        self._ends = list(accumulate(heights))
        self.virtual_size = Size(widest, self.rows)
        self.refresh()


def _texts_of(lines: Sequence[Line]) -> list[str]:
    """What stands in the rows: a tab would jump over the frame."""
    return [line.text.expandtabs(4) for line in lines]


def wrapped(text: str, width: int, hang: int = 0) -> list[str]:
    """The text in pieces of at most `width` cells, those after the first of `hang` cells less,
    broken behind a space where one is near; joined they are the text."""
    if len(text) <= width and (text.isascii() or cell_len(text) <= width):
        return [text]
    pieces: list[str] = []
    start = 0
    while start < len(text):
        end = end_of_row(text, start, width - hang if start else width)
        if end < len(text):
            space = text.rfind(" ", start + (end - start) // 2, end)
            end = space + 1 if space >= 0 else end
        pieces.append(text[start:end])
        start = end
    return pieces
