"""A diff, whole: coloured, scrolled in both directions, file by file; hunks can be folded."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from agent_cockpit.cockpit.diff_page import DiffPage
from agent_cockpit.cockpit.keys.keymap import joined
from agent_cockpit.cockpit.keys.textual_keys import bindings, keymap_of
from agent_cockpit.cockpit.screens.full_screen import PageScreen, fitting
from agent_cockpit.cockpit.widgets.lines_view import LinesView


class DiffModal(PageScreen):
    """Shows one diff until it is closed; owns what of it is folded."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("diff")]
    DEFAULT_CSS = """
    DiffModal {
        & #diff-lines { height: 1fr; padding: 0 1; }
        & #diff-title { height: 1; padding: 0 1; text-style: bold; background: $panel; }
    }
    """

    def __init__(self, diff: str) -> None:
        super().__init__()
        self._page = DiffPage(diff)
        self._folded: set[int] = set()
        lines, self._heads = self._page.shown(self._folded)
        self._view = LinesView(lines, wrap=False, id="diff-lines")
        self._view.can_focus = False

    def compose(self) -> ComposeResult:
        yield Static(self._title(), id="diff-title", markup=False)
        yield self.body
        yield self.keys

    @property
    def body(self) -> LinesView:
        return self._view

    @property
    def text(self) -> LinesView:
        return self._view

    def hint(self, room: int) -> str:
        label = keymap_of(self).label
        if not self._heads:
            return self.close_hint
        hunks = joined([label("diff_hunk_before"), label("diff_hunk_next")])
        select = joined([label("read_select_up"), label("read_select_down")])
        hints = [f"{hunks} hunk", f"{label('diff_fold')} fold"]
        if len(self._page.files) > 1:
            files = joined([label("diff_next"), label("diff_previous")])
            hints.append(f"{files} next, former file")
        hints += [f"{select} select", f"{label('diff_view')} view"]
        return fitting(hints, self.close_hint, room)

    def action_file(self, step: int) -> None:
        """Go to the next file, or to the one before."""
        self._walk(step, self._page.files)

    def action_file_at(self, place: int) -> None:
        """Go to the file at this place, from 1."""
        if place <= len(self._page.files):
            self._go_to(self._page.files[place - 1])

    def action_hunk(self, step: int) -> None:
        """Go to the next head, of a hunk or a file, or to the one before."""
        self._walk(step, list(self._heads))

    def action_fold(self) -> None:
        """Fold the hunk or file that is pointed at, or unfold it; at first the topmost one."""
        place = self._pointed()
        if place is None:
            place = next((each for each in self._heads if self._row(each) >= self._top), None)
        if place is not None:
            self._toggle(place)

    def action_fold_all(self) -> None:
        """Fold all files, or unfold everything when anything is folded."""
        self._folded = set() if self._folded else set(self._page.files)
        self._show(self._pointed())

    def action_sideways(self, step: int) -> None:
        """Scroll half a screen to the right (1) or to the left (-1)."""
        self.body.scroll_relative(x=step * (self.size.width // 2), animate=False)

    def on_click(self, event: events.Click) -> None:
        """A click on the head of a hunk or a file folds it, or unfolds it."""
        place = event.style.meta.get("offset")
        if event.widget is not self.body or place is None or self.body.text_selection is not None:
            return
        head = next((each for each, line in self._heads.items() if line == place[1]), None)
        if head is not None:
            self._toggle(head)

    @property
    def _top(self) -> int:
        """The first row in sight."""
        return round(self.body.scroll_y)

    def _row(self, place: int) -> int:
        """The row of a head that is shown."""
        return self.body.first_row(self._heads[place])

    def _pointed(self) -> int | None:
        """The section that is pointed at, while its head is in sight."""
        for place, line in self._heads.items():
            if line == self.body.pointed:
                in_sight = range(self._top, self._top + self.body.size.height)
                return place if self._row(place) in in_sight else None
        return None

    def _walk(self, step: int, places: list[int]) -> None:
        """From what is pointed at, else from the first row in sight."""
        here = self._pointed()
        if here is None:
            below = (each for each in self._heads if self._row(each) > self._top)
            last = len(self._page.sections)
            here = next(below, last) - 1 if step > 0 else self._first_at_top(last)
        further = [each for each in places if (each - here) * step > 0]
        if further:
            self._go_to(further[0] if step > 0 else further[-1])

    def _first_at_top(self, last: int) -> int:
        """The first head at the top of the page or below it."""
        return next((each for each in self._heads if self._row(each) >= self._top), last)

    def _go_to(self, place: int) -> None:
        self.body.point_at(self._heads[place])
        self.body.show_line(self._heads[place])

    def _toggle(self, place: int) -> None:
        section = self._page.sections[place]
        if section.end > section.head + 1:
            self._folded ^= {place}
        self._show(place)

    def _show(self, pointed: int | None) -> None:
        """Show what is folded now, and point at this head, or at that of its file."""
        lines, self._heads = self._page.shown(self._folded)
        self.clear_selection()
        self.body.show(lines, self.body.scrollable_content_region.width)
        if pointed is not None:
            head = max(each for each in self._heads if each <= pointed)
            self.body.point_at(self._heads[head])

    def _title(self) -> str:
        if not self._page.lines:
            return "no changes"
        numbered = [line.text[:1] for line in self._page.lines if line.number > 0]
        files = len(self._page.files)
        counts = f"+{numbered.count('+')} −{numbered.count('-')}"
        return f"{files} file{'' if files == 1 else 's'} · {counts}"
