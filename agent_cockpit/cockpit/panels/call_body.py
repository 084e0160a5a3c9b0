"""What a panel asks about: its lines, how many are out of sight, and whether its end ever was in
sight."""

from __future__ import annotations

from collections.abc import Sequence

from agent_cockpit.cockpit.consent.question import Line
from agent_cockpit.cockpit.widgets.lines_view import LinesView


class CallBody(LinesView):
    """Lines of which some must be seen before a yes."""

    below = 0
    """How many rows are out of sight below."""
    saw_end = False
    """Whether the row that must be seen was painted once."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.can_focus = False
        self._rows_shown = self._end_row = 0

    @property
    def can_read_on(self) -> bool:
        """Whether there is more than is in sight."""
        return self.rows > self._rows_shown

    def begin(self) -> None:
        """Something new is shown, from its top."""
        self.saw_end = False
        self.scroll_home(animate=False)

    def fit(self, lines: Sequence[Line], width: int, *, room: int, end: int) -> None:
        """Show these lines in at most `room` rows; `end` is the line that must be seen."""
        self.show(lines, width)
        if self.rows > room:
            self.show(lines, width - 1)
        self._end_row = self.row_below(end)
        self._rows_shown = min(room, self.rows)
        self.styles.height = self._rows_shown

    def look(self, *, is_painted: bool) -> None:
        """Take in what is in sight now."""
        row_below = self._rows_shown + round(self.scroll_offset.y)
        self.below = max(0, self.rows - row_below)
        self.saw_end = self.saw_end or (is_painted and self._end_row <= row_below)

    def show_end(self) -> None:
        """Scroll to what must be seen."""
        self.scroll_to(y=self._end_row - self._rows_shown, animate=False)
