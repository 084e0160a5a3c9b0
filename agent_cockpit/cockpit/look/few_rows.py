"""What a frame writes to the terminal: the rows that changed, and of these each cell once.

Textual asks every widget between the first changed row and the last for all of its rows, and
those that lie below others too: a word in the transcript and the spinner of the status line
drew the whole screen.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from rich.console import Console
from textual._compositor import Compositor, CompositorUpdate
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

Cells = dict[int, Strip | None]
"""Of one row, by the column where they begin: what a single widget shows there."""


class Painted(NamedTuple):
    """A piece of a row, and where it stands."""

    y: int
    x: int
    strip: Strip


class RowsUpdate(CompositorUpdate):
    """Writes pieces of rows."""

    def __init__(self, pieces: list[Painted]) -> None:
        self.pieces = pieces

    def render_segments(self, console: Console) -> str:
        """What is sent to the terminal."""
        return "".join(
            f"\x1b[{y + 1};{x + 1}H{strip.render(console)}" for y, x, strip in self.pieces
        )


class FewRows(Compositor):
    """Draws a part of the screen as cheaply as it is small."""

    def render_partial_update(self) -> RowsUpdate | None:  # type: ignore[override]
        """What changed since the last frame; None if nothing did."""
        dirty = self._dirty_regions.copy()
        self._dirty_regions.clear()
        rows = self._cells_of(dirty)
        if not rows:
            return None
        missing = dict(rows)
        for widget, (region, clip) in self.visible_widgets.items():
            if not missing:
                break
            self._fill(missing, widget, region, region.intersection(clip))
        return RowsUpdate(
            [
                Painted(y, x, strip)
                for y, cells in sorted(rows.items())
                for x, strip in cells.items()
                if strip is not None
            ]
        )

    def _cells_of(self, dirty: set[Region]) -> dict[int, Cells]:
        """The cells that these regions touch, empty, for each row that they touch."""
        rows: dict[int, Cells] = {}
        screen, cuts = self.size.region, self.cuts
        for region in dirty:
            x, y, width, height = region.intersection(screen)
            for row in range(y, y + height) if width else ():
                cells = rows.setdefault(row, {})
                cells.update(
                    (start, None)
                    for start, end in pairwise(cuts[row])
                    if start < x + width and end > x
                )
        return rows

    def _fill(
        self, missing: dict[int, Cells], widget: Widget, region: Region, seen: Region
    ) -> None:
        """Take what this widget shows in missing cells; rows that miss nothing more are done."""
        first, last = seen.column_span
        wanted = [
            y
            for y in seen.line_range
            if y in missing
            and any(strip is None and first <= x < last for x, strip in missing[y].items())
        ]
        for run in _runs(wanted):
            crop = Region(seen.x - region.x, run.start - region.y, seen.width, len(run))
            for y, strip in zip(run, widget.render_lines(crop), strict=False):
                cells = missing[y]
                ends = [cut for cut in self.cuts[y] if first < cut <= last]
                pieces = strip.divide([end - first for end in ends])
                for x, piece in zip((first, *ends), pieces, strict=False):
                    if x in cells and cells[x] is None:
                        cells[x] = piece
                if None not in cells.values():
                    del missing[y]


def _runs(rows: list[int]) -> list[range]:
    """Neighbouring rows together; `rows` are in order."""
    runs: list[range] = []
    for row in rows:
        if runs and runs[-1].stop == row:
            runs[-1] = range(runs[-1].start, row + 1)
        else:
            runs.append(range(row, row + 1))
    return runs
