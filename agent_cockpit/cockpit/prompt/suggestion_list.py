"""A short list above the prompt, of what may be meant there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.widgets import Static

from agent_cockpit.cockpit.look.edges import row_cells
from agent_cockpit.text import cell_width

MOST_ROWS = 8
_LEAST_ROWS = 3


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One row: `label` as it is shown, with the signs at `places` set apart, and `words` about
    it; `text` is what it puts into the prompt, the cursor `back` signs before its end."""

    label: str
    text: str
    words: str = ""
    places: tuple[int, ...] = ()
    back: int = 0


class SuggestionList(Static):
    """Shows as many suggestions as leave the transcript its room; `clicked` gets a row's place.

    It takes no keys: the prompt keeps the keyboard.
    """

    DEFAULT_CSS = """
    SuggestionList {
        height: auto; display: none;
        border-top: solid $border;
    }
    """

    def __init__(self, clicked: Callable[[int], object], *, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self._clicked = clicked
        self._rows: Sequence[Suggestion] = ()
        self._selected = -1
        self._heading = ""
        self._first = 0

    def show(self, rows: Sequence[Suggestion], selected: int, *, heading: str = "") -> None:
        """Show these rows, the one at `selected` chosen (-1: none), below the heading."""
        self._rows, self._selected, self._heading = rows, selected, heading
        self.display = bool(rows or heading) and not self.screen.has_class("-crowded")
        self._draw()

    def on_mount(self) -> None:
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def on_click(self, event: events.Click) -> None:
        event.stop()
        place = self._first + event.y - 1 - bool(self._heading)
        if self._first <= place < self._first + self._room:
            self._clicked(place)

    @property
    def _room(self) -> int:
        """How many rows may be shown."""
        limit = max(_LEAST_ROWS, min(MOST_ROWS, self.app.size.height // 4))
        return min(limit, len(self._rows))

    def _draw(self) -> None:
        if not self.is_attached or not self.display:
            return
        width = self.content_size.width or row_cells(self.app.size.width)
        room = self._room
        if self._selected >= 0:
            self._first = min(max(self._first, self._selected - room + 1), self._selected)
        self._first = max(0, min(self._first, len(self._rows) - room))
        shown = self._rows[self._first : self._first + room]
        labels = min(max((cell_width(row.label) for row in shown), default=0), max(12, width // 2))
        lines = [Content.styled(self._heading, "$foreground-muted")] if self._heading else []
        lines += [
            _line(row, labels, width, is_selected=self._first + number == self._selected)
            for number, row in enumerate(shown)
        ]
        self.update(Content("\n").join(lines))


def _line(row: Suggestion, labels: int, width: int, *, is_selected: bool) -> Content:
    label = Content(row.label)
    for place in row.places:
        label = label.stylize("bold $text-accent", place, place + 1)
    if is_selected:
        label = label.stylize("bold")
    mark = ("▸ ", "bold $text-accent") if is_selected else "  "
    room = labels if row.words else width - 2
    line = Content.assemble(mark, label.truncate(room, ellipsis=True, pad=bool(row.words)))
    if row.words:
        line = Content.assemble(line, "  ", (row.words, "$foreground-muted"))
    return line.truncate(width, ellipsis=True)
