"""All keys and commands on one page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from agent_cockpit.cockpit.keys.keymap import joined
from agent_cockpit.cockpit.keys.textual_keys import keymap_of
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


class HelpScreen(PageScreen):
    """Shows the table of keys and the commands until it is closed."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("f1,question_mark", "close", show=False)]
    DEFAULT_CSS = """
    HelpScreen {
        & #help-body { height: 1fr; padding: 1 2; scrollbar-size-vertical: 1; }
        & #help-keys { height: 1; padding: 0 1; color: $text-muted; }
    }
    """

    def __init__(
        self, commands: Sequence[tuple[str, str]], *, commands_first: bool = False
    ) -> None:
        super().__init__()
        self._commands = commands
        self._commands_first = commands_first
        self._body = VerticalScroll(id="help-body", can_focus=False)
        self._text = Static(markup=False)

    def compose(self) -> ComposeResult:
        with self._body:
            yield self._text
        keys = keymap_of(self)
        scroll = joined([keys.label("read_up"), keys.label("read_down")])
        yield Static(
            f"{scroll} scroll · {keys.label('page_close')} close", id="help-keys", markup=False
        )

    @property
    def body(self) -> VerticalScroll:
        return self._body

    def on_resize(self) -> None:
        """Wrap anew, so that what goes on stands under what it belongs to."""
        self._text.update(self._page(self.size.width - _MARGIN_CELLS))

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
