"""Journals read back: torn tails and damaged lines are bridged and counted, never fatal."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from agent_cockpit.errors import WorkspaceError
from agent_cockpit.events.base import Event
from agent_cockpit.events.codec import parse_any
from agent_cockpit.events.harness import AgentStart, TurnStart
from agent_cockpit.events.sitting import DamagedLines

ENDING_BYTES = 2**18
"""Some thirty goals, which are read in the time of a blink."""


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


def read_ending(path: Path, most_bytes: int = ENDING_BYTES) -> list[Event]:
    """What a long journal ends with, from the beginning of a goal on, or of a turn where one goal
    is that long: for the first sight of it. Nothing of a short journal, which is read at once, and
    nothing where it cannot be read: who reads all of it says why."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            if size <= most_bytes:
                return []
            file.seek(size - most_bytes)
            lines = file.read(most_bytes).split(b"\n")[1:]
    except OSError:
        return []
    events = [event for event in map(_event_of, lines) if event is not None]
    newest = events[-1].session_id if events else ""
    mine = [event for event in events if event.session_id == newest]
    for kind in (AgentStart, TurnStart):
        for at, event in enumerate(mine):
            if isinstance(event, kind):
                return mine[at:]
    return []


def _event_of(line: bytes) -> Event | None:
    try:
        return parse_any(line)
    except ValueError:
        return None
