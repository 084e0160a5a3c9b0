"""What the mouse selected, as text: without the gutter, and with wrapped lines made whole."""

from __future__ import annotations

from textual.geometry import Offset
from textual.selection import Selection

from agent_cockpit.cockpit.render.page import join_of
from agent_cockpit.cockpit.transcript.layout import Layout


def selected_lines(layout: Layout, selection: Selection, width: int) -> str:
    """The text between the ends of a selection; an end that is missing is the transcript's."""
    last_line = layout.total - 1
    start = selection.start or Offset(0, 0)
    end = selection.end or Offset(width, last_line)
    parts: list[str] = []
    for y in range(start.y, min(end.y, last_line) + 1):
        strip = layout.line(y)
        if parts and parts[-1] != "\n":
            indent = len(strip.text) - len(strip.text.lstrip())
        else:
            indent = layout.drawn.gutter
        first = max(start.x if y == start.y else 0, indent)
        text = strip.text[first : end.x if y == end.y else len(strip.text)]
        parts += [text.rstrip(), join_of(strip)]
    return "".join(parts[:-1])
