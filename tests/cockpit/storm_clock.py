"""Clocks that leap: a machine that slept, a process that was stopped, a clock that was set."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

LEAPS_S = (1.0, 61.0, 3 * 3600.0, 30 * 86400.0)
ENDS_OF_TIME = (datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC))
END_OF_TIME_OF = 60
"""One stamp of so many is of a clock that nobody ever set."""


class Clocks:
    """Owns how far the clocks of this process are ahead of the machine's."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self._steady_s = 0.0
        self._wall = timedelta()

    def leap(self) -> str:
        """Let one of the three happen; which one, in words."""
        seconds = self._dice.choice(LEAPS_S)
        match self._dice.choice(["slept", "stopped", "set"]):
            case "slept":
                self._wall += timedelta(seconds=seconds)
                return f"the machine slept for {seconds} s"
            case "stopped":
                self._wall += timedelta(seconds=seconds)
                self._steady_s += seconds
                return f"the process was stopped for {seconds} s"
            case _:
                seconds *= self._dice.choice([-1, 1])
                self._wall += timedelta(seconds=seconds)
                return f"the clock was set by {seconds} s"

    def stamp(self) -> datetime:
        """What the clock on the wall shows."""
        if self._dice.randrange(END_OF_TIME_OF) == 0:
            return self._dice.choice(ENDS_OF_TIME)
        return datetime.now(UTC) + self._wall

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """The steady clock of Textual, of the event loop and of the cockpit is this one."""
        steady = time.monotonic

        def leapt() -> float:
            return steady() + self._steady_s

        _put(leapt, for_this=steady)
        try:
            yield
        finally:
            _put(steady, for_this=leapt)


def _put(clock: Callable[[], float], *, for_this: Callable[[], float]) -> None:
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").split(".")[0] in ("time", "textual", "agent_cockpit"):
            for name in [name for name, value in vars(module).items() if value is for_this]:
                setattr(module, name, clock)
