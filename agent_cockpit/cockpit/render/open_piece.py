"""The last piece of an answer, whose end has not come: drawn in steps, each step once.

Law: what a frame costs does not grow with the piece, whatever it is: an open code block, a
table without end, a line of a megabyte.
"""

from __future__ import annotations

from collections.abc import Callable

from rich.text import Text
from textual.strip import Strip

from agent_cockpit.cockpit.look.cells import end_of_row
from agent_cockpit.cockpit.render.page import Page

STEP_LINES = 24
"""So many lines are drawn at once, and then left alone."""
LONG_LINE_CHARS = 2_000
"""A line that is longer is drawn in steps too, of whole rows."""


class OpenPiece:
    """Owns the strips of the steps that were drawn; another text needs another of these.

    `draw` makes the lines of some lines of the text; `mark` stands before the first of all,
    without one a blank line does.
    """

    def __init__(self, page: Page, draw: Callable[[list[str]], list[Text]], *, mark: str) -> None:
        self._page = page
        self._draw = draw
        self._mark = mark
        self._done: list[Strip] = [] if mark else [page.line(Text())]
        self._at = 0

    def strips(self, text: str) -> list[Strip]:
        """All of `text`, which goes on from what it was before, but for a last line that turned
        out to be none of it."""
        if len(text) < self._at:
            return self._done
        lines = text[self._at :].split("\n")
        while len(lines) > STEP_LINES:
            self._take(lines[:STEP_LINES], 1)
            lines = lines[STEP_LINES:]
        while len(lines[-1]) > 2 * LONG_LINE_CHARS:
            if lines[:-1]:
                self._take(lines[:-1], 1)
            end = self._rows_of(lines[-1])
            self._take([lines[-1][:end]], 0)
            lines = [lines[-1][end:]]
        return self._done + self._drawn(lines)

    def _take(self, lines: list[str], breaks: int) -> None:
        self._done += self._drawn(lines, is_cut=not breaks)
        self._at += sum(len(line) + breaks for line in lines)

    def _drawn(self, lines: list[str], *, is_cut: bool = False) -> list[Strip]:
        """The strips of lines; `is_cut`: the last one goes on."""
        page = self._page
        strips: list[Strip] = []
        drawn = self._draw(lines)
        if is_cut and drawn:
            drawn[-1].end = ""
        for line in drawn:
            is_first = not self._done and not strips
            strips.append(page.line(line, mark=self._mark if is_first else "", ink=page.ink.live))
        return strips

    def _rows_of(self, line: str) -> int:
        """Where the first rows of a long line end."""
        room, end = max(1, self._page.room() - 2), 0
        while end < LONG_LINE_CHARS:
            end = end_of_row(line, end, room)
        return end
