"""What all screens of the cockpit share: a selection that may outlive the words that were
selected, and a word that stays while a question waits under a screen that covers it."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual.actions import SkipAction
from textual.screen import Screen
from textual.widgets import Static

Result = TypeVar("Result")


class Selecting(Screen[Result]):
    """Every screen of the cockpit is one."""

    DEFAULT_CSS = """
    Selecting > .question-waits {
        dock: bottom; height: 1; padding: 0 1;
        background: $background; color: $text-warning; text-style: bold;
    }
    """
    way_back: ClassVar[str] = ""
    """The line of the table of keys that leads back to the conversation; empty where leaving
    is a decision of its own."""

    _waiting: Static | None = None

    def tell_waiting(self, words: str) -> None:
        """Say in the last row that something waits under this screen, until told no words."""
        if not self.is_mounted or bool(words) == (self._waiting is not None):
            return
        if self._waiting is not None:
            self._waiting.remove()
            self._waiting = None
        else:
            self._waiting = Static(words, classes="question-waits", markup=False)
            self.mount(self._waiting)
        self.fit()

    def fit(self) -> None:
        """Lay out what counts its rows itself."""

    @property
    def waiting_rows(self) -> int:
        """How many rows that word takes."""
        return 0 if self._waiting is None else 1

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
