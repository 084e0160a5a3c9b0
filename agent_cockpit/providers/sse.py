"""Server-sent events from bytes, cut anywhere; knows no network.

Law: how the bytes were cut into chunks changes nothing about the events.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from agent_cockpit.errors import ProviderError

LONGEST_EVENT_BYTES = 8_000_000
"""Far above any real event; a server that never ends a line must not fill the memory."""

_LINE_END = re.compile(rb"[\r\n]")


class ServerEvent(NamedTuple):
    """One event: its `event` field (often empty) and its data lines, joined by newlines."""

    name: str
    data: str


class EventParser:
    """Owns what is left over between two chunks.

    `feed` and `end` raise `ProviderError` for bytes that are no UTF-8 and for an event above
    the size limit.
    """

    def __init__(self) -> None:
        self._rest = bytearray()
        self._scanned = 0
        self._name = ""
        self._data: list[str] = []
        self._size_bytes = 0
        self._first_line = True

    def feed(self, chunk: bytes) -> list[ServerEvent]:
        """The events that this chunk completes."""
        self._rest += chunk
        events: list[ServerEvent] = []
        start = 0
        while (end := self._line_end(max(start, self._scanned))) is not None:
            self._take_line(bytes(self._rest[start : end[0]]), events)
            start = end[1]
            self._scanned = start
        self._scanned = max(start, len(self._rest) - 1) - start
        del self._rest[:start]
        if len(self._rest) + self._size_bytes > LONGEST_EVENT_BYTES:
            raise _unreadable("an event that is too long")
        return events

    def end(self) -> list[ServerEvent]:
        """What the stream ends with: an event that lacks its blank line still counts."""
        events: list[ServerEvent] = []
        rest = bytes(self._rest).rstrip(b"\r")
        self._rest.clear()
        if rest:
            self._take_line(rest, events)
        self._take_line(b"", events)
        return events

    def _line_end(self, start: int) -> tuple[int, int] | None:
        """Where the next line ends and the one after begins. A CR at the very end waits: an
        LF may follow in the next chunk."""
        found = _LINE_END.search(self._rest, start)
        if found is None:
            return None
        end = found.start()
        if self._rest[end : end + 1] == b"\n":
            return end, end + 1
        if end + 1 == len(self._rest):
            return None
        return end, end + (2 if self._rest[end + 1 : end + 2] == b"\n" else 1)

    def _take_line(self, raw: bytes, events: list[ServerEvent]) -> None:
        try:
            line = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise _unreadable("bytes that are no UTF-8 text") from error
        if self._first_line:
            line, self._first_line = line.removeprefix("\ufeff"), False
        if not line:
            if self._data:
                events.append(ServerEvent(self._name, "\n".join(self._data)))
            self._name, self._data, self._size_bytes = "", [], 0
            return
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
            self._size_bytes += len(raw)
        elif field == "event":
            self._name = value


def _unreadable(what: str) -> ProviderError:
    return ProviderError(f"the model server sent {what}", kind="answer", retryable=True)
