"""A diff, whole: coloured, scrolled in both directions, file by file."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Static

from agent_cockpit.cockpit.question import Line, diff_tone
from agent_cockpit.cockpit.widgets.lines_view import LinesView
from agent_cockpit.text import reveal

LINE_CELLS = 4_000
"""A longer line keeps its beginning: nobody scrolls further to the right."""


class DiffModal(Screen[None]):
    """Shows one diff until it is closed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,ctrl+c", "close", show=False),
        Binding("n", "file(1)", show=False),
        Binding("p", "file(-1)", show=False),
    ]
    DEFAULT_CSS = """
    DiffModal {
        & #diff-lines { height: 1fr; padding: 0 1; }
        & #diff-title { height: 1; padding: 0 1; text-style: bold; background: $panel; }
        & #diff-keys { height: 1; padding: 0 1; color: $text-muted; }
    }
    """

    def __init__(self, diff: str) -> None:
        super().__init__()
        self._lines = _lines_of(diff)
        self._files = [
            row for row, line in enumerate(self._lines) if line.text.startswith("diff --git ")
        ] or [row for row, line in enumerate(self._lines) if line.text.startswith("--- ")]

    def compose(self) -> ComposeResult:
        yield Static(self._title(), id="diff-title", markup=False)
        yield LinesView(self._lines, wrap=False, id="diff-lines")
        yield Static(self._keys(), id="diff-keys", markup=False)

    def on_mount(self) -> None:
        self.query_one(LinesView).focus()

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)

    def action_file(self, step: int) -> None:
        """Scroll to the next file, or to the one before."""
        view = self.query_one(LinesView)
        here = round(view.scroll_y)
        if step > 0:
            there = next((row for row in self._files if row > here), None)
        else:
            there = next((row for row in reversed(self._files) if row < here), None)
        if there is not None:
            view.scroll_to(y=there, animate=False)

    def _title(self) -> str:
        if not self._lines:
            return "no changes"
        added = sum(line.tone == "added" for line in self._lines)
        removed = sum(line.tone == "removed" for line in self._lines)
        files = len(self._files)
        return f"{files} file{'' if files == 1 else 's'} · +{added} −{removed}"

    def _keys(self) -> str:
        files = "n next file · p file before · " if len(self._files) > 1 else ""
        return f"{files}esc close"


def _lines_of(diff: str) -> list[Line]:
    """The lines of a diff, made safe, each with what it is."""
    if not diff.strip():
        return []
    lines = []
    for raw in diff.rstrip("\n").split("\n"):
        text = reveal(raw[:LINE_CELLS])
        lines.append(Line(text + ("…" if len(raw) > LINE_CELLS else ""), diff_tone(raw)))
    return lines
