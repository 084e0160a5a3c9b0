"""The plain front end between a pipe and a paper, with a person who reads before writing."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Sequence
from typing import Any

from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.plain.front import PlainFront
from agent_cockpit.plain.reading import Lines
from tests.support.waiting import WITHIN_S


class Paper(io.StringIO):
    """What was written, and somebody who waits for it."""

    def __init__(self, *, torn_at: str = "", is_terminal: bool = False) -> None:
        super().__init__()
        self._is_terminal = is_terminal
        self._came = threading.Condition()
        self._torn_at = torn_at

    def isatty(self) -> bool:
        return self._is_terminal

    def write(self, text: str) -> int:
        if self._torn_at and self._torn_at in text:
            raise BrokenPipeError
        with self._came:
            written = super().write(text)
            self._came.notify_all()
            return written

    def wait_for(self, text: str, *, after: int = 0) -> int:
        """Where the first such text after this place ends, once it is there."""
        with self._came:
            if not self._came.wait_for(lambda: text in self.getvalue()[after:], WITHIN_S):
                raise AssertionError(f"never written: {text!r} in\n{self.getvalue()}")
            return self.getvalue().index(text, after) + len(text)


Script = Sequence[tuple[str, str | None] | str]
"""A line to write at once, or (what is read first, the line that answers it, if any)."""


def sit(
    repl: ReplSession,
    script: Script,
    *,
    paper: Paper | None = None,
    **settings: Any,
) -> str:
    """Put the sitting between pipe and paper, let the script be written; what was told."""
    reads, writes = os.pipe()
    paper = paper or Paper()
    failures: list[BaseException] = []

    def write() -> None:
        try:
            place = 0
            for step in script:
                awaited, line = ("", step) if isinstance(step, str) else step
                place = paper.wait_for(awaited, after=place)
                if line is not None:
                    os.write(writes, f"{line}\n".encode())
        except BaseException as error:
            failures.append(error)
        finally:
            os.close(writes)

    person = threading.Thread(target=write)
    person.start()
    try:
        PlainFront(repl, lines=Lines(reads), out=paper, quiet_s=0, **settings).run()
    finally:
        person.join()
        os.close(reads)
    if failures:
        raise failures[0]
    return paper.getvalue()
