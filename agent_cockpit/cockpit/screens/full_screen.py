"""What full screens share: a body that is read by keys, keys that answer when typing rests."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, TypeVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from agent_cockpit.cockpit.consent.lighting import Lighting
from agent_cockpit.cockpit.consent.quiet import Quiet
from agent_cockpit.cockpit.keys.gate import Decides
from agent_cockpit.cockpit.keys.textual_keys import bindings
from agent_cockpit.cockpit.look.selecting import Selecting
from agent_cockpit.cockpit.widgets.lines_view import SCROLL_KEYS

Result = TypeVar("Result")


class PageScreen(Selecting[None]):
    """A page that is read until it is closed; `body` is what scrolls."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("page"),
        Binding("ctrl+c", "close_or_copy", show=False),
    ]

    @property
    def body(self) -> Widget:
        """What scrolls."""
        raise NotImplementedError

    def action_read(self, way: str) -> None:
        """Read further: up, down, pageup, pagedown, home or end."""
        getattr(self.body, SCROLL_KEYS[way])(animate=False)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)

    async def action_close_or_copy(self) -> None:
        """Copy what is selected; with nothing selected go back."""
        if self.get_selected_text():
            await self.app.run_action("app.copy_or_quit")
        else:
            self.action_close()


class DecidingScreen(Decides, Selecting[Result]):
    """A screen that opens by itself and takes a decision: it waits until typing rests.

    The app asks `counts` before it hands a key over; a key that does not count is the
    composer's.
    """

    def __init__(self, quiet: Quiet | None = None) -> None:
        """With `quiet` the times of another place, of which only the typing matters here."""
        super().__init__()
        self.quiet = replace(quiet, painted_at=None) if quiet else Quiet()
        self._light = Lighting(self, self.quiet, self.quiet.counts, self.lit)

    def on_mount(self) -> None:
        self.ask_again()

    def ask_again(self) -> None:
        self._light.ask()
        self.call_after_refresh(self._light.painted)

    @property
    def is_lit(self) -> bool:
        """Whether keys count now."""
        return self._light.is_lit

    def counts(self, at: float) -> bool:
        return self.quiet.counts(at)

    def typed(self, at: float) -> None:
        self._light.typed(at)

    def lit(self) -> None:
        """Draw the keys anew: they begin or cease to count."""
