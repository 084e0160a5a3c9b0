"""Where a person writes prompts.

Law: keys act in the order in which they were pressed, also when a burst arrives at once, and
nothing that was written is lost: what left the composer is in its history.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from textual import events
from textual.binding import BindingType
from textual.message import Message
from textual.widgets import TextArea

from agent_cockpit.cockpit.history import History
from agent_cockpit.cockpit.keys import bindings
from agent_cockpit.text import clean

Kind = Literal["steering", "follow_up"]


class Composer(TextArea):
    """A text field of one to eight lines that sends, remembers and takes pastes whole.

    Its bindings run inside the key's own handler: Textual would run them later, after the
    keys behind them, and a burst `abc⌫⏎` would send `abc`.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("composer", "anywhere")]

    DEFAULT_CSS = """
    Composer {
        height: auto; min-height: 1; max-height: 8;
        padding: 0; border: none; background: transparent;
        scrollbar-size-vertical: 1;
        &:focus { border: none; }
        & .text-area--cursor-line { background: transparent; }
    }
    """

    @dataclass
    class Sent(Message):
        """A person sent `text`; `kind` says what to do with it while a goal runs."""

        text: str
        kind: Kind

    @dataclass
    class EnteredEmpty(Message):
        """Enter was pressed with nothing written."""

    @dataclass
    class QuitAsked(Message):
        """The key that ends input was pressed with nothing written."""

    @dataclass
    class HelpAsked(Message):
        """`?` was typed with nothing written."""

    def __init__(self, *, prompts: History | None = None, id: str | None = None) -> None:
        super().__init__(
            soft_wrap=True,
            tab_behavior="focus",
            show_line_numbers=False,
            highlight_cursor_line=False,
            id=id,
        )
        self.prompts = prompts if prompts is not None else History()

    async def _on_key(self, event: events.Key) -> None:
        if event.character == "?" and not self.text:
            event.stop()
            event.prevent_default()
            self.post_message(self.HelpAsked())
            return
        for binding in self._bindings.key_to_bindings.get(event.key, ()):
            if await self.app.run_action(binding.action, self):
                event.stop()
                event.prevent_default()
                self._restart_blink()
                return

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        self.insert_text(event.text)

    def insert_text(self, text: str) -> None:
        """Put foreign text at the cursor, in place of what is selected, made safe."""
        result = self.replace(clean(text), *self.selection)
        self.move_cursor(result.end_location)

    def put(self, text: str, *, at_start: bool = False) -> None:
        """Show `text` in place of what is written, with the cursor at its end or its start."""
        self.text = text
        self.move_cursor((0, 0) if at_start else self.document.end)

    def give_back(self, text: str) -> None:
        """Bring a text back that was not sent, above what has been written since."""
        self.put(f"{text}\n{self.text}" if self.text.strip() else text)

    def action_send(self) -> None:
        """Send what is written; after a backslash, break the line instead."""
        if self._backslash_before_cursor():
            self.action_delete_left()
            self.action_newline()
            return
        self._send("steering")

    def action_send_later(self) -> None:
        """Send what is written as a follow-up, for after the running goal."""
        if self.text.strip():
            self._send("follow_up")

    def action_newline(self) -> None:
        """Break the line at the cursor."""
        result = self.replace("\n", *self.selection)
        self.move_cursor(result.end_location)

    def action_history_back(self) -> None:
        """In the first line the prompt before, elsewhere a line up."""
        if not self.navigator.is_first_wrapped_line(self.cursor_location):
            self.action_cursor_up()
        elif (prompt := self.prompts.back(self.text)) is not None:
            self.put(prompt, at_start=True)
            self.action_cursor_line_end()

    def action_history_forward(self) -> None:
        """In the last line the prompt after, elsewhere a line down."""
        if not self.navigator.is_last_wrapped_line(self.cursor_location):
            self.action_cursor_down()
        elif (prompt := self.prompts.forward(self.text)) is not None:
            self.put(prompt)

    def action_delete_or_quit(self) -> None:
        """Delete to the right; with nothing written, ask to quit."""
        if self.text:
            self.action_delete_right()
        else:
            self.post_message(self.QuitAsked())

    def _send(self, kind: Kind) -> None:
        text = self.text
        if not text.strip():
            self.put("")
            self.post_message(self.EnteredEmpty())
            return
        self.prompts.add(text)
        self.put("")
        self.post_message(self.Sent(text, kind))

    def _backslash_before_cursor(self) -> bool:
        row, column = self.cursor_location
        return self.selection.is_empty and self.document[row][:column].endswith("\\")
