"""The plan's text while it is changed by hand; Esc ends that and keeps the change."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.binding import Binding, BindingType

from agent_cockpit.cockpit.keys.textual_keys import bindings
from agent_cockpit.cockpit.widgets.field import Field


class PlanEditor(Field):
    """Calls `done` at once when the person is through, so that the keys behind it find the plan."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("writing"),
        Binding("ctrl+c", "leave", show=False),
    ]

    def __init__(self, done: Callable[[], None], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._done = done

    def action_give(self) -> None:
        """Break the line: a plan has many."""
        self.action_newline()

    def action_hand_over(self) -> None:
        """Go back to the plan."""
        self._done()

    def action_leave(self) -> None:
        """Go back to the plan."""
        self._done()
