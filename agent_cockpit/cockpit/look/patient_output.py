"""The way to a terminal that can be given up when the terminal takes nothing more.

A write to one that is stuck (a line that is down, ctrl+s) never returns, and a program that
waits for it can be ended by nobody. So it is written to without blocking, through an opening
of our own: whoever started us keeps the terminal as it was.
"""

from __future__ import annotations

import os
import select
import time
from typing import IO

_LOOK_AGAIN_S = 0.05
_NO_ROOM_S = 0.001


class PatientOutput:
    """Written to by the driver's thread, given up by whoever leaves the terminal."""

    def __init__(self, stream: IO[str]) -> None:
        """Raises `OSError` where the stream's terminal cannot be opened again."""
        name = os.ttyname(stream.fileno())
        self._number = os.open(name, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
        self._give_up_at = float("inf")
        self.is_lost = False
        """Whether something was not written, since it was given up or the terminal is gone."""

    def wait_on(self) -> None:
        """From now on wait for the terminal as long as it takes."""
        self._give_up_at, self.is_lost = float("inf"), False

    def give_up_in(self, seconds: float) -> None:
        """What the terminal does not take by then is dropped."""
        self._give_up_at = time.monotonic() + seconds

    def write(self, text: str) -> None:
        """Return once all is taken, or dropped."""
        left = memoryview(text.encode("utf-8", "backslashreplace"))
        while left and self._has_room():
            try:
                left = left[os.write(self._number, left) :]
            except BlockingIOError:
                time.sleep(_NO_ROOM_S)
            except OSError:
                self.is_lost = True

    def flush(self) -> None:
        """Nothing is kept back."""

    def fileno(self) -> int:
        return self._number

    def _has_room(self) -> bool:
        while not self.is_lost:
            if select.select([], [self._number], [], _LOOK_AGAIN_S)[1]:
                return True
            self.is_lost = time.monotonic() > self._give_up_at
        return False
