"""Lines of a page that are chosen with the keyboard, one after the other.

Law: what is chosen are lines as they were written, whatever the width and the wrapping become.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from textual.geometry import Offset
from textual.message import Message
from textual.selection import Selection
from textual.widget import Widget


class ChoosesLines(Widget):
    """A widget in whose lines some can be chosen; owns the two ends, of which the second one
    moves. What is chosen is selected, and copied as such."""

    @dataclass
    class Changed(Message):
        """Something else is selected."""

    _ends: tuple[int, int] = (0, 0)
    _chosen: Selection | None = None
    """What was selected for the lines last."""

    @property
    @abstractmethod
    def line_texts(self) -> Sequence[str]:
        """The lines as they are copied."""

    @abstractmethod
    def lines_in_sight(self) -> range:
        """Those that the view shows now."""

    @abstractmethod
    def bring(self, first: int, last: int) -> None:
        """Scroll as little as shows these lines, the first of them when not all fit."""

    @property
    def chosen_lines(self) -> int:
        """How many lines are chosen: none once the mouse selected anew, or all was copied."""
        if self._chosen is None or self.text_selection != self._chosen:
            return 0
        first, last = sorted(self._ends)
        return last - first + 1

    def choose_line(self, step: int, start: int | None = None) -> None:
        """Choose a line more, or one less, on the side of the end that moves. The first is the
        one at `start`, else the first in sight on the way down, the last on the way up."""
        texts = self.line_texts
        if not texts:
            return
        if self.chosen_lines:
            anchor, end = self._ends[0], self._ends[1] + step
        else:
            seen = self.lines_in_sight()
            place = start if start is not None else seen[0 if step > 0 else -1] if seen else 0
            anchor = end = place
        end = max(0, min(end, len(texts) - 1))
        self._ends = anchor, end
        first, last = sorted(self._ends)
        self._chosen = Selection(Offset(0, first), Offset(len(texts[last]), last))
        self.screen.selections = {self: self._chosen}
        self.bring(end, end)

    def choose_no_lines(self) -> bool:
        """Select no more what was chosen; whether anything was."""
        if not self.chosen_lines:
            return False
        self.screen.clear_selection()
        return True

    def selection_updated(self, selection: Selection | None) -> None:
        self.refresh()
        self.post_message(self.Changed())
