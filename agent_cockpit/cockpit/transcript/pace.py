"""When the next frame is drawn: at once while there is time, later when frames are dear."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from textual.timer import Timer
from textual.widget import Widget

from agent_cockpit.cockpit.look.echo import paint

MIN_FRAME_S = 1 / 60
"""No more frames than this, however often they are asked for; who feeds the view asks less."""
_LOAD = 4
"""A frame that took long is followed by a pause this many times as long: keys come first."""
_LOAD_BEHIND = 2
"""The same of a frame that left something to the next one, so that it was no longer than that."""


class Pace:
    """Owns the timer of a view's next frame; none is alive when nothing was asked."""

    def __init__(self, view: Widget, draw: Callable[[], object]) -> None:
        """`draw` says whether it left something that came to the next frame."""
        self._view = view
        self._draw = draw
        self._timer: Timer | None = None
        self._next_at = 0.0

    def ask(self) -> None:
        """Draw a frame as soon as it may be drawn; asked again before that, it is still one."""
        if self._timer is not None:
            return
        wait_s = self._next_at - monotonic()
        if wait_s <= 0:
            self._frame()
        else:
            self._timer = self._view.set_timer(wait_s, self._frame)

    def _frame(self) -> None:
        self._timer = None
        began = monotonic()
        load = _LOAD_BEHIND if self._draw() else _LOAD
        paint(self._view)
        took = monotonic() - began
        self._next_at = began + max(MIN_FRAME_S, (1 + load) * took)
