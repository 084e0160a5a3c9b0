"""The transcript on the screen: one widget, any number of blocks, only the visible ones drawn.

Laws: a block is drawn again only when it, the width, the theme or its fold changed. Appending
costs the same at any length. The reading position stays whatever happens above or below; at
the end, the view follows what is new.
"""

from __future__ import annotations

from datetime import tzinfo
from os import environ
from typing import TYPE_CHECKING, Any

from rich.style import Style
from textual import events
from textual.color import TRANSPARENT
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.timer import Timer

from agent_cockpit.cockpit.look.theme import palette_of
from agent_cockpit.cockpit.remembered import Remembered
from agent_cockpit.cockpit.transcript.overlay import with_marks, with_pill
from agent_cockpit.cockpit.transcript.pace import Pace
from agent_cockpit.cockpit.transcript.rows import Rows
from agent_cockpit.cockpit.transcript.searching import Searching

if TYPE_CHECKING:
    from agent_cockpit.cockpit.render.page import Page
    from agent_cockpit.cockpit.transcript.drawn import BlockSource
    from agent_cockpit.cockpit.transcript.layout import Layout
    from agent_cockpit.transcript.block_list import Change

_BEAT_S = 0.25
RIGHT_BUTTON = 3
WITHOUT_LINKS = ("", "linux", "dumb")
"""Terminals that may write the address of a link out."""


