"""Whether the side panel is shown, and what its clicks open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from textual.geometry import Size
from textual.screen import Screen

from agent_cockpit.cockpit.remembered import Remembered

if TYPE_CHECKING:
    from agent_cockpit.cockpit.widgets.side_panel import SidePanel
    from agent_cockpit.transcript.status import Status

SIDE_COLUMNS = 140
"""A narrower screen needs all its columns for the conversation."""


class Main(Protocol):
    """What the side needs of the app."""

    @property
    def size(self) -> Size: ...

    @property
    def screen_stack(self) -> list[Screen[Any]]: ...


class Side:
    """Owns the panel: on until a person switches it off, which is remembered."""

    def __init__(self, main: Main, remembered: Remembered) -> None:
        self._main = main
        self._remembered = remembered
        self._panel: SidePanel | None = None

    @property
    def is_on(self) -> bool:
        """Whether a person wants it where there is room."""
        return self._remembered.flag("side_panel") is not False

    def toggle(self) -> str:
        """Show it or hide it; what a person should know about that."""
        self._remembered.keep(side_panel=not self.is_on)
        if self._main.size.width >= SIDE_COLUMNS:
            return self._remembered.problem
        return f"side panel {'on' if self.is_on else 'off'}, from {SIDE_COLUMNS} columns on"

    def present(
        self, status: Status | None, waiting: Sequence[tuple[str, str]], *, has_blocks: bool
    ) -> int:
        """Show the present where there is room; how many columns the panel takes."""
        is_wide = self._main.size.width >= SIDE_COLUMNS
        if status is None or not (has_blocks and is_wide and self.is_on):
            if self._panel is not None:
                self._panel.display = False
            return 0
        if self._panel is None:
            from agent_cockpit.cockpit.widgets.side_panel import SidePanel

            self._panel = SidePanel(id="side")
            self._main.screen_stack[0].mount(self._panel)
        self._panel.display = True
        self._panel.show(status, waiting)
        return self._panel.CELLS
