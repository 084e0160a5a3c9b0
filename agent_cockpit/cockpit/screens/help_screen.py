"""All keys and commands on one page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from agent_cockpit.cockpit.keys import key_help
from agent_cockpit.text import cell_width

LABEL_CELLS = 12
LONG_CELLS = 24
"""A longer label has a line of its own."""


class HelpScreen(Screen[None]):
    """Shows the table of keys and the commands until it is closed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,f1,question_mark,enter,ctrl+c", "close", show=False)
    ]
    DEFAULT_CSS = """
    HelpScreen {
        & #help-body { height: 1fr; padding: 1 2; scrollbar-size-vertical: 1; }
        & #help-keys { height: 1; padding: 0 1; color: $text-muted; }
    }
    """

    def __init__(self, commands: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._commands = commands

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="help-body"):
            yield Static(self._page(), markup=False)
        yield Static("↑↓ scroll · esc close", id="help-keys", markup=False)

    def on_mount(self) -> None:
        self.query_one("#help-body").focus()

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)

    def _page(self) -> Content:
        parts: list[Content] = []
        sections = [*key_help(), ("commands", list(self._commands))]
        for heading, lines in sections:
            parts.append(Content.styled(heading, "bold $text-accent"))
            short = [cell_width(label) for label, _ in lines if cell_width(label) <= LONG_CELLS]
            width = max([LABEL_CELLS, *short]) + 2
            for label, words in lines:
                gap = " " * (width - cell_width(label)) or f"\n{' ' * width}"
                parts.append(Content.assemble((label, "bold"), gap, (words, "$foreground-muted")))
            parts.append(Content(""))
        return Content("\n").join(parts)
