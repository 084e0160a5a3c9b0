"""What a person writes inside the panel: a reason, or the call as they want it."""

from __future__ import annotations

from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from agent_cockpit.cockpit.consent.question import Editable
from agent_cockpit.cockpit.widgets.note_field import EditField, NoteField

NOTE_ROWS = 3
"""A reason of two lines and the row above it; it scrolls beyond."""


class Writing(Vertical):
    """Shows the field that is written in, or nothing."""

    DEFAULT_CSS = """
    Writing {
        height: auto; display: none; margin: 1 0 0 0;
        & Field { background: $boost; }
        & #panel-note { max-height: 2; }
    }
    """

    @dataclass
    class Reasoned(Message):
        """A reason is given; it may be empty."""

        text: str

    @dataclass
    class Changed(Message):
        """The call's text was changed to this."""

        text: str

    @dataclass
    class Left(Message):
        """The person does not want to write after all."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._note = NoteField(id="panel-note")
        self._note.placeholder = "why? the model is told"
        self._editor = EditField(id="panel-editor")
        self._before = ""

    def compose(self) -> ComposeResult:
        yield self._note
        yield self._editor

    @property
    def is_open(self) -> bool:
        """Whether something is written now."""
        return bool(self.display)

    @property
    def is_editing(self) -> bool:
        """Whether the call itself is written."""
        return self.is_open and bool(self._editor.display)

    @property
    def is_long(self) -> bool:
        """Whether Enter breaks a line there."""
        return self._editor.is_long

    def reason(self) -> None:
        """Write a reason; what was begun earlier for this question is still there."""
        self._open(self._note)

    def edit(self, editable: Editable) -> None:
        """Change the text of a call."""
        self._before = editable.text
        self._editor.is_long = editable.is_long
        self._editor.put(editable.text, at_start=editable.is_long)
        self._open(self._editor)

    def close(self, *, forget: bool = False) -> None:
        """Write no more; `forget` what was written."""
        self.display = False
        if forget:
            self._note.put("")

    def rows(self, room: int) -> int:
        """How many rows of `room` the field takes, at most."""
        if not self.is_open:
            return 0
        if not self.is_editing:
            return NOTE_ROWS
        height = max(1, room - min(3, room // 3))
        self._editor.styles.max_height = height
        return height + 1

    def on_note_field_given(self, message: NoteField.Given) -> None:
        message.stop()
        if not self.is_editing:
            self.post_message(self.Reasoned(message.text))
        elif message.text == self._before:
            self.post_message(self.Left())
        else:
            self.post_message(self.Changed(message.text))

    def on_note_field_left(self, message: NoteField.Left) -> None:
        message.stop()
        self.post_message(self.Left())

    def _open(self, field: NoteField) -> None:
        self._note.display = field is self._note
        self._editor.display = field is self._editor
        self.display = True
        self.screen.set_focus(field)
