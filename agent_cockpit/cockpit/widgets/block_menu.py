"""What can be done with the block that is pointed at: a letter or a number each, arrows, a click.

Loaded when it is first opened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from agent_cockpit.cockpit.consent.question import Option
from agent_cockpit.cockpit.keys.roles import KeepsKeys
from agent_cockpit.cockpit.keys.textual_keys import bindings
from agent_cockpit.cockpit.look.edges import panel_cells
from agent_cockpit.cockpit.widgets.options_row import OptionsRow, rows_needed

_MOST_ROWS = 6


class BlockMenu(Vertical, KeepsKeys, can_focus=True):
    """Shows the deeds for one block, until one is chosen or the menu is left."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("menu")]
    place = "menu"
    DEFAULT_CSS = """
    BlockMenu {
        height: auto; border: round $accent;
        border-title-color: $text-accent; border-title-style: bold;
        border-subtitle-color: $foreground-muted;
        & #menu-told { height: auto; max-height: 8; color: $foreground; }
    }
    """

    def __init__(self, chosen: Callable[[str], object], *, id: str | None = None) -> None:
        """`chosen` gets the name of the deed; an empty one when the menu is left."""
        super().__init__(id=id)
        self._chosen = chosen
        self._choices: Sequence[Option] = ()
        self._told = Static(id="menu-told", markup=False)
        self._options = OptionsRow("menu", id="menu-options")

    def compose(self) -> ComposeResult:
        yield self._told
        yield self._options

    def open(self, title: str, options: Sequence[Option]) -> None:
        """Offer these deeds for the block of this title."""
        self.border_title = Content(title)
        self.border_subtitle = Content("esc back")
        self._choices = options
        self._options.chosen = options[0]
        self.tell("")
        self.display = True
        self.screen.set_focus(self)

    def tell(self, words: str) -> None:
        """Say something above the deeds."""
        self._told.update(Content(words))
        self._told.display = bool(words)
        self._fit()

    def on_resize(self) -> None:
        self._fit()

    def on_key(self, event: events.Key) -> None:
        """A letter or a number chooses; what means nothing here does nothing."""
        option = self._options.of_letter(event.character or "")
        if (event.character or "").isdecimal():
            number = int(event.character or "0")
            option = self._choices[number - 1] if 0 < number <= len(self._choices) else None
        if option is not None:
            self._chosen(option.answer)
        if option is not None or event.is_printable:
            event.stop()
            event.prevent_default()

    def on_options_row_clicked(self, message: OptionsRow.Clicked) -> None:
        message.stop()
        self._chosen(message.option.answer)

    def action_menu_move(self, step: int) -> None:
        """Choose the next deed, or the one before."""
        self._options.move(step)
        self._fit()

    def action_menu_choose(self) -> None:
        """Do what is chosen."""
        if self._options.chosen is not None:
            self._chosen(self._options.chosen.answer)

    def action_menu_leave(self) -> None:
        """Do nothing."""
        self._chosen("")

    def _fit(self) -> None:
        width = max(1, self.content_size.width or panel_cells(self.app.size.width))
        brief = rows_needed(self._choices, width) > min(_MOST_ROWS, self.app.size.height // 4)
        self._options.show(self._choices, width=width, lit=True, words="brief" if brief else "full")
