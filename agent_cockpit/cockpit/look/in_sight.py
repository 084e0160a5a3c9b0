"""An app that draws no screen which stands behind one that covers it.

Textual counts the screen below as seen, whatever covers it: each turn of its spinner and each
word of its transcript drew the whole covering screen anew.
"""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.screen import Screen


class InSight(App[None]):
    """The ground floor of the cockpit; only `CockpitApp` is made."""

    @property
    def _background_screens(self) -> list[Screen[Any]]:
        """The screens that can be seen through the one on top."""
        if self._screen_stack and self._screen_stack[-1].styles.background.a == 1:
            return []
        return super()._background_screens
