"""How this process ends: signals as exceptions, streams whose other end is gone."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn

UNWINDING_S = 5.0
"""So long what runs may take to end in its own way."""
_ENDS = tuple(filter(None, (signal.SIGTERM, getattr(signal, "SIGHUP", None))))


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
            for number in _ENDS:
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


@contextmanager
def asked_first(stop: Callable[[], bool], *, within_s: float = UNWINDING_S) -> Iterator[None]:
    """Let SIGTERM and SIGHUP call `stop` while the block runs, and do what they do elsewhere when
    it has ended. `Terminated` out of the midst of an event loop cuts short how its tasks unwind;
    so it is raised there only where `stop` says that it can do nothing, at the second signal, or
    when the block goes on for too long."""
    heard: list[int] = []
    before: dict[int, Any] = {
        number: signal.getsignal(number) for number in _ENDS if _is_ours(number)
    }

    def ask(number: int, frame: FrameType | None) -> None:
        if heard or not stop():
            before[number](number, frame)
        heard.append(number)
        if hasattr(signal, "SIGCONT"):
            signal.signal(signal.SIGCONT, signal.SIG_DFL)  # as `Ending` does
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, within_s)

    def give_up(_: int, frame: FrameType | None) -> None:
        before[heard[0]](heard[0], frame)

    alarm: dict[int, Any] = {}
    if before and hasattr(signal, "setitimer"):
        alarm[signal.SIGALRM], clock = give_up, signal.getitimer(signal.ITIMER_REAL)
    restored = before | {number: signal.getsignal(number) for number in alarm}
    for number, handler in (dict.fromkeys(before, ask) | alarm).items():
        signal.signal(number, handler)
    try:
        yield
    finally:
        if alarm:
            signal.setitimer(signal.ITIMER_REAL, *clock)
        for number, handler in restored.items():
            signal.signal(number, handler)
        if heard:
            before[heard[0]](heard[0], None)


def _is_ours(number: int) -> bool:
    """Whether a handler in Python hears it, and this thread may set another."""
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and callable(signal.getsignal(number))


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
