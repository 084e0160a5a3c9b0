"""The output of a child process, kept in bounded memory and passed on as it comes."""

from __future__ import annotations

import asyncio
import codecs
from collections.abc import Callable

HEARD_EVERY_S = 0.05
"""Pieces closer than this are joined: nobody reads faster, and a flood must not become
a flood of events."""
HEARD_CHARACTERS = 8_192
"""The most that one piece may hold; of a flood only the end is passed on."""


class HeadAndTail:
    """Bytes of any length, of which `budget_bytes` are kept: 40 % head, 60 % tail."""

    def __init__(self, budget_bytes: int) -> None:
        self._head_room = int(budget_bytes * 0.4)
        self._tail_room = max(1, budget_bytes - self._head_room)
        self._head = bytearray()
        self._tail = bytearray()
        self._total = 0

    def feed(self, data: bytes) -> None:
        """Take in the next bytes."""
        self._total += len(data)
        room = self._head_room - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data[-self._tail_room :]
        if len(self._tail) > 2 * self._tail_room:
            self._trim()

    @property
    def dropped_bytes(self) -> int:
        """How many bytes `text` leaves out."""
        return self._total - len(self._head) - min(len(self._tail), self._tail_room)

    def text(self) -> str:
        """What was kept; a line between head and tail says how much is missing."""
        self._trim()
        if not self.dropped_bytes:
            return _decoded(bytes(self._head + self._tail))
        head = _whole_characters(bytes(self._head))
        tail = bytes(self._tail)
        while tail and tail[0] & 0xC0 == 0x80 and len(self._tail) - len(tail) < 3:
            tail = tail[1:]
        left_out = f"[… {self.dropped_bytes} of {self._total} bytes left out …]"
        return f"{head}\n{left_out}\n{_decoded(tail)}"

    def _trim(self) -> None:
        del self._tail[: -self._tail_room]


def unheard(_: str) -> None:
    """For output that nobody waits for."""


class LiveOutput:
    """Decodes bytes and passes them to `heard`, on the event loop, a few times a second."""

    def __init__(self, heard: Callable[[str], None]) -> None:
        self._heard = heard
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._waiting = ""
        self._timer: asyncio.TimerHandle | None = None

    def feed(self, data: bytes) -> None:
        """Take in the next bytes; the first piece goes out at once."""
        self._waiting = (self._waiting + self._decoder.decode(data))[-HEARD_CHARACTERS:]
        if self._timer is None:
            self._pass_on()
            self._timer = asyncio.get_running_loop().call_later(HEARD_EVERY_S, self._wake)

    def finish(self) -> None:
        """Pass on what still waits; nothing is heard afterwards."""
        if self._timer is not None:
            self._timer.cancel()
        self._waiting += self._decoder.decode(b"", final=True)
        self._pass_on()

    def _wake(self) -> None:
        self._timer = None
        if self._waiting:
            self.feed(b"")

    def _pass_on(self) -> None:
        piece, self._waiting = self._waiting, ""
        if piece:
            self._heard(piece)


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _whole_characters(data: bytes) -> str:
    """`data` decoded, without the character that its end cuts in two."""
    return codecs.getincrementaldecoder("utf-8")("replace").decode(data)
