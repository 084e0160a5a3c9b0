"""The line that somebody waits for, and what was typed before its time.

Law: no line that was typed before its question was told is an answer; it is thrown away, and
that is said.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from agent_cockpit.plain.reading import Lines
from agent_cockpit.text import clean_line, shorten

Say = Callable[[Iterable[str]], None]
END_OF_TEXT = "."
"""Alone on its line it ends a text of many."""


class Terminal(Protocol):
    """What a program that takes the terminal over needs of it."""

    def suspend(self) -> AbstractContextManager[None]: ...
    def batch_update(self) -> AbstractContextManager[None]: ...


class Hearing:
    """Owns who hears a line next. At a terminal whoever listens hands every line in."""

    def __init__(self, lines: Lines, say: Say, *, quiet_s: float) -> None:
        self._lines = lines
        self._say = say
        self._quiet_s = quiet_s
        self._line: asyncio.Future[str | None] | None = None
        self._early: list[str] = []
        self._is_quiet = False
        self._is_over = False

    @property
    def is_terminal(self) -> bool:
        """Whether a person types, and an editor can be shown to them."""
        return self._lines.is_terminal

    def heard(self, line: str | None) -> bool:
        """Whether a line that was read belongs to a question; None: the person said no more."""
        if self._line is not None and not self._line.done():
            self._line.set_result(line)
            return True
        if self._is_quiet:
            self._early.append(line or "")
            return True
        return False

    def end(self) -> None:
        """The person leaves: nobody says anything more."""
        self._is_over = True
        if self._line is not None and not self._line.done():
            self._line.set_result(None)

    async def become_quiet(self) -> None:
        """Let the question be read, and throw away what was typed before."""
        self._is_quiet = True
        try:
            await asyncio.sleep(self._quiet_s)
        finally:
            early = " ".join(filter(None, [*self._early, self._lines.drain()]))
            self._is_quiet, self._early = False, []
            if early:
                words = shorten(clean_line(early), 200)
                self._say([f"- typed before the question, and no answer: {words}"])

    async def next_line(self, words: str) -> str | None:
        """One line, asked for with these words; a pipe is read only now. None: nobody is
        there to say it."""
        if self._is_over:
            return None
        self._say([words])
        line: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._line = line
        reading = None if self._lines.is_terminal else asyncio.ensure_future(self._read())
        try:
            return await line
        finally:
            self._line = None
            if reading is not None:
                reading.cancel()

    async def next_text(self, words: str) -> str | None:
        """Lines up to a lone dot; None when there was none before the dot, or no dot."""
        written: list[str] = []
        line = await self.next_line(words)
        while line is not None and line != END_OF_TEXT:
            written.append(line)
            line = await self.next_line(f"line {len(written) + 1}:")
        return None if line is None or not written else "\n".join(written)

    def suspend(self) -> AbstractContextManager[None]:
        """Another program has the terminal meanwhile, as `Terminal` says."""
        return self._lines.lent()

    def batch_update(self) -> AbstractContextManager[None]:
        """There is nothing to hold back."""
        return nullcontext()

    async def _read(self) -> None:
        self.heard(await self._lines.next())
