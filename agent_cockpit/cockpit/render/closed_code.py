"""A long code block whose end has come: it stays as it was drawn while it grew, and is coloured
anew in steps, now that all of it can be read.

Law: a frame colours one step, however long the block is.
"""

from __future__ import annotations

from itertools import islice

from textual.strip import Strip

from agent_cockpit.cockpit.render.code import code_rows, may_colour
from agent_cockpit.cockpit.render.fence import Fence
from agent_cockpit.cockpit.render.open_piece import LONG_LINE_CHARS, STEP_LINES
from agent_cockpit.cockpit.render.page import Page


class ClosedCode:
    """Owns the strips of one block; `mark` stands before its first line, without one a blank line
    does."""

    def __init__(self, page: Page, fence: Fence, strips: list[Strip], *, mark: str) -> None:
        self.strips = strips
        self._page = page
        self._mark = mark
        self._rows = code_rows(fence.code, fence.language, page, page.room())
        self._new = [] if mark else strips[:1]
        was_cut = any(len(line) > 2 * LONG_LINE_CHARS for line in fence.code.split("\n"))
        self.is_coloured = not (was_cut or may_colour(fence.code, fence.language))
        """Whether it looks as it will stay; a long line was cut anywhere, not at its words."""

    def colour_on(self) -> None:
        """Colour the lines of the next step."""
        step = list(islice(self._rows, STEP_LINES))
        for rows in step:
            for row in rows:
                mark = "" if self._new else self._mark
                self._new.append(self._page.line(row, mark=mark, ink=self._page.ink.live))
        self.is_coloured = len(step) < STEP_LINES
        self.strips = self._new + ([] if self.is_coloured else self.strips[len(self._new) :])
