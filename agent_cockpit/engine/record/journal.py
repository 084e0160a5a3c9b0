"""The record of a sitting: JSON lines, written before anybody sees an event.

Laws: what `append` returned from is in the system's hands; streamed text goes in joined, at
the latest a second after it came, of a flood of output its head and tail; a journal that cannot
be written degrades, it never kills.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agent_cockpit.engine.record.journal_file import JournalFile
from agent_cockpit.engine.record.journal_floods import Floods
from agent_cockpit.events.base import Event
from agent_cockpit.events.codec import SHEDDABLE, dump_event, event_type
from agent_cockpit.events.harness import ModelUpdate, ToolEnd
from agent_cockpit.events.sitting import StreamedText, ToolProgress
from agent_cockpit.rules.secrets import redact

JOIN_SECONDS = 1.0
"""The longest that streamed text waits unwritten, and so the most that a kill can lose."""

_VERBATIM_KEYS = frozenset(
    {"signature", "raw", "call_id", "approval_id", "provider_id", "session_id", "task_id"}
)
"""Ids and signed reasoning must come back exactly, so they are spared by redaction."""


class JsonlEventJournal:
    """Appends events to `path`, one JSON object a line, mode 0600.

    Only the event loop calls it. `close` may be followed by `append`, which reopens. While
    `failure` says why nothing can be written, events are dropped and counted in `missed`.
    """

    def __init__(self, path: Path | str, *, redactor: Callable[[str], str] = redact) -> None:
        self.path = Path(path).absolute()
        self._file = JournalFile(self.path)
        self._redact = redactor
        self._streamed: list[ModelUpdate | ToolProgress] = []
        self._timer: asyncio.TimerHandle | None = None
        self._floods = Floods(redactor)

    @property
    def failure(self) -> str | None:
        """Why the record does not hold what happens; None while it does."""
        return self._file.failure

    @property
    def missed(self) -> int:
        """How many lines the present or the last failure has cost."""
        return self._file.missed

    def append(self, event: Event) -> None:
        """Write one event and flush it to the system; sheddable text is joined first."""
        if isinstance(event, ModelUpdate | ToolProgress) and event_type(event) in SHEDDABLE:
            if self._streamed and not _joins(self._streamed[-1], event):
                self._write_streamed()
            self._streamed.append(event)
            self._arm_timer()
            return
        self._write_streamed()
        self._write(event)
        if isinstance(event, ToolEnd):
            self._floods.end(event.call_id)

    async def sync(self) -> None:
        """Wait until the file is on the disk; does its waiting in a worker thread."""
        self._write_streamed()
        await self._file.sync()

    def lock(self, *, create: bool = True) -> None:
        """Keep other processes from writing this journal until `close(release=True)`.

        Raises `SittingLocked` when another one does, and, without `create`, `WorkspaceError`
        when there is no such file or it cannot be written. Nothing is written. Without
        advisory locks on this system nothing is locked.
        """
        self._file.lock(create=create)

    def close(self, *, release: bool = False) -> None:
        """Write what waits and close the file; a locked journal stays open until released."""
        self._write_streamed()
        if release or not self._file.is_locked:
            self._file.close()

    def _arm_timer(self) -> None:
        if self._timer is not None:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._write_streamed()
            return
        self._timer = loop.call_later(JOIN_SECONDS, self._write_streamed_but_open_word)

    def _write_streamed_but_open_word(self) -> None:
        """Write what waits, but hold back its last word: a secret may be half there."""
        self._timer = None
        if not self._streamed:
            return
        text = "".join(event.delta for event in self._streamed)
        cut = max(text.rfind(" "), text.rfind("\n")) + 1
        last = self._streamed[-1]
        if cut == 0 and len(text) < _LONGEST_SECRET:
            self._arm_timer()
            return
        cut = cut if len(text) - cut < _LONGEST_SECRET else len(text)
        self._write_joined(self._streamed, text[:cut])
        rest = text[cut:]
        self._streamed = [last.model_copy(update={"delta": rest})] if rest else []
        if rest:
            self._arm_timer()

    def _write_streamed(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._streamed:
            waiting, self._streamed = self._streamed, []
            self._write_joined(waiting, "".join(event.delta for event in waiting))

    def _write_joined(self, events: list[ModelUpdate | ToolProgress], text: str) -> None:
        joined = _joined(events, text)
        self._write(self._floods.kept(joined) if joined.kind == "output" else joined)

    def _write(self, event: Event) -> None:
        line = dump_event(event)
        if self._redact(line) != line:
            values = _redacted(event.model_dump(mode="json"), self._redact)
            try:
                line = dump_event(type(event).model_validate(values))
            except ValueError:  # a secret that is also a word of the format: it stays out
                line = json.dumps(values, ensure_ascii=False)
        self._file.write(line)


_LONGEST_SECRET = 4096


def _joins(a: ModelUpdate | ToolProgress, b: ModelUpdate | ToolProgress) -> bool:
    if isinstance(a, ModelUpdate) and isinstance(b, ModelUpdate):
        return a.kind == b.kind and a.task_id == b.task_id
    return isinstance(a, ToolProgress) and isinstance(b, ToolProgress) and a.call_id == b.call_id


def _joined(events: list[ModelUpdate | ToolProgress], text: str) -> StreamedText:
    first, last = events[0], events[-1]
    return StreamedText(
        event_id=last.event_id,
        session_id=last.session_id,
        task_id=last.task_id,
        turn=last.turn,
        ts=last.ts,
        first_id=first.event_id,
        last_id=last.event_id,
        kind=last.kind if isinstance(last, ModelUpdate) else "output",
        call_id=last.call_id if isinstance(last, ToolProgress) else "",
        text=text,
    )


def _redacted(value: Any, redactor: Callable[[str], str], key: str = "") -> Any:
    if key in _VERBATIM_KEYS:
        return value
    if isinstance(value, str):
        return redactor(value)
    if isinstance(value, dict):
        return {name: _redacted(item, redactor, name) for name, item in value.items()}
    if isinstance(value, list):
        return [_redacted(item, redactor) for item in value]
    return value
