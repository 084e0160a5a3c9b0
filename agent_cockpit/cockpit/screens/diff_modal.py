"""A diff, whole: coloured, scrolled in both directions, file by file."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from agent_cockpit.cockpit.diff_page import diff_page
from agent_cockpit.cockpit.keys.keymap import joined
from agent_cockpit.cockpit.keys.textual_keys import bindings, keymap_of
from agent_cockpit.cockpit.screens.full_screen import PageScreen
from agent_cockpit.cockpit.widgets.lines_view import LinesView


class DiffModal(PageScreen):
    """Shows one diff until it is closed."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("diff")]
    DEFAULT_CSS = """
    DiffModal {
        & #diff-lines { height: 1fr; padding: 0 1; }
        & #diff-title { height: 1; padding: 0 1; text-style: bold; background: $panel; }
        & #diff-keys { height: 1; padding: 0 1; color: $text-muted; }
    }
    """

    def __init__(self, diff: str) -> None:
        super().__init__()
        self._lines, self._files = diff_page(diff)
        self._view = LinesView(self._lines, wrap=False, id="diff-lines")
        self._view.can_focus = False

    def compose(self) -> ComposeResult:
        yield Static(self._title(), id="diff-title", markup=False)
        yield self.body
        yield Static(self._keys(), id="diff-keys", markup=False)

    @property
    def body(self) -> LinesView:
        return self._view

    def action_file(self, step: int) -> None:
        """Scroll to the next file, or to the one before."""
        here = round(self.body.scroll_y)
        if step > 0:
            there = next((row for row in self._files if row > here), None)
        else:
            there = next((row for row in reversed(self._files) if row < here), None)
        if there is not None:
            self.body.scroll_to(y=there, animate=False)

    def action_file_at(self, place: int) -> None:
        """Scroll to the file at this place, from 1."""
        if place <= len(self._files):
            self.body.scroll_to(y=self._files[place - 1], animate=False)

    def action_sideways(self, step: int) -> None:
        """Scroll half a screen to the right (1) or to the left (-1)."""
        self.body.scroll_relative(x=step * (self.size.width // 2), animate=False)

    def _title(self) -> str:
        if not self._lines:
            return "no changes"
        added = sum(line.tone == "added" for line in self._lines)
        removed = sum(line.tone == "removed" for line in self._lines)
        files = len(self._files)
        return f"{files} file{'' if files == 1 else 's'} · +{added} −{removed}"

    def _keys(self) -> str:
        label = keymap_of(self).label
        walk = joined([label("diff_next"), label("diff_previous")])
        files = f"{walk} next, former file · " if len(self._files) > 1 else ""
        return f"{files}{label('page_close')} close"
