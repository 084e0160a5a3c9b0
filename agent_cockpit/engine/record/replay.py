"""A recorded sitting as a source for the cockpit: what happened is shown, nothing happens."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import Path
from typing import Any

from agent_cockpit.engine.record.journal_reader import read_journal
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.events.base import Event
from agent_cockpit.events.sitting import DamagedLines
from agent_cockpit.transcript.recording import Recording


class ReplaySource:
    """A `recording` of what is over. It has no events of its own any more, and decisions and
    cancels do nothing: they were taken when the sitting was recorded."""

    def __init__(self, events: Iterable[Event]) -> None:
        self.recording = Recording(events)

    @classmethod
    def of(cls, journal: Path) -> ReplaySource:
        """A source over a journal file; `PersonCanAct` when it cannot be read or is none."""
        return cls(events_of(journal))

    async def events(self) -> AsyncIterator[Event]:
        """None: nothing happens."""
        return
        yield

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


def events_of(journal: Path) -> list[Event]:
    """All that a journal holds; `PersonCanAct` when the file holds no event, `WorkspaceError`
    when it cannot be read."""
    events = list(read_journal(journal))
    if all(isinstance(event, DamagedLines) for event in events):
        raise PersonCanAct(f"{journal} is no journal: it holds no event")
    return events
