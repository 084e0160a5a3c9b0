"""A recorded sitting as a source for the cockpit: what happened is shown, nothing happens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import Path
from typing import Any

from agent_cockpit.engine.journal_reader import load_events
from agent_cockpit.events.base import Event

_BATCH = 200
"""Events between two pauses, so that a long journal does not freeze the screen."""


class ReplaySource:
    """Yields a journal's events in order, then ends. Decisions and cancels do nothing: they
    were taken when the sitting was recorded."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._events = tuple(events)

    @classmethod
    def of(cls, journal: Path) -> ReplaySource:
        """A source over a journal file; `WorkspaceError` when it cannot be read."""
        return cls(load_events(journal))

    async def events(self) -> AsyncIterator[Event]:
        """All events of the journal."""
        for place, event in enumerate(self._events, start=1):
            yield event
            if place % _BATCH == 0:
                await asyncio.sleep(0)

    async def resolve_approval(
        self,
        approval_id: str,
        *,
        allow: bool,
        remember: bool = False,
        reason: str = "",
        scope: str | None = None,
        edited: dict[str, Any] | None = None,
        kept: Sequence[int] | None = None,
    ) -> None:
        """Nothing: the answer is in the journal."""

    async def cancel(self, reason: str = "cancelled") -> None:
        """Nothing: nothing runs."""
