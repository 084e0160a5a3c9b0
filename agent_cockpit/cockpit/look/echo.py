"""A key's echo: painted when the key was taken, ahead of what else waits to be painted.

Textual paints with its next frame, which comes after messages to the screen and a timer, and
paints the words of a streaming answer with it.
"""

from __future__ import annotations

from time import monotonic

from textual.widget import Widget

_LEAST_S = 1 / 120
"""Keys that come faster are a paste without its marks, and are painted together."""


class Echo:
    """Owns when a field was last painted out of its turn."""

    def __init__(self, field: Widget) -> None:
        self._field = field
        self._next_at = 0.0

    def paint(self) -> None:
        """Paint what changed in the field, unless something must be laid out for it first."""
        field = self._field
        if monotonic() < self._next_at or not field.is_attached:
            return
        screen, app = field.screen, field.app
        if field._layout_required or screen._layout_required or not screen.is_current:
            return
        screen._compositor.update_widgets({field})
        app._display(screen, screen._compositor.render_update(screen_stack=app._background_screens))
        self._next_at = monotonic() + _LEAST_S
