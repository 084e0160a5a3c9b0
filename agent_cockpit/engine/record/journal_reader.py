"""Journals read back: torn tails and damaged lines are bridged and counted, never fatal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from agent_cockpit.errors import WorkspaceError
from agent_cockpit.events.base import Event
from agent_cockpit.events.codec import parse_any
from agent_cockpit.events.sitting import DamagedLines


def read_journal(path: Path) -> Iterator[Event]:
    """Its events in order; unknown types come whole, unreadable lines as `DamagedLines`.

    Raises `WorkspaceError` when the file itself cannot be read.
    """
    damaged = DamagedLines()
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.strip():
                    continue
                event = _event_of(line)
                if event is None:
                    first = damaged.first_line or number
                    torn = not line.endswith(b"\n")
                    damaged = DamagedLines(
                        count=damaged.count + 1, first_line=first, torn_tail=torn
                    )
                    continue
                if damaged.count:
                    yield damaged
                    damaged = DamagedLines()
                yield event
    except OSError as error:
        raise WorkspaceError(
            f"cannot read the journal {path}: {error.strerror or error}"
        ) from error
    if damaged.count:
        yield damaged


def load_events(path: Path | str) -> list[Event]:
    """All events of a journal at once."""
    return list(read_journal(Path(path)))


def _event_of(line: bytes) -> Event | None:
    try:
        return parse_any(line)
    except ValueError:
        return None
