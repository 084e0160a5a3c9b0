"""Prompts that were sent and have not reached the model yet, above the composer."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.widgets import Static

from agent_cockpit.cockpit.look.edges import row_cells
from agent_cockpit.text import clean_line

_WORDS = {
    "opening": "waits for the engine",
    "sending": "on its way",
    "steering": "joins after this step",
    "follow_up": "comes after this goal",
}
ROWS_SHOWN = 4


class WaitingList(Static):
    """One row a prompt: what it says and what it waits for; hidden while nothing waits."""

    DEFAULT_CSS = "WaitingList { height: auto; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self.prompts: Sequence[tuple[str, str]] = []

    def on_mount(self) -> None:
        self.display = False

    def show(self, prompts: Sequence[tuple[str, str]]) -> None:
        """Show these (kind, text) prompts, oldest first."""
        if prompts == self.prompts:
            return
        self.prompts = prompts
        self.display = bool(prompts)
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        width = self.content_size.width or row_cells(self.app.size.width)
        rows = [self._row(kind, text, width) for kind, text in self.prompts[:ROWS_SHOWN]]
        if more := len(self.prompts) - len(rows):
            rows.append(Content.styled(f"  and {more} more", "$foreground-muted"))
        self.update(Content("\n").join(rows))

    def _row(self, kind: str, text: str, width: int) -> Content:
        words = _WORDS.get(kind, kind)
        row = Content.assemble(("↳ ", "$text-accent"), clean_line(text))
        room = width - len(words) - 2
        if room < 12:
            return row.truncate(width, ellipsis=True)
        return Content.assemble(
            row.truncate(room, ellipsis=True, pad=True), "  ", (words, "$foreground-muted")
        )
