"""Searching what was sent: typed words narrow the list, the newest prompt first.

Law: what was being written when the search began comes back when it is left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from agent_cockpit.cockpit.prompt.suggestion_list import Suggestion
from agent_cockpit.text import clean_line

if TYPE_CHECKING:
    from agent_cockpit.cockpit.prompt.composer import Composer

MOST_FOUND = 100
_SHOWN_CHARS = 300


class HistorySearch:
    """One search, while the composer holds its words; `over` is called when it has ended."""

    def __init__(
        self, composer: Composer, show: Callable[[], object], over: Callable[[], object]
    ) -> None:
        self.rows: list[Suggestion] = []
        self.selected = -1
        self.heading = ""
        self.aside = composer.text
        """What was being written, chips and all."""
        self._composer = composer
        self._show = show
        self._over = over
        self._seen: str | None = None
        composer.put("" if "\n" in self.aside else self.aside)

    def refresh(self, *, again: bool = False) -> None:
        """List the prompts that hold every word that is written."""
        text = self._composer.text
        if text == self._seen and not again:
            return
        self._seen = text
        words = text.lower().split()
        prompts = self._composer.prompts.newest_first()
        found = [each for each in prompts if all(word in each.lower() for word in words)]
        self.rows = [_row(prompt, words) for prompt in found[:MOST_FOUND]]
        self.selected = 0 if self.rows else -1
        self.heading = "  search your prompts" if self.rows else "  no prompt of yours holds this"
        self._show()

    def takes(self, key: str) -> bool:
        """Whether the key was for the search; what is typed goes into its words."""
        match key:
            case "down" | "ctrl+r":
                self._move(1)
            case "up":
                self._move(-1)
            case "enter" | "tab":
                self.accept(self.selected)
            case "escape" | "ctrl+c":
                self.leave()
            case "ctrl+j" | "shift+enter" | "alt+enter" | "ctrl+d":
                pass
            case _:
                return False
        return True

    def accept(self, place: int) -> None:
        """Bring a prompt into the composer, unsent; without one, what was written before."""
        self._over()
        chosen = 0 <= place < len(self.rows)
        self._composer.put(self.rows[place].text if chosen else self.aside)

    def leave(self) -> None:
        """End the search, with what was written before it."""
        self.accept(-1)

    def _move(self, step: int) -> None:
        if self.rows:
            self.selected = (self.selected + step) % len(self.rows)
            self._show()


def _row(prompt: str, words: list[str]) -> Suggestion:
    label = clean_line(prompt[:_SHOWN_CHARS])
    lower = label.lower()
    places: set[int] = set()
    if len(lower) == len(label):
        for word in words:
            at = lower.find(word)
            places |= set(range(at, at + len(word))) if at >= 0 else set()
    return Suggestion(label, prompt, places=tuple(sorted(places)))
