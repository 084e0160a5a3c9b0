"""The transcript on the screen: one widget, any number of blocks, only the visible ones drawn.

Laws: a block is drawn again only when it, the width, the theme or its fold changed. Appending
costs the same at any length. The reading position is a line of a block, and stays there
whatever happens above or below; at the end, the view follows what is new.
"""

from __future__ import annotations

from datetime import tzinfo
from time import monotonic
from typing import TYPE_CHECKING, Any

from rich.style import Style
from textual import events
from textual.geometry import Offset, Region, Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.timer import Timer

from agent_cockpit.cockpit.render.blocks import preload
from agent_cockpit.cockpit.render.page import Page
from agent_cockpit.cockpit.theme import palette_of
from agent_cockpit.cockpit.widgets.drawn import BlockSource, Drawn
from agent_cockpit.cockpit.widgets.finding import Finding
from agent_cockpit.cockpit.widgets.heights import Heights
from agent_cockpit.cockpit.widgets.overlay import with_marks, with_pill
from agent_cockpit.transcript.plain import plain_lines

if TYPE_CHECKING:
    from agent_cockpit.transcript.block_list import Change

FRAME_S = 1 / 30
"""No more frames than this, however fast the text comes."""
_LOAD = 4
"""A frame that took long is followed by a pause this many times as long: keys come first."""
_BEAT_S = 0.25


