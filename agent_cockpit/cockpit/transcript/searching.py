"""The transcript view as something to search, and whose past may come after its end was shown."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from agent_cockpit.cockpit.transcript.pointing import Pointing

if TYPE_CHECKING:
    from agent_cockpit.cockpit.transcript.drawn import BlockSource
    from agent_cockpit.cockpit.transcript.layout import Layout
    from agent_cockpit.cockpit.transcript.search import Search


class Searching(Pointing):
    """A floor of the transcript view; only that is made."""

    _layout: Layout | None = None
    _search: Search | None = None
    awaits_past = False
    """Whether only the end of the transcript is there yet."""

    @property
    def placed(self) -> Layout | None:
        """Where the blocks stand; None before there are any."""
        return self._layout

    @property
    def search(self) -> Search:
        """The search through this transcript, loaded when it is first wanted."""
        if self._search is None:
            from agent_cockpit.cockpit.transcript.search import Search

            self._search = Search(self)
        return self._search

    def put_before(self, source: BlockSource, count: int) -> None:
        """Show this from now on: the transcript that is shown, with so many blocks before it. What
        the person reads, points at, chose or looks for stays where it is."""
        layout, self.awaits_past = self._layout, False
        if layout is None:
            return
        if self.text_selection is not None and not self.chosen_lines:
            self.screen.clear_selection()
        layout.put_before(source, count)
        self.blocks_came_before(count)
        self.settle()
        if self._search is not None:
            self._search.blocks_came_before(count)

    def bring(self, key: int, line: int) -> None:
        """Have a line of a block in sight."""
        if self._layout is not None:
            self._layout.take_new()
            self._layout.measure(key)
            self._layout.bring(key, line, self.scroll_offset.y, self.size.height)
            self.settle()

    def start(self, work: Coroutine[Any, Any, None]) -> object:
        """Let this run beside the screen."""
        return self.run_worker(work)

    async def on_unmount(self) -> None:
        """Leave no search behind."""
        if self._search is not None:
            await self._search.close()
