"""How this process ends: signals as exceptions, streams whose other end is gone."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn


class Terminated(SystemExit):
    """The system wants us gone; everything unwinds, so that terminal and journal are left well
    and no child outlives us. A `SystemExit`, since an event loop keeps any other exception
    that is raised inside a callback to itself."""


class Ending:
    """SIGTERM, and the SIGHUP of a terminal that closed, turned into `Terminated`."""

    def __init__(self) -> None:
        self.number = 0
        """The first of them that came."""

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Listen while the block runs; a signal ignored from the start (nohup) stays so."""
        before: dict[int, Any] = {}
        try:
            for number in filter(None, (signal.SIGTERM, getattr(signal, "SIGHUP", None))):
                if signal.getsignal(number) != signal.SIG_IGN:
                    with suppress(ValueError):  # not the main thread: not ours to hear
                        before[number] = signal.signal(number, self._end)
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _end(self, number: int, _frame: object) -> NoReturn:
        self.number = self.number or number
        if hasattr(signal, "SIGCONT"):
            # A hang-up is followed by SIGCONT, at which the screen would start again.
            signal.signal(signal.SIGCONT, signal.SIG_DFL)
        raise Terminated


def let_streams_take_any_text() -> None:
    """A terminal that cannot show a character gets its escape, never a crash; a stream that
    was closed from the start is one to nowhere, so that no file of ours takes its number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = getattr(sys, name)
        if stream is None:
            with suppress(OSError):
                nowhere = os.open(os.devnull, os.O_RDWR)
                setattr(sys, name, os.fdopen(nowhere, "w" if number else "r"))
        elif number and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def let_go_of_streams() -> None:
    """Flush now, and where the other end is gone let the interpreter's own flush go nowhere:
    it would turn the exit code into one of its own."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, stream.fileno())
                os.close(nowhere)


def leave_the_terminals_reader(code: int) -> None:
    """End at once where the screen's reader thread was left behind: at a terminal that is gone
    it reads nothing for ever, and the interpreter would wait for it, at full load."""
    if any(thread.name == "textual-input" for thread in threading.enumerate()):
        os._exit(code)
