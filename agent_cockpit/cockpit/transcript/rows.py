"""The rows in sight: each dressed once for the terminal, and which of them changed.

Law: a row that was drawn again and came out the same has not changed.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.style import Style
from textual.strip import Strip

_KEPT_LINES = 400
"""Some screens of lines stay dressed; then all are dressed again as they are looked at."""


class Rows:
    """Owns what the view last showed, from its first visible line on."""

    def __init__(self) -> None:
        self.style = Style()
        """What every row is drawn on; asked of the widget once a frame, it is dear."""
        self._dressed: dict[int, tuple[Strip, Strip, Strip]] = {}
        self._dress = (0, self.style)
        self._top = -1
        self._shown: list[Strip | None] = []

    def dressed(self, line: int, strip: Strip, width: int) -> tuple[Strip, Strip]:
        """`strip` as wide as the view and in its colours; and that, ready to be selected from."""
        if self._dress != (width, self.style) or len(self._dressed) > _KEPT_LINES:
            self._dressed.clear()
            self._dress = (width, self.style)
        known = self._dressed.get(line)
        if known is not None and _same(known[0], strip):
            return known[1:]
        plain = strip.extend_cell_length(width).apply_style(self.style)
        dressed = plain.apply_offsets(0, line)
        self._dressed[line] = (strip, plain, dressed)
        return plain, dressed

    def changed(self, top: int, rows: Sequence[Strip | None]) -> list[range]:
        """Runs of rows that differ from what was shown before, and remember these instead.

        All of them when another line stands at the top, or the view has another height.
        """
        before, self._shown = self._shown, list(rows)
        if top != self._top or len(before) != len(rows):
            self._top = top
            return [range(len(rows))]
        runs: list[range] = []
        for row, (old, new) in enumerate(zip(before, rows, strict=True)):
            if _same(old, new):
                continue
            if runs and runs[-1].stop == row:
                runs[-1] = range(runs[-1].start, row + 1)
            else:
                runs.append(range(row, row + 1))
        return runs


def _same(old: Strip | None, new: Strip | None) -> bool:
    return old is new or old == new
