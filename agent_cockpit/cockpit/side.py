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
    """Owns the panel: there once something lasting stands on it, unless a person wants it
    always or never; what they want is remembered."""

    def __init__(self, main: Main, remembered: Remembered) -> None:
        self._main = main
        self._remembered = remembered
        self._panel: SidePanel | None = None
        self._is_filled = False

    @property
    def is_on(self) -> bool:
        """Whether it is shown where there is room.

        A running call or a waiting prompt alone does not bring it: they come and go, and the
        page would be wrapped anew each time.
        """
        wanted = self._remembered.flag("side_panel")
        return self._is_filled if wanted is None else wanted

    def toggle(self) -> str:
        """Show it or hide it; what a person should know about that.

        To hide one that is empty, or show one that is filled, is what happens by itself.
        """
        wanted = not self.is_on
        self._remembered.keep(side_panel=None if wanted == self._is_filled else wanted)
        if self._main.size.width >= SIDE_COLUMNS:
            return self._remembered.problem
        return f"side panel {'on' if self.is_on else 'off'}, from {SIDE_COLUMNS} columns on"

    def present(self, status: Status | None, waiting: Sequence[tuple[str, str]]) -> int:
        """Show the present where there is room; how many columns the panel takes."""
        if status is not None:
            self._is_filled = bool(status.plan_steps or status.plan_strays or status.changes)
        is_wide = self._main.size.width >= SIDE_COLUMNS
        if status is None or not (is_wide and self.is_on):
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
