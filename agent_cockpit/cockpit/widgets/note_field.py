"""Fields inside a panel: a short note, or a call's text while a person changes it."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from agent_cockpit.cockpit.keys.textual_keys import bindings
from agent_cockpit.cockpit.widgets.field import Field


class NoteField(Field):
    """A short text inside a panel: Enter gives it, Esc leaves it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("writing"),
        Binding("ctrl+c", "leave", show=False),
        Binding("tab,shift+tab", "stay", show=False),
    ]

    class Given(Message):
        """The note is written; it may be empty."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Left(Message):
        """The person does not want to write a note after all."""

    def action_give(self) -> None:
        """Hand the note over."""
        self.post_message(self.Given(self.text.strip()))

    def action_hand_over(self) -> None:
        """Hand over what is written, however long."""
        self.action_give()

    def action_leave(self) -> None:
        """Go back to the panel."""
        self.post_message(self.Left())

    def action_stay(self) -> None:
        """Keep the focus here."""


class EditField(NoteField):
    """A call's text while a person changes it. One line is given with Enter, a long text with
    Ctrl+S; Esc leaves it as it was."""

    is_long = False

    def action_give(self) -> None:
        """Hand the text over, or break the line in a long one."""
        if self.is_long:
            self.action_newline()
        else:
            self.action_hand_over()

    def action_hand_over(self) -> None:
        """Hand the text over as it is."""
        self.post_message(self.Given(self.text))
