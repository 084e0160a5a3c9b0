"""A scrollbar that draws the cells of it that changed, and none when none did.

Each line that streams in moves Textual's own by less than a cell, and it draws itself whole.
"""

from __future__ import annotations

from typing import Any, Self, cast

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.strip import Strip


class QuietBar(ScrollBar):
    """The bar at the right edge of what scrolls up and down."""

    def __init__(self, *, name: str, thickness: int) -> None:
        super().__init__(vertical=True, name=name, thickness=thickness)
        self._shown: list[Segment] = []

    def refresh(self, *regions: Region, repaint: bool = True, **how: Any) -> Self:
        """Draw what came out otherwise than it was last drawn."""
        if regions or not repaint or any(how.values()) or len(self._shown) != self.size.height:
            return super().refresh(*regions, repaint=repaint, **how)
        cells = enumerate(zip(self._shown, self._cells(), strict=True))
        changed = [Region(0, y, self.size.width, 1) for y, (old, new) in cells if old != new]
        return super().refresh(*changed) if changed else self

    def render_lines(self, crop: Region) -> list[Strip]:
        """Its rows; nothing stands around them."""
        self._shown = self._cells()
        style = self.rich_style
        few = {id(cell): cell for cell in self._shown}
        strips = {name: Strip([cell]).apply_style(style) for name, cell in few.items()}
        for each in self.get_line_filters():
            ground = self.background_colors[1]
            strips = {name: strip.apply_filter(each, ground) for name, strip in strips.items()}
        return [strips[id(self._shown[y])].crop(*crop.column_span) for y in crop.line_range]

    def _cells(self) -> list[Segment]:
        """What stands in each row."""
        bar = cast("ScrollBarRender", self.render())
        style = cast("Style", bar.style)
        rows = bar.render_bar(
            size=self.size.height,
            virtual_size=bar.virtual_size,
            window_size=bar.window_size,
            position=bar.position,
            thickness=self.size.width,
            back_color=style.bgcolor,  # type: ignore[arg-type]
            bar_color=style.color,  # type: ignore[arg-type]
        )
        return rows.segments[: self.size.height]
