"""An app that draws what can be seen to have changed, and nothing else.

Textual counts the screen below as seen, whatever covers it: each turn of its spinner and each
word of its transcript drew the whole covering screen anew.
"""

from __future__ import annotations

from typing import Any

from textual.screen import Screen

from agent_cockpit.cockpit.look.few_rows import FewRows
from agent_cockpit.cockpit.look.patient import InTime
from agent_cockpit.cockpit.look.selecting import Selecting


class InSight(InTime):
    """The first floor of the cockpit; only `CockpitApp` is made."""

    @property
    def _background_screens(self) -> list[Screen[Any]]:
        """The screens that can be seen through the one on top."""
        if self._screen_stack and self._screen_stack[-1].styles.background.a == 1:
            return []
        return super()._background_screens

    def get_default_screen(self) -> Screen[Any]:
        """The main screen, of which a frame draws the rows that changed."""
        screen: Screen[Any] = Selecting(id="_default")
        screen._compositor = FewRows()
        return screen
