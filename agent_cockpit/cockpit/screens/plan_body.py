"""A plan as lines that says when it has more or less room: its marked line stays in sight."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from agent_cockpit.cockpit.widgets.lines_view import LinesView


class PlanBody(LinesView):
    """The lines of a plan and of the notes on it."""

    @dataclass
    class Resized(Message):
        """The lines were laid out anew."""

    def on_resize(self) -> None:
        self.post_message(self.Resized())
