"""Vim's keys at work in the composer; loaded only where the settings want them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from textual import events
from textual.keys import key_to_character

from agent_cockpit.cockpit.keys.textual_keys import bound, keymap_of
from agent_cockpit.cockpit.vim.motions import on_character
from agent_cockpit.cockpit.vim.state import Mode, Step, Vim, Written
from agent_cockpit.cockpit.vim.vim import press
from agent_cockpit.cockpit.vim.visual import selected

if TYPE_CHECKING:
    from textual.widgets.text_area import Location

    from agent_cockpit.cockpit.prompt.composer import Composer

_REDO = "ctrl+r"
_SHARED = ("search_history",)
"""What the key to redo does while keys write; another thing that it was moved to stays its."""

_COPIES = ("ctrl+c", "super+c")
"""Keys that copy what is selected, which must still be so."""

BEYOND = "/:R"
"""Keys of normal mode that are not about the text of the prompt, or not known here."""


class VimKeys:
    """Owns the state of vim's keys; `Composer` gives it each key first."""

    def __init__(self, composer: Composer) -> None:
        self._composer = composer
        self._vim = Vim()

    @property
    def mode(self) -> Mode:
        """Whether keys write, command, or select."""
        return self._vim.mode

    def write(self) -> None:
        """Go to insert mode."""
        self._now(replace(self._vim.at_rest("insert"), writing=None))

    def begin(self) -> None:
        """A new prompt begins: in insert mode, with nothing to undo."""
        self._now(replace(self._vim.at_rest("insert"), writing=None, past=(), future=(), seen=""))

    def takes(self, event: events.Key) -> bool:
        """Whether the key was for vim."""
        return all(self._takes(key) for key in self._keys(event))

    def _keys(self, event: events.Key) -> list[str]:
        """Vim's names for a key. Esc and a letter right behind it reach us as alt and the
        letter, where the terminal cannot tell them apart: while keys write or a command is half
        typed they are what vim takes them for. At rest in normal mode, where that Esc would
        interrupt, a key of our table is that key, if it does something now."""
        if event.character is None or not event.is_printable:
            return [event.key]
        if not event.key.startswith("alt+"):
            return [event.character]
        is_at_rest = self.mode == "normal" and not self._vim.is_pending
        if is_at_rest and any(self._acts(key.id) for key in bound(self._composer, event.key)):
            return [event.key]
        sign = event.character
        if not sign.isascii():  # what some terminals write for alt and a sign
            sign = key_to_character(event.key.removeprefix("alt+")) or sign
        return [sign] if is_at_rest else ["escape", sign]

    def _acts(self, key_id: str | None) -> bool:
        """Whether a key of our table does something now."""
        if not key_id:
            return False
        if key_id == "write_out":
            return self._composer.chip_at_cursor() is not None
        now = getattr(self._composer.app, "situation", None)
        return now is None or keymap_of(self._composer).line(key_id).works(now)

    def _takes(self, key: str) -> bool:
        if self._vim.mode == "insert" and key != "escape":
            return False  # before the whole text is looked at
        if key == _REDO and any(
            binding.id and binding.id not in _SHARED for binding in bound(self._composer, key)
        ):
            return False
        if self._vim.is_visual and key in _COPIES:
            return False
        if key in BEYOND and self.mode == "normal" and not self._vim.is_pending:
            self._go_beyond(key)
            return True
        step = press(self._vim, key, self._written())
        self._carry_out(step)
        self._now(step.vim)
        return step.taken

    def _go_beyond(self, key: str) -> None:
        """A colon begins a command where nothing is written; the rest is not in the prompt."""
        composer = self._composer
        if key == ":" and not composer.text:
            self.write()
            composer.replace("/", *composer.selection)
        else:
            composer.post_message(composer.Beyond(key))

    def _now(self, vim: Vim) -> None:
        is_other, was_visual = vim.mode != self._vim.mode, self._vim.is_visual
        self._vim = vim
        if vim.is_visual:
            span = selected(vim, self._written())
            self._composer.mark(self._place(span.start), self._place(span.end))
        elif was_visual:
            self._composer.mark_no_more()
        if is_other:
            self._composer.mode_changed()

    def _carry_out(self, step: Step) -> None:
        composer = self._composer
        if step.edit is not None:
            composer.is_brought_back = False
            composer.history.checkpoint()
            start, end = self._place(step.edit.start), self._place(step.edit.end)
            composer.replace(step.edit.text, start, end, maintain_selection_offset=False)
            composer.history.checkpoint()
        if step.cursor is not None:
            composer.move_cursor(self._place(step.cursor))
        if step.order is not None:
            for _ in range(step.times):
                self._follow(step.order)
            written = self._written()
            if (at := on_character(written.text, written.cursor)) != written.cursor:
                composer.move_cursor(self._place(at), record_width=False)

    def _follow(self, order: str) -> None:
        match order:
            case "up":
                self._composer.action_history_back()
            case "down":
                self._composer.action_history_forward()

    def _written(self) -> Written:
        """What is written, with its chips as wholes."""
        lines = self._composer.document.lines
        row, column = self._composer.cursor_location
        wholes: list[tuple[int, int]] = []
        begun = cursor = 0
        for number, line in enumerate(lines):
            if number == row:
                cursor = begun + column
            spans = self._composer.pastes.spans(line)
            wholes += [(begun + span.start, begun + span.end) for span in spans]
            begun += len(line) + 1
        return Written("\n".join(lines), cursor, tuple(wholes))

    def _place(self, offset: int) -> Location:
        row = 0
        for row, line in enumerate(self._composer.document.lines):
            if offset <= len(line):
                return row, offset
            offset -= len(line) + 1
        return row, len(self._composer.document[row])