class TranscriptView(ScrollView, can_focus=True):
    """Shows a transcript; `attach` one, then tell it what changed.

    `zone` is the time zone of clocks, None for the machine's own.
    """

    FOCUS_ON_CLICK = False

    DEFAULT_CSS = """
    TranscriptView {
        height: 1fr;
        background: $background;
        color: $foreground;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-gutter: stable;
        scrollbar-size-vertical: 1;
    }
    """

    def __init__(
        self,
        *,
        zone: tzinfo | None = None,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._zone = zone
        self._drawn: Drawn | None = None
        self._heights = Heights()
        self._top = (0, 0)
        self._at_end = True
        self._unseen = 0
        self._finding: Finding | None = None
        self._waiting: dict[int, None] = {}
        self._next_frame_at = 0.0
        self._frame_timer: Timer | None = None
        self._beat_timer: Timer | None = None
        self._beat = 0
        self._is_placing = False

    # what others call

    def attach(self, source: BlockSource) -> None:
        """Show this transcript from now on, at its end."""
        self._drawn = Drawn(source, self._page())
        self._heights = Heights()
        self._at_end, self._unseen, self._waiting = True, 0, {}
        self._append_heights()
        self._finding = None
        if self.is_mounted:
            self.run_worker(preload, thread=True)
            self._lay_out()
            self._watch_beat()

    def mark_changed(self, change: Change) -> None:
        """These blocks were added or changed; they are drawn with the next frame."""
        if self._drawn is None:
            return
        self._waiting.update(dict.fromkeys(change.keys))
        if not self._at_end:
            self._unseen += len(change.added)
        if self._frame_timer is not None:
            return
        wait_s = self._next_frame_at - monotonic()
        if wait_s <= 0:
            self._frame()
        else:
            self._frame_timer = self.set_timer(wait_s, self._frame)

    def toggle_fold_all(self) -> str:
        """Open all calls, then close all, then as they are by themselves; says which."""
        if self._drawn is None:
            return "auto"
        fold = self._drawn.cycle_all()
        self._lay_out()
        return fold

    @property
    def is_at_end(self) -> bool:
        """Whether the view follows what is new."""
        return self._at_end

    @property
    def unseen(self) -> int:
        """How many blocks came below while the person read further up."""
        return self._unseen

    @property
    def is_behind(self) -> bool:
        """Whether changes wait for their frame."""
        return bool(self._waiting)

    @property
    def is_turning(self) -> bool:
        """Whether something live keeps the screen moving."""
        return self._beat_timer is not None

    def jump_to_end(self) -> None:
        """Follow what is new again."""
        self._at_end, self._unseen = True, 0
        self._lay_out()

    def jump_to(self, key: int) -> None:
        """Let a block begin at the top of the view, as far as there is something below it."""
        self._at_end, self._top = False, (key, 0)
        self._lay_out()

    def find(self, words: str, *, backwards: bool = False) -> bool:
        """Show the next place of these words, folded or not; whether there is one.

        The first search goes from the end upwards or from the start downwards; the same
        words again go on from there, around the ends.
        """
        if self._drawn is None or not words or not len(self._drawn.source):
            self.end_find()
            return False
        if self._finding is None or self._finding.words != words:
            self._finding = Finding(words)
        place = self._next_place(self._finding, -1 if backwards else 1)
        self._finding.place = place
        if place is not None:
            key, line = place
            above = self._heights.offset(key) + line - self.size.height // 3
            self._at_end, self._top = False, self._heights.find(above)
            self._lay_out()
        self.refresh()
        return place is not None

    def end_find(self) -> None:
        """No words are marked any more."""
        self._finding = None
        self.refresh()

    def _next_place(self, finding: Finding, step: int) -> tuple[int, int] | None:
        assert self._drawn is not None
        source = self._drawn.source
        key, line = finding.place or ((-1, 0) if step > 0 else (len(source), 0))
        if finding.place is not None:
            here = finding.lines(self._drawn.lines(key))
            further = [other for other in here if (other - line) * step > 0]
            if further:
                return key, further[0 if step > 0 else -1]
        for found in finding.blocks(source, key, step):
            lines = finding.lines(self._drawn.lines(found)) or self._opened(finding, found)
            self._measure(found)
            return found, lines[0 if step > 0 else -1] if lines else 0
        return None

    def _opened(self, finding: Finding, key: int) -> list[int]:
        """Open the folded block that was found."""
        assert self._drawn is not None
        if self._drawn.may_fold(key):
            self._drawn.open(key)
        return finding.lines(self._drawn.lines(key))

    # frames

    def on_mount(self) -> None:
        """Follow the theme."""
        self.app.theme_changed_signal.subscribe(self, lambda _: self._page_changed())
        self._page_changed()

    def on_resize(self) -> None:
        """Wrap what is visible again; the rest when it is looked at."""
        self._page_changed()

    def _page(self) -> Page:
        palette = palette_of(self.app.current_theme)
        width = self.scrollable_content_region.width or self.app.size.width
        return Page(width=width, palette=palette, console=self.app.console, zone=self._zone)

    def _page_changed(self) -> None:
        if self._drawn is not None:
            if self.text_selection is not None:
                self.screen.clear_selection()
            self._drawn.page = self._page()
            self._lay_out()
            self._watch_beat()

    def _frame(self) -> None:
        """Draw all that changed since the last frame."""
        self._frame_timer = None
        if self._drawn is None:
            return
        began = monotonic()
        for key in self._waiting:
            self._drawn.forget(key)
        self._waiting = {}
        self._append_heights()
        self._lay_out()
        self._watch_beat()
        ended = monotonic()
        self._next_frame_at = ended + max(FRAME_S - (ended - began), _LOAD * (ended - began))

    def _append_heights(self) -> None:
        assert self._drawn is not None
        for key in range(len(self._heights), len(self._drawn.source)):
            self._heights.append(self._drawn.guess(key))

    def _watch_beat(self) -> None:
        """The beat runs only while something live shows it, and never in reduced motion."""
        is_wanted = (
            self._drawn is not None
            and self._drawn.has_live()
            and self.app.animation_level != "none"
        )
        if is_wanted and self._beat_timer is None:
            self._beat_timer = self.set_interval(_BEAT_S, self._turn)
        elif not is_wanted and self._beat_timer is not None:
            self._beat_timer.stop()
            self._beat_timer = None

    def _turn(self) -> None:
        assert self._drawn is not None
        self._beat += 1
        for key in self._drawn.turn(self._beat):
            top = self._heights.offset(key) - self.scroll_offset.y
            region = Region(0, top, self.size.width, self._heights[key])
            if visible := region.intersection(self.size.region):
                self.refresh(visible)

    # where things stand

    def _lay_out(self) -> None:
        """Measure what is visible and a screen around it, and put the view in its place."""
        if self._drawn is None or not self.size:
            return
        count, view = len(self._heights), self.size.height
        if count == 0:
            self._place(0)
            return
        if self._at_end:
            self._measure_up(count - 1, 2 * view)
            self._place(self._heights.total - view)
        else:
            key = min(self._top[0], count - 1)
            line = min(self._top[1], max(0, self._measure(key) - 1))
            self._measure_down(key + 1, 2 * view)
            self._measure_up(key - 1, view)
            self._place(self._heights.offset(key) + line)
        self.refresh()

    def _place(self, y: int) -> None:
        size = Size(self.scrollable_content_region.width, self._heights.total)
        y = max(0, min(y, size.height - self.size.height))
        self._is_placing = True
        try:
            if size != self.virtual_size:
                self.virtual_size = size
            self.scroll_target_y = self.scroll_y = y
        finally:
            self._is_placing = False

    def _measure(self, key: int) -> int:
        assert self._drawn is not None
        height = len(self._drawn.lines(key))
        self._heights.set(key, height)
        return height

    def _measure_up(self, key: int, lines: int) -> None:
        while key >= 0 and lines > 0:
            lines -= self._measure(key)
            key -= 1

    def _measure_down(self, key: int, lines: int) -> None:
        while key < len(self._heights) and lines > 0:
            lines -= self._measure(key)
            key += 1

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """The person scrolled: that is the new reading position."""
        super().watch_scroll_y(old_value, new_value)
        if self._is_placing or self._drawn is None or round(old_value) == round(new_value):
            return
        self._at_end = round(new_value) >= self._heights.total - self.size.height
        self._top = self._heights.find(round(new_value))
        if self._at_end:
            self._unseen = 0
        self._lay_out()

    def scroll_to(self, x: float | None = None, y: float | None = None, **how: Any) -> None:
        """Scroll at once: a view that is still moving cannot keep a reading position."""
        super().scroll_to(x, y, **{**how, "animate": False})

    # lines

    def render_line(self, y: int) -> Strip:
        """One visible line."""
        width, line = self.size.width, self.scroll_offset.y + y
        base = self.rich_style
        if self._drawn is None or line >= self._heights.total:
            strip = Strip.blank(width, base)
        else:
            strip = self._line(line).extend_cell_length(width).apply_style(base)
            strip = self._marked(strip, line).apply_offsets(0, line)
        if self._unseen and not self._at_end and y == self.size.height - 1:
            color = palette_of(self.app.current_theme).accent
            pill = Style(color=color, bold=True, reverse=True)
            return with_pill(strip, f"↓ {self._unseen} new", pill)
        return strip

    def _line(self, line: int) -> Strip:
        assert self._drawn is not None
        key, within = self._heights.find(line)
        lines = self._drawn.lines(key)
        return lines[within] if within < len(lines) else Strip([])

    def _marked(self, strip: Strip, line: int) -> Strip:
        """The line with what was found and what is selected."""
        if self._finding is not None:
            found = Style(bold=True, underline=True, reverse=True)
            strip = with_marks(strip, self._finding.ranges(strip), found)
        selection = self.text_selection
        span = selection.get_span(line) if selection is not None else None
        if span is None:
            return strip
        selected = self.screen.get_component_rich_style("screen--selection")
        return with_marks(strip, [span], selected)

    # selection and mouse

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text without the gutter; a whole transcript reads as plain lines."""
        if self._drawn is None:
            return None
        source = self._drawn.source
        if selection.start is None and selection.end is None:
            lines = [line for key in range(len(source)) for line in plain_lines(source.block(key))]
            return "\n".join(lines), "\n"
        start = selection.start or Offset(0, 0)
        end = selection.end or Offset(self.size.width, self._heights.total - 1)
        gutter = self._drawn.page.gutter
        lines = []
        for y in range(start.y, min(end.y, self._heights.total - 1) + 1):
            text = self._line(y).text
            first = max(start.x if y == start.y else 0, gutter)
            last = end.x if y == end.y else len(text)
            lines.append(text[first:last].rstrip())
        return "\n".join(lines), "\n"

    def text_select_all(self) -> None:
        """A double click selects the block under the mouse, not the whole sitting."""
        y = self.scroll_offset.y + self.app.mouse_position.y - self.region.y
        if self._drawn is None or not 0 <= y < self._heights.total:
            return
        key, _ = self._heights.find(y)
        top = self._heights.offset(key)
        bottom = top + self._heights[key] - 1
        end = Offset(len(self._line(bottom).text), bottom)
        self.screen.selections = {self: Selection.from_offsets(Offset(0, top), end)}

    def on_click(self, event: events.Click) -> None:
        """The pill leads to the end; a call's line shows more or less of it."""
        if self._drawn is None or event.chain > 1 or self.text_selection is not None:
            return
        row = event.get_content_offset_capture(self).y
        if self._unseen and not self._at_end and row == self.size.height - 1:
            self.jump_to_end()
            return
        line = self.scroll_offset.y + row
        if line < self._heights.total:
            key, _ = self._heights.find(line)
            self._toggle(key, line)

    def _toggle(self, key: int, line: int) -> None:
        """Fold a block; its first line stays where it is on the screen."""
        assert self._drawn is not None
        if not self._drawn.may_fold(key):
            return
        row = self._heights.offset(key) - self.scroll_offset.y
        self._drawn.toggle(key)
        self._measure(key)
        top = max(0, self._heights.offset(key) - row)
        self._top = self._heights.find(top)
        self._at_end = top >= self._heights.total - self.size.height
        self._lay_out()
