"""How much of its blocks the transcript shows: what is folded, and whether times stand beside."""

from __future__ import annotations

from abc import abstractmethod
from asyncio import Event
from typing import TYPE_CHECKING

from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar

from agent_cockpit.cockpit.look.diff_view import DiffView, choose_next_view, chosen_view
from agent_cockpit.cockpit.remembered import Remembered
from agent_cockpit.cockpit.transcript.quiet_bar import QuietBar

if TYPE_CHECKING:
    from agent_cockpit.cockpit.render.file_links import FileLinks
    from agent_cockpit.cockpit.render.fold import Fold
    from agent_cockpit.cockpit.transcript.layout import Layout


class Showing(ScrollView):
    """A floor of the transcript view; only that is made."""

    def __init__(
        self,
        *,
        remembered: Remembered | None,
        name: str | None,
        id: str | None,
        classes: str | None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._remembered = remembered or Remembered()
        self._shows_times = False
        self.files: FileLinks | None = None
        """The files whose names can be followed."""

    @property
    @abstractmethod
    def placed(self) -> Layout | None:
        """Where the blocks stand; None before there are any."""

    @abstractmethod
    def settle(self) -> None:
        """Put everything in its place, and draw it."""

    @abstractmethod
    def page_changed(self) -> None:
        """Draw all on a page of another kind."""

    async def painted(self) -> None:
        """Return once what was drawn is on the screen."""
        is_painted = Event()
        self.call_after_refresh(is_painted.set)
        await is_painted.wait()

    def work_in(self, folder: str) -> None:
        """Let the names of this folder's files be links."""
        from agent_cockpit.cockpit.render.file_links import FileLinks

        if folder != (self.files.root if self.files else ""):
            self.files = FileLinks(folder)
            self.page_changed()

    def _size_updated(
        self, size: Size, virtual_size: Size, container_size: Size, layout: bool = True
    ) -> bool:
        """Wrap what is visible again, before it is painted; the rest when it is looked at."""
        is_changed = super()._size_updated(size, virtual_size, container_size, layout)
        if is_changed:
            self.page_changed()
        return is_changed

    def toggle_fold_all(self) -> Fold:
        """Open all blocks, then close all, then as they are by themselves; says which."""
        if (layout := self.placed) is None:
            return "auto"
        fold = layout.drawn.cycle_all()
        self.settle()
        return fold

    def fold_of_kind(self, kind: str) -> Fold:
        """What blocks of a kind are folded to from now on and in later sittings."""
        fold = self._remembered.text(f"fold {kind}")
        return "open" if fold == "open" else "closed" if fold == "closed" else "auto"

    def fold_kind(self, kind: str, fold: Fold) -> None:
        """Fold all blocks of a kind, failures left out; remembered."""
        self._remembered.keep(**{f"fold {kind}": fold})
        if (layout := self.placed) is not None:
            layout.drawn.redraw_all()
            self.settle()

    def toggle_times(self) -> bool:
        """Show when each block began, or show it no more; whether it is shown now."""
        self._shows_times = not self._shows_times
        if (layout := self.placed) is not None:
            layout.drawn.shows_times = self._shows_times
            self.page_changed()
        return self._shows_times

    @property
    def diff_view(self) -> DiffView:
        """How diffs are shown: by the width, or as the person wants them."""
        return chosen_view(self._remembered)

    def cycle_diff_view(self) -> DiffView:
        """Show diffs in the next way; remembered."""
        view = choose_next_view(self._remembered)
        self.page_changed()
        return view

    def toggle_hunks(self, key: int, *numbers: int) -> None:
        """Fold hunks of a block's diff, or unfold them."""
        if (layout := self.placed) is not None:
            layout.drawn.toggle_hunks(key, *numbers)
            layout.measure(key)
            self.settle()

    def toggle_fold(self, key: int) -> None:
        """Show more of a block, or less."""
        if (layout := self.placed) is not None:
            layout.toggle(key, self.scroll_offset.y, self.size.height)
            self.settle()

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        """The bar at the right edge, made when it is first wanted."""
        if self._vertical_scrollbar is None:
            bar = QuietBar(name="vertical", thickness=self.scrollbar_size_vertical)
            bar.display = False
            self._vertical_scrollbar = bar
            self.app._start_widget(self, bar)
        return self._vertical_scrollbar

    def watch_show_vertical_scrollbar(self, is_shown: bool) -> None:
        """The bar appears where one reads: while it was not shown, nothing moved it."""
        if is_shown:
            self.vertical_scrollbar.position = self.scroll_y

    def take_size(self, size: Size) -> None:
        """Be as large as this; more lines in a view that scrolls already move nothing else."""
        is_scrolling = size.height > self.container_size.height
        if size.width != self.virtual_size.width or is_scrolling != self.show_vertical_scrollbar:
            self.virtual_size = size
        elif size != self.virtual_size:
            self.set_reactive(ScrollView.virtual_size, size)
            if is_scrolling:
                self.vertical_scrollbar.window_virtual_size = size.height
