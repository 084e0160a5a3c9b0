"""Lines of any number and length in a scrolling view; only those in sight are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from agent_cockpit.cockpit.consent.question import Line
from agent_cockpit.cockpit.look.choosing_lines import ChoosesLines
from agent_cockpit.cockpit.look.diff_view import DiffView, view_of
from agent_cockpit.cockpit.look.theme import palette_of
from agent_cockpit.cockpit.widgets.line_rows import BETWEEN, LineRows

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
SELECT_KEYS = {"shift+up": -1, "shift+down": 1}


class LinesView(ScrollView, ChoosesLines):
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
        self._rows = LineRows(lines)
        self._wraps = wrap
        self._laid_out: tuple[int, DiffView] = (0, "auto")
        self.pointed: int | None = None
        """The line that is pointed at."""

    @property
    def lines(self) -> Sequence[Line]:
        """What is shown."""
        return self._rows.lines

    @property
    def rows(self) -> int:
        """How many rows all lines take at the present width."""
        return self._rows.count

    def show(self, lines: Sequence[Line], width: int) -> None:
        """Show these lines, laid out for `width` cells."""
        if lines == self.lines and self._laid_out == (width, view_of(self)):
            return
        if lines != self.lines:
            self.choose_no_lines()
            self._rows, self._diff = LineRows(lines), None
        self._lay_out(width)

    def row_below(self, index: int) -> int:
        """The row behind the last one of this line."""
        return self._rows.row_below(index)

    def first_row(self, index: int) -> int:
        """The first row of this line."""
        return self._rows.first_row(index)

    def point_at(self, index: int | None) -> None:
        """Point at this line."""
        self.pointed = index
        self.refresh()

    def show_line(self, index: int) -> None:
        """Scroll so that this line is the first in sight, where there is enough below it."""
        self.scroll_to(y=self.first_row(index), animate=False)

    def bring(self, first: int, last: int) -> None:
        top, bottom = self.first_row(first), self.row_below(last)
        height = max(1, self.scrollable_content_region.height)
        if top < self.scroll_y or bottom - top > height:
            self.scroll_to(y=top, animate=False)
        elif bottom > self.scroll_y + height:
            self.scroll_to(y=bottom - height, animate=False)

    @property
    def line_texts(self) -> Sequence[str]:
        return self._rows.texts

    def lines_in_sight(self) -> range:
        top = round(self.scroll_y)
        bottom = min(self.rows, top + self.scrollable_content_region.height) - 1
        if bottom < top:
            return range(0)
        above, below = self._rows.at(top)[0], self._rows.at(bottom)[0]
        shown = [index for index in (*above, *below) if index is not None]
        return range(min(shown), max(shown) + 1)

    def diff_view_changed(self) -> None:
        """Lay diffs out as the person wants them now."""
        self._lay_out(self._laid_out[0])

    def on_resize(self) -> None:
        self._lay_out(self.scrollable_content_region.width)

    def render_line(self, y: int) -> Strip:
        left, top = (0 if self._wraps else round(self.scroll_x)), round(self.scroll_y)
        width = self.scrollable_content_region.width
        row = top + y
        if row >= self.rows:
            return Strip.blank(width, self.rich_style)
        shared, piece = self._rows.at(row)
        if len(shared) == 2:
            return self._beside(shared, piece, left)
        (index,) = shared
        line = self.lines[index]
        if line.number > 0:
            return self._diff_row(index, piece, left, width)
        found = self._rows.piece(index, piece)
        assert found is not None
        text, start = found
        style = self.get_component_rich_style(f"line--{line.tone}")
        if index == self.pointed:
            style += Style(reverse=True)
        strip = Strip(self._segments(text, style, index, start)).apply_offsets(start, index)
        hang = self._rows.hang(index) if piece else 0
        indent = hang + (self._rows.gutter if line.number == 0 else 0)
        room = max(0, width - indent)
        left = min(left, max(0, strip.cell_length - room))  # what names the code stays in sight
        shown = strip.crop_extend(left, left + room, style)
        return Strip.join([Strip([Segment(" " * indent, style)]), shown]) if indent else shown

    def _beside(self, shared: tuple[int | None, int | None], piece: int, left: int) -> Strip:
        """An old line and a new one, each in its half."""
        half, ground = self._rows.half, self.get_component_rich_style("line--plain")
        sides: list[Strip] = []
        for index, is_old in zip(shared, (True, False), strict=True):
            known = index is not None and self._rows.piece(index, piece) is not None
            if index is not None and known:
                sides.append(self._diff_row(index, piece, left, half, is_old=is_old))
            else:
                sides.append(Strip.blank(half, ground))
        between = Strip([Segment(BETWEEN, self.get_component_rich_style("line--muted"))])
        return Strip.join([sides[0], between, sides[1]])

    def _diff_row(
        self, index: int, piece: int, left: int, room: int, *, is_old: bool = False
    ) -> Strip:
        """A row of code, whose number and sign stay where they are when it is scrolled."""
        found = self._rows.piece(index, piece)
        assert found is not None
        text, start = found
        look = self.screen.get_component_rich_style("screen--selection")
        selection = self.text_selection
        span = None if selection is None else selection.get_span(index)
        line = self.lines[index]
        return self._diff_rows().row(
            index,
            start,
            start + len(text),
            number=line.old if is_old and line.old else line.number,
            gutter=self._rows.gutter,
            left=left,
            room=room,
            ground=self.get_component_rich_style("line--plain"),
            marked=None if span is None else (span, look),
        )

    def _diff_rows(self) -> DiffRows:
        from agent_cockpit.cockpit.widgets.diff_rows import DiffRows

        palette = palette_of(self.app.current_theme)
        if self._diff is None or self._diff.palette != palette:
            self._diff = DiffRows(self.lines, palette, self.app.console)
        return self._diff

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text as the lines have it, however they are wrapped, without marks."""
        lines, texts = self.lines, self._rows.texts
        if not any(line.lead for line in lines):
            return selection.extract("\n".join(texts)), "\n"
        taken: list[str] = []
        for index, (line, text) in enumerate(zip(lines, texts, strict=True)):
            if (span := selection.get_span(index)) is not None:
                start, end = span
                taken.append(text[max(start, line.lead) : None if end == -1 else end])
        return "\n".join(taken), "\n"

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
        self._laid_out = width, view_of(self)
        self._rows.lay_out(width, wraps=self._wraps, view=self._laid_out[1])
        self.virtual_size = Size(self._rows.widest, self.rows)
        self.refresh()
