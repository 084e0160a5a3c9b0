"""The themes in a list beside the conversation, which shows each as one comes to it."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from agent_cockpit.cockpit.keys.textual_keys import bindings
from agent_cockpit.cockpit.look.looks import Looks
from agent_cockpit.cockpit.look.selecting import Selecting
from agent_cockpit.cockpit.look.theme import theme_names
from agent_cockpit.cockpit.widgets.marked_list import MarkedList


class ThemeScreen(Selecting[None], ModalScreen[None]):
    """Enter or a click keeps the theme that is shown; Esc goes back to the one before."""

    way_back = "theme_restore"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("theme")]
    DEFAULT_CSS = """
    ThemeScreen {
        align: right top; background: transparent;
        & Vertical {
            width: 34; height: 100%; background: $background;
            border-left: solid $border; padding: 0 1;
        }
        & OptionList {
            height: 1fr; margin: 1 0; padding: 0; border: none; background: transparent;
            scrollbar-size-vertical: 1;
            &:focus { border: none; background-tint: transparent; }
        }
        & #theme-keys { color: $text-muted; }
    }
    """

    def __init__(self, looks: Looks) -> None:
        super().__init__()
        self._looks = looks

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self._title(), id="theme-title", markup=False)
            yield MarkedList(*(Option(name, id=name) for name in theme_names()), markup=False)
            yield Static(_SAMPLE, id="theme-sample", markup=False)
            yield Static("↑↓ try · enter keep · esc back", id="theme-keys", markup=False)

    def on_mount(self) -> None:
        options = self.query_one(OptionList)
        options.highlighted = theme_names().index(self._looks.chosen)
        options.focus()

    def _title(self) -> Content:
        few = "   this terminal's colours" if self._looks.shows_few_colors else ""
        return Content.assemble(("theme", "bold"), (few, "$foreground-muted"))

    def on_resize(self) -> None:
        self.query_one("#theme-sample").display = self.size.height >= 20

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_id is not None:
            self._looks.preview(event.option_id)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id is not None:
            self._looks.keep(event.option_id)
        self.dismiss(None)

    def action_restore(self) -> None:
        """Go back, with the theme as it was."""
        self._looks.restore()
        self.dismiss(None)


_SAMPLE = Content("\n").join(
    Content.assemble(*parts)
    for parts in (
        ("plain ", ("strong ", "bold"), ("muted", "$foreground-muted")),
        (("✔ verified ", "$text-success"), ("✘ failed", "$text-error")),
        (("? waits for you ", "bold $text-warning"), ("● live", "$text-accent")),
    )
)
