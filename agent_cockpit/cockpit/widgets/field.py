"""A text field whose keys act in the order in which they were pressed."""

from __future__ import annotations

from textual import events
from textual.geometry import Offset, Region
from textual.strip import Strip
from textual.widgets import TextArea

from agent_cockpit.cockpit.keys.textual_keys import bound
from agent_cockpit.cockpit.look.cells import end_of_character, start_of_character
from agent_cockpit.cockpit.look.echo import Echo
from agent_cockpit.cockpit.widgets.readline import Readline
from agent_cockpit.text import clean


class Field(Readline):
    """Runs its bindings inside the key's own handler and takes pastes whole and safe.

    Textual would run the bindings later, after the keys behind them: a burst `abc⌫⏎` would
    send `abc`.
    """

    DEFAULT_CSS = """
    Field {
        height: auto; min-height: 1; max-height: 8;
        padding: 0; border: none; background: transparent;
        scrollbar-size-vertical: 1;
        &:focus { border: none; }
        & .text-area--cursor-line { background: transparent; }
        & .text-area--placeholder { color: $text-muted; }
        &:light .text-area--cursor {
            color: $input-cursor-foreground; background: $input-cursor-background;
        }
    }
    """

    _inks_of: tuple[object, object, object] = (None, None, None)
    """What the inks of the text were looked up in."""

    def __init__(self, text: str = "", *, id: str | None = None, classes: str | None = None):
        super().__init__(
            text,
            soft_wrap=True,
            tab_behavior="focus",
            show_line_numbers=False,
            highlight_cursor_line=False,
            id=id,
            classes=classes,
        )
        self.cursor_blink = False  # a cockpit that waits does nothing
        self._echo = Echo(self)

    async def on_event(self, event: events.Event) -> None:
        await super().on_event(event)
        if isinstance(event, events.Key):
            self._echo.paint()

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows of the text. Their inks are looked up when the style sheet was read again or
        what is around has another colour; for each key that was half of its echo's cost."""
        theme, ink = self._theme, self.rich_style
        read = self._component_styles.get("text-area--cursor")
        if theme is self._inks_of[0] and read is self._inks_of[1] and ink == self._inks_of[2]:
            return super(TextArea, self).render_lines(crop)
        self._inks_of = theme, read, ink
        self._line_cache.clear()
        return super().render_lines(crop)

    async def _on_key(self, event: events.Key) -> None:
        for binding in bound(self, event.key):
            if await self.app.run_action(binding.action, self):
                event.stop()
                event.prevent_default()
                return

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        self.insert_text(event.text)

    def scroll_cursor_visible(self, center: bool = False, animate: bool = False) -> Offset:
        """Scroll to the cursor; while an undo takes lines away it may still stand behind them."""
        if self.selection.end[0] >= self.document.line_count:
            return Offset()
        return super().scroll_cursor_visible(center, animate)

    def get_cursor_left_location(self) -> tuple[int, int]:
        """A character as a person sees it further left; Backspace deletes as much."""
        row, column = self.cursor_location
        if not column:
            return super().get_cursor_left_location()
        return row, start_of_character(self.document[row], column)

    def get_cursor_right_location(self) -> tuple[int, int]:
        """A character as a person sees it further right; Delete deletes as much."""
        row, column = self.cursor_location
        if column >= len(self.document[row]):
            return super().get_cursor_right_location()
        return row, end_of_character(self.document[row], column)

    def insert_text(self, text: str) -> None:
        """Put foreign text at the cursor, in place of what is selected, made safe."""
        result = self.replace(clean(text), *self.selection)
        self.move_cursor(result.end_location)

    def put(self, text: str, *, at_start: bool = False) -> None:
        """Show `text`, made safe, in place of what is written, with the cursor at its end or
        its start."""
        self.text = clean(text)
        self.move_cursor((0, 0) if at_start else self.document.end)

    def action_newline(self) -> None:
        """Break the line at the cursor."""
        result = self.replace("\n", *self.selection)
        self.move_cursor(result.end_location)
