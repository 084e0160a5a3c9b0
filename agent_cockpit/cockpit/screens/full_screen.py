"""What full screens share: a body that scrolls, keys that answer when typing rests."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from textual.message import Message
from textual.screen import Screen

from agent_cockpit.cockpit.quiet import Quiet

Result = TypeVar("Result")


class DecidingScreen(Screen[Result]):
    """A screen that opens by itself and takes a decision: it waits until typing rests.

    The app asks `counts` before it hands a key over; a key that does not count is the
    composer's.
    """

    def __init__(self, quiet: Quiet | None = None) -> None:
        """With `quiet` the times of another place, of which only the typing matters here."""
        super().__init__()
        self.quiet = replace(quiet, painted_at=None) if quiet else Quiet()
        self.is_lit = False

    def on_mount(self) -> None:
        self.call_after_refresh(self._painted)

    def counts(self, at: float) -> bool:
        """Whether a key pressed at this time is for this screen."""
        return self.quiet.counts(at)

    def typed(self, at: float) -> None:
        """A key went to the composer; the quiet begins anew."""
        self.quiet.typed(at)
        self._relight()

    def lit(self) -> None:
        """Draw the keys anew: they begin or cease to count."""

    def _painted(self) -> None:
        self.quiet.painted_at = Message().time
        self._relight()

    def _relight(self) -> None:
        now, opens_at = Message().time, self.quiet.opens_at()
        counts = self.quiet.counts(now)
        if counts != self.is_lit:
            self.is_lit = counts
            self.lit()
        if opens_at is not None and opens_at > now:
            self.set_timer(opens_at - now + 0.01, self._relight)
