"""Where a person writes prompts.

Law: keys act in the order in which they were pressed, also when a burst arrives at once, and
nothing that was written is lost: what left the composer is in its history.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar, Protocol

from textual import events
from textual.binding import BindingType
from textual.message import Message

from agent_cockpit.cockpit.keys.roles import Decides
from agent_cockpit.cockpit.keys.textual_keys import bindings
from agent_cockpit.cockpit.prompt.chip_field import ChipField
from agent_cockpit.cockpit.prompt.history import History
from agent_cockpit.text import clean

if TYPE_CHECKING:
    from textual.widgets.text_area import Location

    from agent_cockpit.rules.turn_execution import PromptKind


_LIST_KEYS = {"tab", "enter", "escape", "up", "down", "ctrl+r", "ctrl+c", "ctrl+d"}
_LIST_KEYS |= {"ctrl+j", "shift+enter", "alt+enter"}
"""Keys that a list above the prompt may take."""


class Helper(Protocol):
    """What helps with writing; `Suggesting`, by shape."""

    @property
    def is_open(self) -> bool: ...
    @property
    def aside(self) -> str | None: ...
    def refresh(self, *, again: bool = False) -> None: ...
    def show(self) -> None: ...
    def takes(self, key: str) -> bool: ...
    def make_way_for(self, character: str) -> None: ...
    def search_history(self) -> None: ...
    def leave(self) -> None: ...


class Moded(Protocol):
    """Keys that write in one mode and command in the other; `VimKeys`, by shape."""

    @property
    def mode(self) -> str: ...
    def write(self) -> None: ...
    def begin(self) -> None: ...
    def takes(self, event: events.Key) -> bool: ...


class Composer(ChipField):
    """A text field of one to eight lines that sends, and remembers what it sent."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("composer", "anywhere")]

    class Sent(Message):
        """A person sent `text`; `kind` says what to do with it while a goal runs."""

        def __init__(self, text: str, kind: PromptKind) -> None:
            super().__init__()
            self.text = text
            self.kind: PromptKind = kind

    class PutAside(Message):
        """Something else took the place of this text, with what is behind its chips."""

        def __init__(self, text: str, pastes: Mapping[str, str]) -> None:
            super().__init__()
            self.text = text
            self.pastes = pastes

    class EnteredEmpty(Message):
        """Enter was pressed with nothing written."""

    class QuitAsked(Message):
        """The key that ends input was pressed with nothing written."""

    class HelpAsked(Message):
        """`?` was typed with nothing written."""

    class Beyond(Message):
        """Vim's normal mode asks for what is not in the prompt: `/`, `:`, or a key that is
        unknown here."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class ModeChanged(Message):
        """Vim's keys write now, or command now."""

    def __init__(
        self,
        *,
        prompts: History | None = None,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self.prompts = prompts if prompts is not None else History()
        self.take_back: Callable[[], bool] = lambda: False
        """Takes the newest waiting prompt back; False where none waits."""
        self.help_with: Callable[[], Helper] | None = None
        """Makes what helps with writing, when that is first needed."""
        self.suggesting: Helper | None = None
        self.vim: Moded | None = None
        """Vim's keys, where they are wanted."""
        self._key_before = ""
        self.is_brought_back = False
        """Whether the text was put here by no key of the person's, and not changed since."""

    @property
    def is_choosing(self) -> bool:
        """Whether a list above the prompt is open."""
        return self.suggesting is not None and self.suggesting.is_open

    @property
    def is_commanding(self) -> bool:
        """Whether letters are vim's commands now."""
        return self.vim is not None and self.vim.mode != "insert"

    def mode_changed(self) -> None:
        """Vim's keys have another mode: completion is only for what is written."""
        self._refresh_suggestions()
        self.post_message(self.ModeChanged())

    async def on_event(self, event: events.Event) -> None:
        """Hand on what was typed quickly behind a key that moved the keyboard, or opened a
        page: it was sent here before that key was acted on. What comes while a screen decides
        is meant for the prompt."""
        if isinstance(event, events.Key) and self.is_attached:
            page = self.app.screen
            if page is not self.screen and not isinstance(page, Decides):
                (page.focused or page).post_message(event)
                return
        if isinstance(event, events.Key) and self.is_attached and self.app.screen is self.screen:
            now = self.screen.focused
            keeps_letters = bool(getattr(now, "place", ""))
            is_pointing = bool(getattr(now, "is_pointing", False))
            if now is not None and (keeps_letters or (is_pointing and not event.is_printable)):
                now.post_message(event)
                return
            if is_pointing:
                self.screen.set_focus(self)
        await super().on_event(event)

    async def _on_key(self, event: events.Key) -> None:
        is_for_editor = (self._key_before, event.key) == ("ctrl+x", "ctrl+e")
        self._key_before = event.key
        if is_for_editor:
            event.stop()
            event.prevent_default()
            await self.app.run_action("edit_outside", self.app)
            return
        is_for_help = event.character == "?" and not self.text
        if is_for_help:
            self.post_message(self.HelpAsked())
        if (
            is_for_help
            or self._vim_takes(event)
            or (event.key in _LIST_KEYS and self._list_takes(event.key))
        ):
            event.stop()
            event.prevent_default()
        elif event.is_printable or event.key in ("backspace", "delete"):
            self.is_brought_back = False
            if self.suggesting is not None and event.character is not None:
                self.suggesting.make_way_for(event.character)

    def on_text_area_changed(self) -> None:
        self._refresh_suggestions()

    def on_text_area_selection_changed(self) -> None:
        self._refresh_suggestions()

    def put(self, text: str, *, at_start: bool = False) -> None:
        """Show `text` in place of what is written; no completion opens for it."""
        super().put(text, at_start=at_start)
        self.is_brought_back = True

    def insert_text(self, text: str) -> None:
        """Put foreign text at the cursor; no completion opens for it."""
        super().insert_text(text)
        self.is_brought_back = True

    def put_between(self, text: str, start: Location, end: Location, *, back: int = 0) -> None:
        """Put a chosen text in the place of what was written there."""
        self.history.checkpoint()
        result = self.replace(text, start, end)
        self.history.checkpoint()
        row, column = result.end_location
        self.move_cursor((row, column - back))

    def offer_again(self) -> None:
        """There is more to complete to than there was."""
        if self.suggesting is not None:
            self.suggesting.refresh(again=True)

    def give_back(self, text: str) -> None:
        """Bring a text back that was not sent, above what has been written since."""
        self._end_search()
        text = self.pastes.collapse(text)
        self.put(f"{text}\n{self.text}" if self.text.strip() else text)

    def draft(self) -> tuple[str, Mapping[str, str]]:
        """What is written, and the texts behind its chips."""
        aside = self.suggesting.aside if self.suggesting is not None else None
        text = self.text if aside is None else aside
        return text, self.pastes.within(text)

    def put_draft(self, text: str, pastes: Mapping[str, str]) -> None:
        """Show the draft of an earlier sitting."""
        self._end_search()
        self.put(self.pastes.adopt(clean(text), pastes))

    def remember_draft(self, text: str, pastes: Mapping[str, str]) -> None:
        """Keep a draft of an earlier sitting where ↑ finds it."""
        self.prompts.add(self.pastes.adopt(clean(text), pastes))

    def put_aside(self) -> None:
        """Keep what is written where ↑ finds it: something else takes its place."""
        self._end_search()
        if self.text.strip():
            self.prompts.add(self.text)
            self.post_message(self.PutAside(self.text, self.pastes.within(self.text)))

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

    def action_history_back(self) -> None:
        """In the first line the prompt before, elsewhere a line up; with nothing written a
        prompt that waits is taken back."""
        if not self.text and self.take_back():
            return
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

    def action_search_history(self) -> None:
        """Search what was sent."""
        if self.vim is not None:
            self.vim.write()
        if (helper := self._helper()) is not None:
            helper.search_history()

    def action_write_out(self) -> None:
        """Write the long paste at the cursor out."""
        self.write_out_chip()

    def action_delete_or_quit(self) -> None:
        """Delete to the right; with nothing written, ask to quit."""
        if self.text:
            self.action_delete_right()
        else:
            self.post_message(self.QuitAsked())

    def _vim_takes(self, event: events.Key) -> bool:
        is_searching = self.suggesting is not None and self.suggesting.aside is not None
        return self.vim is not None and not is_searching and self.vim.takes(event)

    def _send(self, kind: PromptKind) -> None:
        text = self.text
        if self.vim is not None:
            self.vim.begin()
        if not text.strip():
            self.put("")
            self.post_message(self.EnteredEmpty())
            return
        self.prompts.add(text)
        self.put("")
        self.post_message(self.Sent(self.pastes.expand(text), kind))

    def _helper(self) -> Helper | None:
        if self.suggesting is None and self.help_with is not None:
            self.suggesting = self.help_with()
        return self.suggesting

    def _refresh_suggestions(self) -> None:
        if self.suggesting is not None or self._may_need_help():
            helper = self._helper()
            if helper is not None:
                helper.refresh()

    def _list_takes(self, key: str) -> bool:
        if self.suggesting is None and not self._may_need_help():
            return False
        helper = self._helper()
        return helper is not None and helper.takes(key)

    def _may_need_help(self) -> bool:
        """Whether the line at the cursor holds what could be completed or shown."""
        row = self.cursor_location[0]
        line = self.document[row]
        return "@" in line or (row == 0 and line.startswith("/")) or bool(self.chip_at_cursor())

    def _end_search(self) -> None:
        if self.suggesting is not None:
            self.suggesting.leave()

    def _backslash_before_cursor(self) -> bool:
        row, column = self.cursor_location
        return self.selection.is_empty and self.document[row][:column].endswith("\\")
