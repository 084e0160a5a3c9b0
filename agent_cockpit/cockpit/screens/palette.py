"""All that can be done now, found by a few letters: the actions of the key table with their keys,
and the slash commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from agent_cockpit.cockpit.keys.keymap import joined
from agent_cockpit.cockpit.keys.palette_items import Item, matching
from agent_cockpit.cockpit.keys.textual_keys import bindings, bound, keymap_of
from agent_cockpit.cockpit.look.selecting import Selecting
from agent_cockpit.cockpit.widgets.field import Field
from agent_cockpit.cockpit.widgets.marked_list import MarkedList
from agent_cockpit.text import cell_width, shorten

MOST_CELLS = 100
"""Wider, and the eye would lose the row between what is done and how."""


class QueryField(Field):
    """What is looked for; its keys walk through the list below it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("palette"),
        Binding("ctrl+c", "screen.leave", show=False),
        Binding("tab", "screen.walk(1)", show=False),
        Binding("shift+tab", "screen.walk(-1)", show=False),
    ]

    def insert_text(self, text: str) -> None:
        """Put a foreign text at the cursor, on one line."""
        super().insert_text(" ".join(text.split("\n")))


class Palette(Selecting[Item | None], ModalScreen[Item | None]):
    """Dismissed with what was chosen, None for nothing; it runs nothing itself."""

    AUTO_FOCUS = "#palette-query"
    way_back = "palette_leave"
    DEFAULT_CSS = """
    Palette {
        align: center top; background: transparent;
        & #palette {
            width: 100%; max-width: 100; height: auto; max-height: 100%;
            background: $background; border: round $accent; padding: 0 1;
            border-title-style: bold; border-subtitle-color: $foreground-muted;
        }
        & #palette-query { max-height: 1; }
        & #palette-none { color: $foreground-muted; }
        & OptionList {
            height: auto; max-height: 20; margin: 1 0 0 0; padding: 0; border: none;
            background: transparent; scrollbar-size-vertical: 1;
            &:focus { border: none; background-tint: transparent; }
        }
        &.-small #palette { border: none; padding: 0; }
        &.-small OptionList { margin: 0; }
    }
    """

    def __init__(self, offered: Sequence[Item]) -> None:
        super().__init__()
        self._offered = offered
        self._found: list[Item] = []
        self._query = QueryField(id="palette-query")
        self._list = MarkedList(id="palette-list", markup=False)
        self._list.can_focus = False
        self._none = Static("nothing that works now is called so", id="palette-none")

    def compose(self) -> ComposeResult:
        frame = Vertical(id="palette")
        frame.border_title = "what do you want to do?"
        keys = keymap_of(self)
        walk = joined([keys.label("palette_up"), keys.label("palette_down")])
        frame.border_subtitle = (
            f"{walk} choose · {keys.label('palette_run')} run · {keys.label('palette_leave')} close"
        )
        with frame:
            yield self._query
            yield self._list
            yield self._none

    def on_mount(self) -> None:
        self._look()

    def on_resize(self) -> None:
        self.fit()
        self._look()

    def fit(self) -> None:
        rows = self.size.height - self.waiting_rows
        is_small = rows < 20
        self.set_class(is_small, "-small")
        self._list.styles.max_height = max(1, rows - (1 if is_small else 5))

    def on_key(self, event: events.Key) -> None:
        """What came before the field had the keyboard is the field's: of keys that it has, none
        leaves it."""
        if event.is_printable or bound(self._query, event.key):
            event.stop()
            self._query.post_message(events.Key(event.key, event.character))

    def on_text_area_changed(self) -> None:
        self._look()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(self._found[event.option_index])

    def action_walk(self, step: int) -> None:
        """To the next line, or the one before (-1), around the ends."""
        if step > 0:
            self._list.action_cursor_down()
        else:
            self._list.action_cursor_up()

    def action_page(self, step: int) -> None:
        """A page further, or back (-1)."""
        rows = max(1, self._list.size.height)
        here = self._list.highlighted or 0
        self._list.highlighted = min(max(0, here + step * rows), len(self._found) - 1)

    def action_choose(self) -> None:
        """Take the line that is marked; with no line, nothing happens."""
        if self._list.highlighted is not None:
            self.dismiss(self._found[self._list.highlighted])

    def action_leave(self) -> None:
        """Close, and do nothing."""
        self.dismiss(None)

    def _look(self) -> None:
        """Show what fits, the best one marked."""
        self._found = matching(self._offered, self._query.text)
        self._list.set_options(Option(self._row(item)) for item in self._found)
        self._list.highlighted = 0 if self._found else None
        self._list.display = bool(self._found)
        self._none.display = not self._found

    def _row(self, item: Item) -> Content:
        room = max(8, min(self.size.width, MOST_CELLS) - 7)
        label = item.label
        if cell_width(item.words) + 2 + cell_width(label) > room and item.command:
            label = f"{item.command} …" if " " in label else label
        label = shorten(label, room // 2)
        words = Content(item.words).truncate(room - cell_width(label) - 2, ellipsis=True)
        gap = " " * max(1, room - words.cell_length - cell_width(label))
        return Content.assemble(words, gap, (label, "$foreground-muted"))
