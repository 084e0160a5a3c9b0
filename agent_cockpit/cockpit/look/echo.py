"""What is painted as soon as it is known, ahead of what else waits to be painted.

Textual paints with its next frame, which comes after messages to the screen and a timer; and
with a key's echo it would paint the words of a streaming answer.
"""

from __future__ import annotations

from time import monotonic

from textual.widget import Widget

_LEAST_S = 1 / 120
"""Keys that come faster are a paste without its marks, and are painted together."""


def paint(widget: Widget) -> bool:
    """Paint what changed in a widget, now; False where something must be laid out first, so that
    Textual paints it in its turn."""
    if not widget.is_attached:
        return False
    screen, app = widget.screen, widget.app
    if widget._layout_required or screen._layout_required or not screen.is_current:
        return False
    screen._compositor.update_widgets({widget})
    app._display(screen, screen._compositor.render_update(screen_stack=app._background_screens))
    return True


class Echo:
    """Owns when a field was last painted out of its turn: once its key was taken."""

    def __init__(self, field: Widget) -> None:
        self._field = field
        self._next_at = 0.0

    def paint(self) -> None:
        """Paint what changed in the field, unless it was painted just now."""
        if monotonic() >= self._next_at and paint(self._field):
            self._next_at = monotonic() + _LEAST_S
