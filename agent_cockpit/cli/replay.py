"""A journal read again: as text, or as the source of a screen that only shows it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from agent_cockpit.choices import Replay
from agent_cockpit.errors import PersonCanAct

if TYPE_CHECKING:
    from agent_cockpit.engine.ports import SittingSource
    from agent_cockpit.events.base import Event


def journal_of(choice: Replay) -> Path:
    """The journal that was named; `PersonCanAct` when it is no file."""
    if choice.journal.is_file():
        return choice.journal
    why = "is a folder" if choice.journal.is_dir() else "does not exist"
    raise PersonCanAct(f"the journal {choice.journal} {why}")


def print_journal(path: Path) -> int:
    """Write its whole transcript as text; the exit code."""
    from agent_cockpit.engine.record.replay import events_of
    from agent_cockpit.transcript.fold import Transcript
    from agent_cockpit.transcript.plain import plain_lines

    for block in Transcript.of(events_of(path)).blocks:
        print("\n".join(plain_lines(block)), end="\n\n")
    return 0


def read_ending(path: Path) -> list[Event]:
    """What a long journal ends with, to be seen before all of it is read."""
    from agent_cockpit.engine.record import journal_reader

    return journal_reader.read_ending(path)


def open_replay(path: Path) -> SittingSource:
    """The journal as a source that only shows what happened."""
    from agent_cockpit.engine.record.replay import ReplaySource

    return ReplaySource.of(path)
