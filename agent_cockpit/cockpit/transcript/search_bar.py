"""The line in which a person searches the transcript: what for, how often, which one is shown.

Loaded when it is first opened.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from agent_cockpit.cockpit.keys.roles import KeepsKeys
from agent_cockpit.cockpit.keys.textual_keys import bindings, keymap_of
from agent_cockpit.cockpit.transcript.search import Query, Search
from agent_cockpit.cockpit.widgets.field import Field
from agent_cockpit.text import shorten

_STEPS = {"n": 1, "N": -1}


class FindField(Field, KeepsKeys):
    """What is looked for. After Enter, until more is written, `n` and `N` walk as well."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("search"), *bindings("anywhere")]
    place = "search"

    @dataclass
    class Walked(Message):
        """To the next place, or the one before (-1)."""

        step: int

    @dataclass
    class KindChanged(Message):
        """Words become a pattern, or a pattern words."""

    @dataclass
    class Left(Message):
        """The search is over."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._walks = False

    async def _on_key(self, event: events.Key) -> None:
        if self._walks and event.character in _STEPS:
            event.stop()
            event.prevent_default()
            self.action_find_walk(_STEPS[event.character])
        elif event.is_printable or event.key == "backspace":
            self._walks = False

    def insert_text(self, text: str) -> None:
        """Put a foreign text at the cursor, on one line."""
        super().insert_text(" ".join(text.split("\n")))

    def write_anew(self) -> None:
        """What is written next takes the place of what is there."""
        self._walks = False
        self.select_all()

    def action_find_walk(self, step: int) -> None:
        """To the next place, or the one before (-1)."""
        self._walks = True
        self.post_message(self.Walked(step))

    def action_find_kind(self) -> None:
        """Words become a pattern, or a pattern words."""
        self.post_message(self.KindChanged())

    def action_find_leave(self) -> None:
        """No more search."""
        self.post_message(self.Left())


class SearchBar(Horizontal):
    """Shows one search while it is open; `done` is called when the person leaves it."""

    DEFAULT_CSS = """
    SearchBar {
        height: 1; background: $panel;
        & #find-mark { width: auto; color: $text-accent; text-style: bold; }
        & #find-field { width: 1fr; height: 1; max-height: 1; margin: 0 1; }
        & #find-told { width: auto; }
    }
    """

    def __init__(self, search: Search, done: Callable[[], object], *, id: str | None = None):
        super().__init__(id=id)
        self._search = search
        self._done = done
        self._is_regex = False
        self.field = FindField(id="find-field")
        self._told = Static(id="find-told", markup=False)

    def compose(self) -> ComposeResult:
        yield Static("find", id="find-mark", markup=False)
        yield self.field
        yield self._told

    def open(self, search: Search) -> None:
        """Search here, with what was written last time ready to be written over."""
        self._search = search
        search.on_change = self._tell
        search.begin()
        self.display = True
        self.screen.set_focus(self.field)
        self.field.write_anew()
        self._look()

    def close(self) -> None:
        """Leave the search."""
        self.display = False
        self._search.end()
        self._done()

    def on_text_area_changed(self, message: FindField.Changed) -> None:
        message.stop()
        if self.display:
            self._look()

    def on_find_field_walked(self, message: FindField.Walked) -> None:
        message.stop()
        self._search.walk(message.step)

    def on_find_field_kind_changed(self, message: FindField.KindChanged) -> None:
        message.stop()
        self._is_regex = not self._is_regex
        self._look()

    def on_find_field_left(self, message: FindField.Left) -> None:
        message.stop()
        self.close()

    def on_resize(self) -> None:
        self._tell()

    def _look(self) -> None:
        self._search.look_for(Query(self.field.text, self._is_regex))
        self._tell()

    def _tell(self) -> None:
        kind = "regex" if self._is_regex else "text"
        words, tone = self._words()
        room = max(12, self.size.width // 2)
        told = Content.styled(shorten(words, room), tone)
        if self.size.width >= 60:
            label = keymap_of(self).label
            keys = [f"{kind} {label('find_kind')}".rstrip()]
            if not words:
                keys.append(f"{label('find_leave')} back")
            hint = f"{' · ' if words else ''}{' · '.join(keys)}"
            told = told.append(Content.styled(hint, "$foreground-muted"))
        self._told.update(told)

    def _words(self) -> tuple[str, str]:
        search = self._search
        if search.problem:
            return search.problem, "$text-warning"
        if not self.field.text:
            return "", "$foreground-muted"
        if search.total:
            more = "" if search.is_complete else "…"
            return f"{search.number} of {search.total:,}{more}", "bold"
        if search.awaits_past:
            return "none yet, the past is still read", "$foreground-muted"
        return ("nothing found", "$text-warning") if search.is_complete else ("…", "")
