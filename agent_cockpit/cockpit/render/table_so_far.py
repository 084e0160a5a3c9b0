"""A table that is still being written: its rows are read once, and drawn when they look new.

Law: when it has ended it reads as the whole table would. Until then rows far above may stand in
columns of another width for some frames: no frame draws all of a long table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from markdown_it.token import Token
from rich.text import Text
from textual.strip import Strip

from agent_cockpit.cockpit.render.markdown import right_columns, table_rows
from agent_cockpit.cockpit.render.page import Page
from agent_cockpit.cockpit.render.table import (
    Layout,
    head_lines,
    is_same_row,
    layout_of,
    row_lines,
    wanted_cells,
)
from agent_cockpit.cockpit.render.wrapping import wrap

_CELLS_A_FRAME = 240
"""So many cells are drawn again in one frame, which takes some ten milliseconds."""
_MOST_CELLS = 0x10000
"""Where the parser ends a table whose rows lack cells."""


@dataclass
class _Row:
    """One row: the text that it was read from, and how it was drawn."""

    source: str
    cells: list[Text]
    layout: Layout | None = None
    strips: list[Strip] = field(default_factory=list)


class TableSoFar:
    """Owns the rows of a table; `text` is what was read of it, up to the last whole row.

    What comes is read behind `opening`; `place` makes the strips of the first lines of all.
    """

    def __init__(
        self,
        page: Page,
        source: str,
        tokens: Sequence[Token],
        place: Callable[[list[Text]], list[Strip]],
    ) -> None:
        """`tokens` are those of `source`, which is this table alone."""
        self.strips: list[Strip] = []
        self._page = page
        self._place = place
        self._head = table_rows(tokens[1:-1], page)[0]
        self._is_right = right_columns(tokens)
        first = tokens[0].map[0] if tokens[0].map else 0
        self.text = "".join(f"{line}\n" for line in source.split("\n")[: first + 2])
        columns = len(self._head)
        self.opening = f"|{' |' * columns}\n|{'-|' * columns}\n"
        self._rows: list[_Row] = []
        self._last: _Row | None = None
        """The row whose end has not come."""
        self._wanted = wanted_cells([self._head])
        self._layout: Layout | None = None
        self._top: list[Strip] = []

    def goes_on(self, rest: str, tokens: Sequence[Token]) -> bool:
        """Take in `rest`, the text from behind `text` on, and the tokens of it behind `opening`;
        False: it must be read as a whole."""
        if not tokens or tokens[0].type != "table_open":
            return False
        body = [n for n, token in enumerate(tokens) if token.type == "tbody_open"]
        cells = table_rows(tokens[body[0] : -1], self._page) if body else []
        if (len(self._rows) + len(cells)) * len(self._head) > _MOST_CELLS:
            return False
        lines = rest.split("\n")
        new = [_Row(line, row) for line, row in zip(lines, cells, strict=False)]
        if new and self._last is not None and self._last.source == new[0].source:
            new[0] = self._last
        whole = min(len(new), len(lines) - 1)
        self._rows += new[:whole]
        self._last = new[whole] if whole < len(new) else None
        self.text += "".join(f"{row.source}\n" for row in new[:whole])
        self._wanted = _wider(self._wanted, new[:whole])
        self._draw(_CELLS_A_FRAME)
        return True

    def shows(self, rest: str) -> bool:
        """Show a row that has not ended as it was written, where that is much the same: to read
        one of hundreds of cells takes longer than a frame."""
        if "\n" in rest or self._layout is None or self._layout.kind != "text":
            return False
        self._last = None
        self._draw(_CELLS_A_FRAME)
        page = self._page
        words = Text(rest, style=page.ink.text)
        lines = wrap(words, page.room(), page.console) if rest else []
        self.strips += [page.line(line) for line in lines]
        return True

    def whole(self) -> list[Strip]:
        """The strips, now that it has ended."""
        self._draw(None)
        return self.strips

    def _draw(self, most_cells: int | None) -> None:
        """Draw what is new, and of what looks otherwise now so many cells, the last rows first."""
        page, room = self._page, self._page.room()
        rows = [*self._rows, *([self._last] if self._last else [])]
        wanted = _wider(self._wanted, [self._last]) if self._last else self._wanted
        layout, before = layout_of(wanted, len(rows) + 1, room, self._is_right), self._layout
        if layout != before:
            self._layout = layout
            self._top = self._place(head_lines(self._head, layout, page, room))
        left = most_cells
        for number in range(len(rows) - 1, -1, -1):
            row = rows[number]
            if row.layout is not None:
                if is_same_row(row.cells, row.layout, layout):
                    row.layout = layout
                    continue
                if left is not None and left <= 0 and (number or row.layout.kind == layout.kind):
                    continue
                left = None if left is None else left - len(row.cells)
            is_first = number == 0 and layout.kind == "fields"
            lines = row_lines(row.cells, self._head, layout, page, room, is_first=is_first)
            row.strips = self._place(lines) if is_first else [page.line(x) for x in lines]
            row.layout = layout
        self.strips = self._top + [strip for row in rows for strip in row.strips]


def is_table(tokens: Sequence[Token]) -> bool:
    """Whether the tokens are one table and nothing else, with a row below its head."""
    if not tokens or tokens[0].type != "table_open":
        return False
    tops = sum(token.level == 0 and token.nesting >= 0 for token in tokens)
    return tops == 1 and any(token.type == "tbody_open" for token in tokens)


def _wider(wanted: list[int], rows: list[_Row]) -> list[int]:
    if not rows:
        return wanted
    of_rows = wanted_cells([row.cells for row in rows])
    return [max(pair) for pair in zip(wanted, of_rows, strict=True)]
