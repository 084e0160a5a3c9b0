"""An app that is styled once before its first paint, in the theme that it will have.

Textual parses its style sheets for a theme of its own, and styles all anew for another one.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from textual.screen import Screen

from agent_cockpit.cockpit.look.in_sight import InSight


class StyledOnce(InSight):
    """The second floor of the cockpit; only `CockpitApp` is made."""

    _styled_with: dict[str, str] | None = None
    """The theme's colours until the first paint; whoever asks for these again has them."""

    @abstractmethod
    def choose_theme(self) -> None:
        """Set the theme for the first paint; the terminal is known, no widget is there yet."""

    def get_default_screen(self) -> Screen[Any]:
        """The main screen, made when its theme is known."""
        self.choose_theme()
        self._styled_with = self.get_css_variables()
        self.stylesheet.set_variables(self._styled_with)
        return super().get_default_screen()

    def refresh_css(self, animate: bool = True) -> None:
        """Style everything anew; before the first paint only for another theme."""
        if self._styled_with is None or self._styled_with != self.get_css_variables():
            super().refresh_css(animate=animate)

    def on_ready(self) -> None:
        """The first paint is over."""
        self._styled_with = None