class TranscriptView(Searching, can_focus=True):
    """Shows a transcript; `attach` one, then tell it what changed.

    `zone` is the time zone of clocks, None for the machine's own; `remembered` keeps what
    kinds of blocks are folded to.
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
        remembered: Remembered | None = None,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(remembered=remembered, name=name, id=id, classes=classes)
        self._zone = zone
        self._rows = Rows()
        self._waiting: dict[int, bool] = {}
        self._pace = Pace(self, self._frame)
        self._beat_timer: Timer | None = None
        self._beat = 0
        self._is_placing = False
        self._ground = TRANSPARENT
        """What the view stands on; asked once a frame, it is dear."""

    # what others call

    def attach(self, source: BlockSource, *, keep: bool = False) -> None:
        """Show this transcript from now on, at its end; `keep`: what is the same in it and in
        the one before stays folded and drawn as it is."""
        from agent_cockpit.cockpit.render.blocks import preload
        from agent_cockpit.cockpit.transcript.drawn import Drawn
        from agent_cockpit.cockpit.transcript.layout import Layout

        if keep and self._layout is not None:
            self._layout.show_instead(source)
        else:
            self._layout = Layout(Drawn(source, self._page(), self.fold_of_kind))
            self._layout.drawn.shows_times = self._shows_times
        self._search, self._waiting = None, {}
        self.cursor.leave()
        self.keeps_cursor = False
        if self.is_mounted:
            self.run_worker(preload, thread=True)
            self.settle()
            self._watch_beat()

    def mark_changed(self, change: Change) -> None:
        """These blocks were added or changed; they are drawn with the next frame."""
        if self._layout is None or not change:
            return
        self._waiting.update(dict.fromkeys(change.keys, True))
        self._pace.ask()

    @property
    def is_at_end(self) -> bool:
        """Whether the view follows what is new."""
        return self._layout is None or self._layout.is_at_end

    @property
    def unseen(self) -> int:
        """How many blocks came below while the person read further up."""
        return self._layout.unseen if self._layout else 0

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
        if self._layout is not None:
            self._layout.is_at_end = True
            self.settle()

    def jump_to(self, key: int) -> None:
        """Let a block begin at the top of the view, as far as there is something below it."""
        if self._layout is not None:
            self._layout.take_new()
            self._layout.show(key)
            self.settle()

    def on_mount(self) -> None:
        """Follow the theme."""
        self.app.theme_changed_signal.subscribe(self, lambda _: self.page_changed())
        self.page_changed()

    def _page(self) -> Page:
        from agent_cockpit.cockpit.render.page import Page
        from agent_cockpit.cockpit.transcript.drawn import TIME_CELLS

        palette = palette_of(self.app.current_theme)
        width = self.scrollable_content_region.width or self.app.size.width
        width -= TIME_CELLS if self._shows_times else 0
        return Page(
            width=width,
            palette=palette,
            console=self.app.console,
            zone=self._zone,
            diff_view=self.diff_view,
            has_links=environ.get("TERM", "") not in WITHOUT_LINKS,
            files=self.files,
        )

    def page_changed(self) -> None:
        """Draw all on a page of another kind."""
        if self._layout is None:
            return
        if self.text_selection is not None and not self.chosen_lines:
            self.screen.clear_selection()
        self._layout.drawn.page = self._page()
        self.settle()
        if self._search is not None:
            self._search.laid_out()
        self._watch_beat()

    def _frame(self) -> bool:
        """Draw all that changed since the last frame; whether some of it waits for the next."""
        if self._layout is None:
            return False
        changed, self._waiting = self._waiting, {}
        unseen, bottom = self._layout.unseen, self.scroll_offset.y + self.size.height
        for key, has_news in changed.items():
            if has_news:
                self._layout.goes_on(key, bottom)
            self._layout.drawn.changed(key)
        self._layout.take_new()
        if self._search is not None:
            self._search.changed(tuple(changed))
        is_marked = self._search is not None and self._search.is_open
        self.settle(whole=is_marked or unseen != self._layout.unseen)
        self._watch_beat()
        return self.is_behind

    def settle(self, *, whole: bool = True) -> None:
        """Put everything in its place, and draw it; when not `whole`, only the rows in sight
        that hold something else than before."""
        if self._layout is None or not self.size:
            return
        y = self._layout.settle(self.size.height)
        self._is_placing = True
        try:
            self.take_size(Size(self.scrollable_content_region.width, self._layout.total))
            self.scroll_target_y = self.scroll_y = y
        finally:
            self._is_placing = False
        self.keep_lines()
        if behind := self._layout.drawn.behind():
            self._waiting = dict.fromkeys(behind, False) | self._waiting
            self.call_later(self._pace.ask)
        self._rows.style, self._ground = self.rich_style, self.background_colors[1]
        changed = self._rows.changed(y, self._layout.rows(y, self.size.height))
        if whole:
            self.refresh()
        elif changed:
            width = self.scrollable_content_region.width
            self.refresh(*(Region(0, rows.start, width, len(rows)) for rows in changed))

    def _row(self, line: int) -> Strip | None:
        if self._layout is None or line >= self._layout.total:
            return None
        return self._layout.line(line)

    def _watch_beat(self) -> None:
        """The beat runs only while something live shows it, and never in reduced motion."""
        is_wanted = (
            self._layout is not None
            and not self.awaits_past
            and self._layout.drawn.has_live()
            and self.app.animation_level != "none"
        )
        if is_wanted and self._beat_timer is None:
            self._beat_timer = self.set_interval(_BEAT_S, self._turn)
        elif not is_wanted and self._beat_timer is not None:
            self._beat_timer.stop()
            self._beat_timer = None

    def _turn(self) -> None:
        if self._layout is None:
            return
        self._beat += 1
        self._layout.drawn.turn(self._beat)
        self.settle(whole=False)
        self._watch_beat()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """The person scrolled: that is the new reading position."""
        super().watch_scroll_y(old_value, new_value)
        if self._is_placing or self._layout is None or round(old_value) == round(new_value):
            return
        self._layout.read_from(round(new_value), self.size.height)
        self.draw_selection_on()
        if self._search is not None:
            self._search.stay()
        self.settle()

    def scroll_to(self, x: float | None = None, y: float | None = None, **how: Any) -> None:
        """Scroll at once: a view that is still moving cannot keep a reading position."""
        super().scroll_to(x, y, **{**how, "animate": False})

    # lines

    def render_lines(self, crop: Region) -> list[Strip]:
        """The visible lines as the screen wants them: nothing stands around them."""
        lines = [self.render_line(y) for y in crop.line_range]
        for each in self.get_line_filters():
            lines = [line.apply_filter(each, self._ground) for line in lines]
        start, end = crop.column_span
        return [line.crop(start, end) for line in lines]

    def render_line(self, y: int) -> Strip:
        """One visible line."""
        width, line = self.size.width, self.scroll_offset.y + y
        drawn = self._row(line)
        if self._layout is None or drawn is None:
            return Strip.blank(width, self._rows.style)
        plain, strip = self._rows.dressed(line, drawn, width)
        marked = self._marked(plain, line, self._layout)
        if marked is not plain:
            strip = marked.apply_offsets(0, line)
        if self._layout.unseen and y == self.size.height - 1:
            color = palette_of(self.app.current_theme).accent
            pill = Style(color=color, bold=True, reverse=True)
            return with_pill(strip, f"↓ {self._layout.unseen} new", pill)
        return strip

    def _marked(self, strip: Strip, line: int, layout: Layout) -> Strip:
        """The line with what was found, what is pointed at and what is selected."""
        key, within = layout.place_of(line)
        strip = self.with_cursor(strip, key, within)
        if self._search is not None and self._search.is_open:
            here, others = self._search.marks(key, within)
            ink = layout.drawn.page.ink
            for hits, style in ((others, ink.hit), (here, ink.hit_here)):
                strip = with_marks(strip, [(hit.start, hit.end) for hit in hits], style)
        selection = self.text_selection
        span = selection.get_span(line) if selection is not None else None
        if span is None:
            return strip
        return with_marks(strip, [span], self.screen.get_component_rich_style("screen--selection"))

    # the mouse

    def on_click(self, event: events.Click) -> None:
        """The pill leads to the end; a click on a block shows more or less of it."""
        from agent_cockpit.cockpit.render.page import hunk_of

        if self._layout is None or event.chain > 1 or self.text_selection is not None:
            return
        row = event.get_content_offset_capture(self).y
        line = self.scroll_offset.y + row
        if event.button == RIGHT_BUTTON and line < self._layout.total:
            self.point_at(self._layout.block_at(line))
            self.action_menu()
        elif self._layout.unseen and row == self.size.height - 1:
            self.jump_to_end()
        elif line < self._layout.total and (hunk := hunk_of(self._layout.line(line))) is not None:
            self.toggle_hunks(self._layout.block_at(line), hunk)
        elif line < self._layout.total:
            self.toggle_fold(self._layout.block_at(line))
