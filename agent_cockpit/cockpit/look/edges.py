"""The left and the right edge of the main screen: those of the transcript's text.

Law: app.tcss leaves free what is not counted here.
"""

from __future__ import annotations

NARROW_COLUMNS = 61
"""On a screen of fewer columns the left margin goes."""
BREAKPOINTS = [(0, "-narrow"), (NARROW_COLUMNS, "-roomy")]


def row_cells(columns: int) -> int:
    """Cells between the edges of a screen."""
    return columns - (1 if columns < NARROW_COLUMNS else 3)


def panel_cells(columns: int, *, framed: bool = True) -> int:
    """Cells of a panel on a screen of so many columns, within its frame if it has one."""
    if not framed:
        return columns
    return columns - (4 if columns < NARROW_COLUMNS else 6)
