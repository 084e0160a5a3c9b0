"""The line in which a person says where to go in a replay. Loaded when it is first opened."""

from __future__ import annotations

from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from agent_cockpit.cockpit.keys.roles import KeepsKeys
from agent_cockpit.cockpit.widgets.note_field import NoteField
from agent_cockpit.text import clean_line, shorten
from agent_cockpit.transcript.jumping import EXAMPLES

_ROOMY_COLUMNS = 60


class JumpField(NoteField, KeepsKeys):
    """A place in words; where it has the keyboard no key moves the replay."""

    place = "writing"


class JumpBar(Horizontal):
    """Takes one place after the other until it is left."""

    DEFAULT_CSS = """
    JumpBar {
        height: 1; background: $panel;
        & #jump-mark { width: auto; color: $text-accent; text-style: bold; }
        & #jump-field { width: 1fr; height: 1; max-height: 1; margin: 0 1; }
        & #jump-told { width: auto; }
    }
    """

    @dataclass
    class Given(Message):
        """The person wants to go there; empty: nowhere."""

        words: str

    @dataclass
    class Left(Message):
        """The person stays."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.field = JumpField(id="jump-field")
        self._told = Static(id="jump-told", markup=False)
        self._problem = ""

    def compose(self) -> ComposeResult:
        yield Static("go to", id="jump-mark", markup=False)
        yield self.field
        yield self._told

    def open(self) -> None:
        """Take a place, with the one before ready to be written over."""
        self._problem = ""
        self.display = True
        self.screen.set_focus(self.field)
        self.field.select_all()
        self._tell()

    def refuse(self, words: str) -> None:
        """Say that these words name no place; the person goes on writing."""
        self._problem = f"no place: {shorten(clean_line(words), 20)}"
        self._tell()

    def on_resize(self) -> None:
        self._tell()

    def on_text_area_changed(self, message: NoteField.Changed) -> None:
        message.stop()
        self._problem = ""
        self._tell()

    def on_note_field_given(self, message: NoteField.Given) -> None:
        message.stop()
        self.post_message(self.Given(" ".join(message.text.split())))

    def on_note_field_left(self, message: NoteField.Left) -> None:
        message.stop()
        self.post_message(self.Left())

    def _tell(self) -> None:
        words = self._problem or EXAMPLES
        tone = "$text-warning" if self._problem else "$foreground-muted"
        told = Content.styled(words, tone)
        if self.size.width >= _ROOMY_COLUMNS:
            told = told.append(Content.styled(" · esc back", "$foreground-muted"))
        self._told.update(told)
