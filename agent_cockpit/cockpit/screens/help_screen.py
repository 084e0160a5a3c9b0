"""All keys and commands on one page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Region
from textual.widget import Widget
from textual.widgets import Static

from agent_cockpit.cockpit.keys.textual_keys import keymap_of
from agent_cockpit.cockpit.look.choosing_lines import ChoosesLines
from agent_cockpit.cockpit.screens.full_screen import PageScreen
from agent_cockpit.cockpit.widgets.line_rows import wrapped
from agent_cockpit.text import cell_width

LABEL_CELLS = 12
LONG_CELLS = 24
"""A longer label has a line of its own."""
WIDE_CELLS = 60
"""With less room labels take little of it, and more of them have a line of their own."""
_MARGIN_CELLS = 5
"""At both sides, and the scroll bar."""


class HelpText(Static, ChoosesLines):
    """The lines of the page, each of which takes one row."""

    _texts: Sequence[str] = ()

    def become(self, text: Content) -> None:
        """Show this."""
        self.choose_no_lines()
        self._texts = text.plain.split("\n")
        self.update(text)

    @property
    def line_texts(self) -> Sequence[str]:
        return self._texts

    def lines_in_sight(self) -> range:
        body = self._body
        first = max(0, body.scroll_offset.y - self.virtual_region.y)
        last = body.scroll_offset.y + body.scrollable_content_region.height - self.virtual_region.y
        return range(first, min(len(self._texts), last))

    def bring(self, first: int, last: int) -> None:
        rows = Region(0, self.virtual_region.y + first, 1, last - first + 1)
        self._body.scroll_to_region(rows, animate=False)

    @property
    def _body(self) -> Widget:
        assert isinstance(self.parent, Widget)
        return self.parent


class HelpScreen(PageScreen):
    """Shows the table of keys and the commands until it is closed."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("f1,question_mark", "close", show=False)]
    DEFAULT_CSS = """
    HelpScreen {
        & #help-body { height: 1fr; padding: 1 2; scrollbar-size-vertical: 1; }
    }
    """

    def __init__(
        self, commands: Sequence[tuple[str, str]], *, commands_first: bool = False
    ) -> None:
        super().__init__()
        self._commands = commands
        self._commands_first = commands_first
        self._body = VerticalScroll(id="help-body", can_focus=False)
        self._text = HelpText(markup=False)

    def compose(self) -> ComposeResult:
        with self._body:
            yield self._text
        yield self.keys

    @property
    def text(self) -> HelpText:
        return self._text

    @property
    def body(self) -> VerticalScroll:
        return self._body

    def on_resize(self) -> None:
        """Wrap anew, so that what goes on stands under what it belongs to."""
        super().on_resize()
        self._text.become(self._page(self.size.width - _MARGIN_CELLS))

    def _page(self, room: int) -> Content:
        parts: list[Content] = []
        keys, commands = keymap_of(self).help(), [("commands", list(self._commands))]
        sections = [*commands, *keys] if self._commands_first else [*keys, *commands]
        for heading, lines in sections:
            parts.append(Content.styled(heading, "bold $text-accent"))
            longest, least = (LONG_CELLS, LABEL_CELLS) if room >= WIDE_CELLS else (8, 6)
            short = [cell_width(label) for label, _ in lines if cell_width(label) <= longest]
            width = max([least, *short]) + 2
            for label, words in lines:
                hang = f"\n{' ' * width}"
                gap = " " * (width - cell_width(label)) or hang
                told = hang.join(piece.rstrip() for piece in wrapped(words, max(8, room - width)))
                parts.append(Content.assemble((label, "bold"), gap, (told, "$foreground-muted")))
            parts.append(Content(""))
        return Content("\n").join(parts)
