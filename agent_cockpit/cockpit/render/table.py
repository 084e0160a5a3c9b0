"""Tables of styled cells as lines; too many columns for the page become lists of fields."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from agent_cockpit.cockpit.render.page import Page, fill, wrap

_GAP = 2
_MIN_COLUMN_CELLS = 6
_MOST_FIELDS = 1_000
"""Nobody reads a longer list of fields, and to draw it would hold the keys up."""


def table_lines(
    rows: list[list[Text]], page: Page, width: int, *, is_right: Sequence[bool] = ()
) -> list[Text]:
    """The table with its first row as head, at most `width` cells wide; `is_right`: which
    columns end at their right edge."""
    if not rows or not rows[0]:
        return []
    columns = len(rows[0])
    if columns * (_MIN_COLUMN_CELLS + _GAP) - _GAP > width:
        is_huge = len(rows) * columns > _MOST_FIELDS
        return _as_text(rows, page, width) if is_huge else _as_fields(rows, page, width)
    widths = _fitted(rows, width - _GAP * (columns - 1))
    is_right = [*is_right, *[False] * columns][:columns]
    head = [cell.copy() for cell in rows[0]]
    for cell in head:
        cell.stylize("bold")
    lines = _row(head, widths, is_right, page)
    rule = (" " * _GAP).join("─" * cells for cells in widths)
    lines.append(Text(rule, style=page.ink.faint))
    for row in rows[1:]:
        lines += _row(row, widths, is_right, page)
    return lines


def _fitted(rows: list[list[Text]], room: int) -> list[int]:
    """Column widths that fit: the widest give way first."""
    columns = len(rows[0])
    wanted = [
        max(max((row[n].cell_len for row in rows if n < len(row)), default=0), 3)
        for n in range(columns)
    ]
    while sum(wanted) > room:
        widest = max(range(columns), key=lambda n: wanted[n])
        second = max((w for n, w in enumerate(wanted) if n != widest), default=0)
        too_much = sum(wanted) - room
        wanted[widest] -= max(1, min(too_much, wanted[widest] - second))
    return wanted


def _row(row: list[Text], widths: list[int], is_right: Sequence[bool], page: Page) -> list[Text]:
    cells = [
        wrap(row[n] if n < len(row) else Text(), cells_wide, page.console)
        for n, cells_wide in enumerate(widths)
    ]
    lines: list[Text] = []
    for number in range(max(len(cell) for cell in cells)):
        line = Text()
        for n, cell in enumerate(cells):
            piece = cell[number] if number < len(cell) else Text()
            if is_right[n]:
                line.append(" " * (widths[n] - piece.cell_len))
                line.append_text(piece)
            else:
                line.append_text(fill(Text.assemble(piece), widths[n]))
            line.append(" " * (_GAP if n < len(cells) - 1 else 0))
        line.rstrip()
        lines.append(line)
    return lines


def _as_fields(rows: list[list[Text]], page: Page, width: int) -> list[Text]:
    lines: list[Text] = []
    for row in rows[1:]:
        if lines:
            lines.append(Text())
        for head, cell in zip(rows[0], row, strict=False):
            field = Text.assemble((f"{head.plain}: ", page.ink.muted), cell)
            lines += wrap(field, width, page.console)
    return lines


def _as_text(rows: list[list[Text]], page: Page, width: int) -> list[Text]:
    return [line for row in rows for line in wrap(Text(" | ").join(row), width, page.console)]
