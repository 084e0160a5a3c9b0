"""A screen whose selection may outlive the words that were selected."""

from __future__ import annotations

from typing import TypeVar

from textual.actions import SkipAction
from textual.screen import Screen

Result = TypeVar("Result")


class Selecting(Screen[Result]):
    """Every screen of the cockpit is one."""

    def action_copy_text(self) -> None:
        """The app's own key copies: it says so, and what was copied is selected no more."""
        raise SkipAction

    def get_selected_text(self) -> str | None:
        """What is selected; nothing, once the lines are gone that it stood in, as after another
        wrap. Textual looks for them all the same, and any key would end the app."""
        try:
            return super().get_selected_text()
        except IndexError:
            self.clear_selection()
            return None
