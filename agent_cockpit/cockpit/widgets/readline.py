"""A text field with the shell's keys: words by alt, and what was cut put back by ctrl+y.

Law: what keys of one kind cut one after the other is held as one text, in its order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import TextArea
from textual.widgets.text_area import EditResult, Location


class Readline(TextArea):
    """Owns what was cut last; the ground floor of all fields."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("alt+b,alt+left", "cursor_word_left", show=False),
        Binding("alt+f,alt+right", "cursor_word_right", show=False),
        Binding("alt+d,ctrl+delete", "delete_word_right", show=False),
        Binding("ctrl+y", "put_back", show=False),
        Binding("alt+underscore", "redo", show=False),
    ]

    _held = ""
    _cut_at: tuple[str, Location] | None = None
    """The text and the cursor as the last cut left them: the next one there goes on with it."""
    _deleted = ""

    def action_delete_word_left(self) -> None:
        """Cut the word before the cursor."""
        self._cut(super().action_delete_word_left, is_before=True)

    def action_delete_word_right(self) -> None:
        """Cut the word behind the cursor."""
        self._cut(super().action_delete_word_right)

    def action_delete_to_start_of_line(self) -> None:
        """Cut all of the line before the cursor."""
        self._cut(super().action_delete_to_start_of_line, is_before=True)

    def action_delete_to_end_of_line(self) -> None:
        """Cut all of the line behind the cursor."""
        self._cut(super().action_delete_to_end_of_line)

    async def action_delete_to_end_of_line_or_delete_line(self) -> None:
        """Cut all of the line behind the cursor; at its end, the line end."""
        at_end = self.selection.is_empty and self.cursor_location == (
            self.get_cursor_line_end_location()
        )
        self._cut(self.action_delete_right if at_end else super().action_delete_to_end_of_line)

    def action_cut(self) -> None:
        """Cut what is selected; without a selection nothing, for `ctrl+x` begins other keys."""
        if not self.selection.is_empty:
            super().action_cut()

    def action_put_back(self) -> None:
        """Put what was cut last at the cursor."""
        if self._held:
            self.history.checkpoint()
            result = self.replace(self._held, *self.selection)
            self.history.checkpoint()
            self.move_cursor(result.end_location)

    def _cut(self, delete: Callable[[], None], *, is_before: bool = False) -> None:
        goes_on = self._cut_at == (self.text, self.cursor_location)
        self._deleted = ""
        delete()
        if cut := self._deleted:
            held = self._held if goes_on else ""
            self._held = cut + held if is_before else held + cut
            self._cut_at = (self.text, self.cursor_location)

    def _delete_via_keyboard(self, start: Location, end: Location) -> EditResult | None:
        result = super()._delete_via_keyboard(start, end)
        self._deleted = result.replaced_text if result is not None else ""
        return result
