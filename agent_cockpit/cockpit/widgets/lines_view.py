"""Lines of any number and length in a scrolling view; only those in sight are drawn."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from agent_cockpit.cockpit.consent.question import Line
from agent_cockpit.cockpit.look.cells import end_of_row
from agent_cockpit.cockpit.look.theme import palette_of

if TYPE_CHECKING:
    from agent_cockpit.cockpit.widgets.diff_rows import DiffRows

SCROLL_KEYS = {
    "up": "scroll_up",
    "down": "scroll_down",
    "pageup": "scroll_page_up",
    "pagedown": "scroll_page_down",
    "home": "scroll_home",
    "end": "scroll_end",
}
SIGN_CELLS = 2
"""Before the code of a diff: its sign, and what keeps it off the code."""


class LinesView(ScrollView):
    """Shows `Line`s, wrapped at the right edge or cut there and scrolled sideways."""

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
        self._diff: DiffRows | None = None
        self._take(lines)
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
            self._take(lines)
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
        if line.number > 0:
            return self._diff_row(index, start, start + len(text), left, width)
        style = self.get_component_rich_style(f"line--{line.tone}")
        strip = Strip(self._segments(text, style, index, start)).apply_offsets(start, index)
        indent = hang + (self._gutter if line.number == 0 else 0)
        shown = strip.crop_extend(left, left + max(0, width - indent), style)
        return Strip.join([Strip([Segment(" " * indent, style)]), shown]) if indent else shown

    def _diff_row(self, index: int, start: int, end: int, left: int, width: int) -> Strip:
        """A row of code, whose number and sign stay where they are when it is scrolled."""
        look = self.screen.get_component_rich_style("screen--selection")
        selection = self.text_selection
        span = None if selection is None else selection.get_span(index)
        marked = None if span is None else (span, look)
        ground = self.get_component_rich_style("line--plain")
        rows = self._diff_rows()
        head, body, own = rows.row(
            index, start, end, gutter=self._gutter, ground=ground, marked=marked
        )
        room = max(1, width - head.cell_length)
        return Strip.join([head, body.crop_extend(left, left + room, own)])

    def _diff_rows(self) -> DiffRows:
        from agent_cockpit.cockpit.widgets.diff_rows import DiffRows

        palette = palette_of(self.app.current_theme)
        if self._diff is None or self._diff.palette != palette:
            self._diff = DiffRows(self._lines, palette, self.app.console)
        return self._diff

    def _pieces_of(self, index: int) -> list[str]:
        """The rows of a line; those of the last one asked for are kept, it may be long."""
        if self._pieces[0] != index:
            self._pieces = (index, self._wrapped(index))
        return self._pieces[1]

    def _wrapped(self, index: int) -> list[str]:
        line, text = self._lines[index], self._texts[index]
        if line.number < 0:
            return wrapped(text, self._width, self._hang(index))
        room = max(1, self._width - self._gutter)
        if line.number == 0:
            return wrapped(text, room)
        first, *more = wrapped(text[1:], max(1, room - SIGN_CELLS)) or [""]
        return [text[:1] + first, *more]

    def _hang(self, index: int) -> int:
        """How far the further rows of a line are indented."""
        return min(self._lines[index].hang, self._width // 2)

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

    def _take(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._texts = [line.text.expandtabs(4) for line in lines]  # a tab would jump the frame
        highest = max((line.number for line in lines), default=-1)
        self._gutter = max(3, len(str(highest))) + 1 if highest >= 0 else 0
        self._diff = None

    def _lay_out(self, width: int) -> None:
        self._width = max(1, width)
        self._pieces = (-1, [])
        if self._wrap:
            heights = (len(self._wrapped(index)) for index in range(len(self._texts)))
            widest = self._width
        else:
            heights = (1 for _ in self._texts)
            widest = max(map(cell_len, self._texts), default=0) + self._gutter + SIGN_CELLS
        self._ends = list(accumulate(heights))
        self.virtual_size = Size(widest, self.rows)
        self.refresh()


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
