"""When keys may begin to answer a question: no key that was meant for the prompt is consent.

All times are `event.time`: seconds of the clock that the terminal driver stamps keys with,
so a key that waited in a queue counts as old as it is.
"""

from __future__ import annotations

from dataclasses import dataclass

QUIET_S = 0.4
"""Long enough to see that something new is there; three keys of a fast typist."""


@dataclass(slots=True)
class Quiet:
    """Keys count from `quiet_s` after the question was painted and the last key was typed."""

    quiet_s: float = QUIET_S
    painted_at: float | None = None
    typed_at: float = float("-inf")
    is_held: bool = False
    """The keyboard is elsewhere, in a search: nothing is an answer."""

    def ask(self) -> None:
        """A new question is about to be painted; nothing counts until it is."""
        self.painted_at = None

    def typed(self, at: float) -> None:
        """A key went to the prompt."""
        self.typed_at = max(self.typed_at, at)

    def opens_at(self) -> float | None:
        """When keys begin to count if nothing more is typed; None before the paint, and
        while it is held."""
        if self.painted_at is None or self.is_held:
            return None
        return max(self.painted_at, self.typed_at) + self.quiet_s

    def counts(self, at: float) -> bool:
        """Whether a key pressed at this time is an answer."""
        opens_at = self.opens_at()
        return opens_at is not None and at >= opens_at
