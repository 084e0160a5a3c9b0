"""Tables of styled cells as lines; too many columns for the page become lists of fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from rich.text import Text

from agent_cockpit.cockpit.render.page import Page
from agent_cockpit.cockpit.render.wrapping import fill, fits, wrap

_GAP = 2
_MIN_COLUMN_CELLS = 6
_MOST_FIELDS = 1_000
"""Nobody reads a longer list of fields, and to draw it would hold the keys up."""


class Layout(NamedTuple):
    """How a table stands on its page: `grid`, `fields` or `text`; how wide a grid's columns are,
    and which of them end at their right edge."""

    kind: Literal["grid", "fields", "text"]
    widths: tuple[int, ...] = ()
    is_right: tuple[bool, ...] = ()


def table_lines(
    rows: list[list[Text]], page: Page, width: int, *, is_right: Sequence[bool] = ()
) -> list[Text]:
    """The table with its first row as head, at most `width` cells wide; `is_right`: which
    columns end at their right edge."""
    if not rows or not rows[0]:
        return []
    head = rows[0]
    layout = layout_of(wanted_cells(rows), len(rows), width, is_right)
    lines = head_lines(head, layout, page, width)
    for row in rows[1:]:
        lines += row_lines(row, head, layout, page, width, is_first=not lines)
    return lines


def wanted_cells(rows: list[list[Text]]) -> list[int]:
    """How wide the columns would be if there were room."""
    return [
        max(max((row[n].cell_len for row in rows if n < len(row)), default=0), 3)
        for n in range(len(rows[0]))
    ]


def layout_of(wanted: list[int], rows: int, width: int, is_right: Sequence[bool] = ()) -> Layout:
    """How a table of so many rows, its head among them, stands in `width` cells."""
    columns = len(wanted)
    if columns * (_MIN_COLUMN_CELLS + _GAP) - _GAP > width:
        return Layout("text" if rows * columns > _MOST_FIELDS else "fields")
    widths = _fitted(wanted, width - _GAP * (columns - 1))
    return Layout("grid", widths, (*is_right, *[False] * columns)[:columns])


def head_lines(head: list[Text], layout: Layout, page: Page, width: int) -> list[Text]:
    """The lines above the rows."""
    match layout.kind:
        case "fields":
            return []
        case "text":
            return _as_text(head, page, width)
        case "grid":
            bold = [cell.copy() for cell in head]
            for cell in bold:
                cell.stylize("bold")
            rule = (" " * _GAP).join("─" * cells for cells in layout.widths)
            return [*_row(bold, layout, page), Text(rule, style=page.ink.faint)]


def row_lines(
    row: list[Text], head: list[Text], layout: Layout, page: Page, width: int, *, is_first: bool
) -> list[Text]:
    """The lines of one row; `is_first`: nothing stands above it."""
    match layout.kind:
        case "fields":
            return [*([] if is_first else [Text()]), *_as_fields(row, head, page, width)]
        case "text":
            return _as_text(row, page, width)
        case "grid":
            return _row(row, layout, page)


def is_same_row(row: list[Text], one: Layout, other: Layout) -> bool:
    """Whether the row certainly has the same lines in both: all that differs is how wide the
    last column is, which its words do not fill."""
    if one == other or one.kind != "grid" or other.kind != "grid" or one.is_right[-1]:
        return one == other
    room = min(one.widths[-1], other.widths[-1])
    return one.widths[:-1] == other.widths[:-1] and fits(row[-1], room)


def _fitted(wanted: list[int], room: int) -> tuple[int, ...]:
    """Column widths that fit: the widest give way first."""
    wanted = list(wanted)
    while sum(wanted) > room:
        widest = max(range(len(wanted)), key=lambda n: wanted[n])
        second = max((w for n, w in enumerate(wanted) if n != widest), default=0)
        too_much = sum(wanted) - room
        wanted[widest] -= max(1, min(too_much, wanted[widest] - second))
    return tuple(wanted)


def _row(row: list[Text], layout: Layout, page: Page) -> list[Text]:
    widths, is_right = layout.widths, layout.is_right
    cells = [
        wrap(row[n].copy() if n < len(row) else Text(), cells_wide, page.console)
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


def _as_fields(row: list[Text], head: list[Text], page: Page, width: int) -> list[Text]:
    lines: list[Text] = []
    for name, cell in zip(head, row, strict=False):
        field = Text.assemble((f"{name.plain}: ", page.ink.muted), cell)
        lines += wrap(field, width, page.console)
    return lines


def _as_text(row: list[Text], page: Page, width: int) -> list[Text]:
    return wrap(Text(" | ").join(row), width, page.console)
