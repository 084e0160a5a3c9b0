"""What a person does with the transcript beside scrolling it: search.

Loaded when it is first wanted. While one of its fields has the keyboard, a question that waits
takes no answer.
"""

from __future__ import annotations

from typing import Any, Protocol

from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget

from agent_cockpit.cockpit.widgets.approval_modal import ApprovalModal
from agent_cockpit.cockpit.widgets.composer import Composer
from agent_cockpit.cockpit.widgets.search_bar import SearchBar
from agent_cockpit.cockpit.widgets.transcript import TranscriptView


class Desk(Protocol):
    """What reading needs of the app."""

    composer: Composer
    panel: ApprovalModal
    transcript_view: TranscriptView
    read_only: bool

    @property
    def screen_stack(self) -> list[Screen[Any]]: ...
    def set_focus(self, widget: Widget | None) -> None: ...
    def present(self) -> None: ...


class Reading:
    """Owns the search bar of one app."""

    def __init__(self, app: Desk) -> None:
        self._app = app
        self._bar: SearchBar | None = None

    async def find(self) -> None:
        """Open the search, or write what it looks for anew."""
        app = self._app
        if self._bar is None:
            self._bar = SearchBar(app.transcript_view.search, self.leave, id="search")
            await app.screen_stack[0].mount(self._bar, before="#prompt")
        app.panel.quiet.is_held = True
        app.panel.typed(Message().time)
        self._bar.open(app.transcript_view.search)
        app.present()

    def leave(self) -> None:
        """The keyboard goes back to the question that waits, or to the prompt."""
        app = self._app
        app.set_focus(app.transcript_view if app.read_only else app.composer)
        app.panel.quiet.is_held = False
        if app.panel.is_open:
            app.panel.reopen()
        app.present()
