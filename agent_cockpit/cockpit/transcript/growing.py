"""An answer that grows on the screen: of what has come, a frame shows as much as it has time for.

Law: a frame takes about as long however much came at once; what it leaves, the next one shows.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from textual.strip import Strip

from agent_cockpit.cockpit.render.answer import StreamingAnswer
from agent_cockpit.cockpit.render.page import Page

FRAME_S = 0.01
"""So long a frame goes on reading; to paint what it read takes about as long again."""
SLICE_CHARS = 2_000
"""It looks at the clock behind so many characters."""


class GrowingAnswer:
    """Owns one answer on one page, and how far it is shown."""

    def __init__(self, page: Page, *, clock: Callable[[], float] = monotonic) -> None:
        self.is_behind = False
        """Whether another frame would show more of the same text, or show it better."""
        self._answer = StreamingAnswer(page)
        self._clock = clock
        self._shown = 0
        """How many characters were read."""

    def lines(self, text: str, *, is_open: bool) -> list[Strip]:
        """The lines of one frame; not `is_open`: no more of the text will come."""
        lines: list[Strip] = []
        if is_open or self._shown < len(text):
            lines = self._read_on(text)
        is_whole = self._shown >= len(text)
        if is_whole and not is_open:
            lines = self._answer.finished(text)
        self.is_behind = not is_whole or self._answer.is_behind
        return lines

    def _read_on(self, text: str) -> list[Strip]:
        ends_at = self._clock() + FRAME_S
        while True:
            self._shown = min(len(text), self._shown + SLICE_CHARS)
            lines = self._answer.lines(text[: self._shown])
            if self._shown == len(text) or self._clock() >= ends_at:
                return lines
