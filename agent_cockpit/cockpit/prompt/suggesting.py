"""What stands above the prompt to help with writing it: completions, found prompts, or the
beginning of a long paste. Loaded when it is first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widget import Widget

from agent_cockpit.cockpit.look.edges import row_cells
from agent_cockpit.cockpit.prompt.completing import Completing
from agent_cockpit.cockpit.prompt.history_search import HistorySearch
from agent_cockpit.cockpit.prompt.offers import Offers, Owner
from agent_cockpit.cockpit.prompt.suggestion_list import SuggestionList
from agent_cockpit.text import clean_line, shorten

if TYPE_CHECKING:
    from agent_cockpit.cockpit.prompt.composer import Composer

PREVIEW_LINES = 3
_PREVIEW_CHARS = 300
_CHIP_HINT = "… alt+p writes it out · backspace takes it away"
_SHORT_CHIP_HINT = "… alt+p writes it out"


class Suggesting:
    """Owns the list widget and says what is in it; the composer gives it keys and changes."""

    def __init__(self, owner: Owner, composer: Composer) -> None:
        self._owner = owner
        self._composer = composer
        self._was_open = False
        self._offers = Offers(owner, lambda: self.refresh(again=True))
        self._completing = Completing(composer, self._offers, self._show)
        self._history: HistorySearch | None = None
        self._list = SuggestionList(self._clicked, id="suggestions")

    @property
    def is_open(self) -> bool:
        """Whether there is something to choose from; never beside a question, which needs the
        room and the keys, and no completion once what it completed was sent."""
        completes = self._completing.rows and self._composer.text
        return not self._owner.has_question and bool(self._history or completes)

    @property
    def aside(self) -> str | None:
        """What is being written, while a search of the history has the composer."""
        return self._history.aside if self._history else None

    def refresh(self, *, again: bool = False) -> None:
        """The text or the cursor may have changed, or there is more to offer."""
        (self._history or self._completing).refresh(again=again)
        self._show()

    def takes(self, key: str) -> bool:
        """Whether the key was for what is open."""
        self.refresh()
        return not self._owner.has_question and (self._history or self._completing).takes(key)

    def make_way_for(self, character: str) -> None:
        """This character is about to be written."""
        self._completing.make_way_for(character)

    def search_history(self) -> None:
        """Begin to search what was sent."""
        if self._history is None:
            self._history = HistorySearch(self._composer, self._show, self._end_history)
            self.refresh()

    def leave(self) -> None:
        """End a search of the history, with what was written before it."""
        if self._history is not None:
            self._history.leave()

    def _end_history(self) -> None:
        self._history = None
        self._show()

    def _clicked(self, place: int) -> None:
        (self._history or self._completing).accept(place)

    @property
    def _row(self) -> Widget:
        """The part of the screen that the composer is in."""
        parent = self._composer.parent
        if isinstance(parent, Widget) and parent is not self._composer.screen:
            return parent
        return self._composer

    def show(self) -> None:
        """Draw it again: what stands beside it may have changed."""
        if self._list.is_attached:
            self._show()

    def _show(self) -> None:
        if not self._list.is_attached:
            if not self._composer.is_attached:
                return
            self._composer.screen.mount(self._list, before=self._row)
        source = self._history or self._completing
        if self._owner.has_question:
            self._list.show([], -1)
        elif source.rows or source.heading:
            self._list.show(source.rows, source.selected, heading=source.heading)
        else:
            self._list.show([], -1, heading=self._preview())
        if self.is_open != self._was_open:
            self._was_open = self.is_open
            self._owner.present()

    def _preview(self) -> str:
        """How the long paste at the cursor begins."""
        span = self._composer.chip_at_cursor()
        if span is None:
            return ""
        text = self._composer.pastes.text_of(span.chip)
        begun = text.split("\n", PREVIEW_LINES)[:PREVIEW_LINES]
        room = row_cells(self._composer.app.size.width) - 2
        rows = [shorten(clean_line(line[:_PREVIEW_CHARS]), room) for line in begun]
        rows.append(_CHIP_HINT if len(_CHIP_HINT) <= room else shorten(_SHORT_CHIP_HINT, room))
        return "\n".join(f"  {row}" for row in rows)
