"""Keys that light up: what a panel and a screen share that take an answer when typing rests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from textual.message import Message

from agent_cockpit.cockpit.consent.quiet import Quiet


class _Host(Protocol):
    def set_timer(self, delay: float, callback: Callable[[], None]) -> Any: ...


class Lighting:
    """Owns `quiet` and whether keys are lit; `counts` is the host's own word on it, `changed`
    is called when it turns."""

    def __init__(
        self,
        host: _Host,
        quiet: Quiet,
        counts: Callable[[float], bool],
        changed: Callable[[], None],
    ) -> None:
        self.quiet = quiet
        self.is_lit = False
        self._host = host
        self._counts = counts
        self._changed = changed

    def ask(self) -> None:
        """Something new is about to be painted; nothing counts until it is."""
        self.quiet.ask()
        self.set(False)

    def painted(self) -> None:
        """It was painted now."""
        self.quiet.painted_at = Message().time
        self.look()

    def typed(self, at: float) -> None:
        """A key went to the prompt; the quiet begins anew."""
        self.quiet.typed(at)
        self.look()

    def look(self) -> None:
        """Light the keys when they count; until then look again when they may."""
        now, opens_at = Message().time, self.quiet.opens_at()
        self.set(self._counts(now))
        if opens_at is not None and opens_at > now and self._counts(opens_at):
            self._host.set_timer(opens_at - now + 0.01, self.look)

    def set(self, lit: bool) -> None:
        """Keys count from now on, or no more."""
        if lit != self.is_lit:
            self.is_lit = lit
            self._changed()
