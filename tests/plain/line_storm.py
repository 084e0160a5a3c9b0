"""Random lines typed, and anything told, at the plain front end of a terminal of any width, and
what must hold.

`python -m tests.plain.line_storm --runs 50` plays fifty sittings; `--seed N` plays one again.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import pty
import random
import re
import select
import struct
import sys
import termios
import threading
import traceback
from collections.abc import AsyncIterator, Callable
from contextlib import redirect_stdout
from fcntl import ioctl
from typing import Any

from wcwidth import wcswidth

from agent_cockpit.engine.state import MetaResult, TaskState
from agent_cockpit.errors import DirtyWorkspaceError
from agent_cockpit.events.base import Event
from agent_cockpit.plain.front import PlainFront
from agent_cockpit.plain.page import NARROWEST
from agent_cockpit.plain.reading import Lines
from agent_cockpit.text import clean, has_hidden
from tests.cockpit.storm_clock import Clocks
from tests.cockpit.storm_news import News
from tests.cockpit.storm_texts import DIFFS, TEXTS
from tests.support.scripted_source import ScriptedSource
from tests.support.waiting import WITHIN_S

LINES = 60
TYPED = (
    *("1", "2", "3", "4", "5", "6", "7", "8", "9", "y", "n", "a", "1,2", "1: why", ".", "", "x"),
    *("/diff", "/status", "/help", "/plan", "/nope", "go on \\", "2 a note", "1-2", "0", "-1"),
)
FLOWING = tuple(text for text in TEXTS if "```" not in text and "~~~" not in text)
"""Without code: its lines are as wide as they were written."""
_AS_THEY_ARE = ("    ", "|", "see it again: ", "go on: ")
_PROMPTS = re.compile(r"(?:(?:accepts edits|plan)?> )+")
"""What stood there when a line was told, of lines that were typed ahead."""
_DIFF_LINES = {line for diff in DIFFS for line in clean(diff).split("\n")}
_JOINERS = "\u200c\u200d\ufe0f"


class Broken(AssertionError):
    """A law does not hold."""


class Stream:
    """What a source says, one by one or all that is there."""

    def __init__(self, said: asyncio.Queue[Event | None]) -> None:
        self._said = said

    def take_unread(self) -> list[Event]:
        found: list[Event] = []
        while not self._said.empty():
            if (event := self._said.get_nowait()) is None:
                self._said.put_nowait(None)
                break
            found.append(event)
        return found

    def __aiter__(self) -> AsyncIterator[Event]:
        return self

    async def __anext__(self) -> Event:
        if (event := await self._said.get()) is None:
            raise StopAsyncIteration
        return event


class StormSource(ScriptedSource):
    """While a goal runs anything happens, and then it is over."""

    def __init__(self, dice: random.Random, news: News) -> None:
        super().__init__()
        self._dice, self._news = dice, news
        self.meta["/diff"] = MetaResult("diff", dice.choice(DIFFS))

    def events(self) -> Any:
        return Stream(self.said)

    async def drive(
        self, text: str, *, kind: str = "steering", decide: Callable[[str], Any] | None = None
    ) -> TaskState | None:
        if self._dice.random() < 0.1:
            paths = ("a.py", self._dice.choice(FLOWING))
            self.fails.append(DirtyWorkspaceError("dirty", paths=paths))
        elif self._dice.random() < 0.2:
            self.plan = ["1. do\n2. look", self._dice.choice(FLOWING)][: self._dice.randrange(3)]
        happening = asyncio.ensure_future(self._happens())
        try:
            return await super().drive(text, kind=kind, decide=decide)
        finally:
            happening.cancel()

    async def _happens(self) -> None:
        for _ in range(self._dice.randrange(40)):
            self.say(self._news.next())
            await asyncio.sleep(self._dice.choice([0, 0, 0.001]))
        self.finish()


class Person(threading.Thread):
    """Types at one end of a terminal, sizes its window, and reads all that comes."""

    def __init__(self, dice: random.Random, end: int, *, resizes: bool) -> None:
        super().__init__()
        self.read = b""
        self.is_done = threading.Event()
        self.problem: BaseException | None = None
        self._dice, self._end, self._resizes = dice, end, resizes

    def run(self) -> None:
        try:
            for _ in range(LINES):
                self._reads(0.01)
                if self._resizes:
                    size_window(self._end, self._dice.randrange(1, 200))
                line = self._dice.choice([self._dice.choice(TYPED), self._dice.choice(FLOWING)])
                os.write(self._end, line.encode("utf-8", "replace").replace(b"\x04", b"") + b"\n")
            while not self.is_done.is_set():
                self._reads(0.02)
                os.write(self._end, b"\x04")
            self._reads(0)
        except BaseException as problem:
            self.problem = problem

    def _reads(self, wait_s: float) -> None:
        while select.select([self._end], [], [], wait_s)[0]:
            self.read += os.read(self._end, 65536)


def size_window(terminal: int, columns: int) -> None:
    ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))


def storm(seed: int) -> None:
    """One sitting; raises where a law does not hold."""
    dice = random.Random(seed)
    width, resizes = dice.randrange(1, 200), dice.random() < 0.3
    news = News(dice, Clocks(dice).stamp, FLOWING)
    source = StormSource(dice, news)
    person_end, own_end = pty.openpty()
    modes = termios.tcgetattr(own_end)
    modes[3] &= ~termios.ECHO
    termios.tcsetattr(own_end, termios.TCSANOW, modes)
    size_window(person_end, width)
    person = Person(dice, person_end, resizes=resizes)
    with os.fdopen(own_end, "w", encoding="utf-8") as out, redirect_stdout(out):
        person.start()
        try:
            code = PlainFront(source, lines=Lines(own_end), out=out, quiet_s=0).run()
        finally:
            person.is_done.set()
            person.join(WITHIN_S)
    os.close(person_end)
    if person.problem is not None:
        raise person.problem
    if code != 0:
        raise Broken(f"it ended with {code}")
    check_answers(source, news)
    check_rows(person.read.decode(), 0 if resizes else width)


def check_answers(source: StormSource, news: News) -> None:
    """Nobody answers what was not asked, nor twice."""
    answered = [call[1] for call in source.calls if call[0] == "resolve"]
    if not set(answered) <= set(news.asked):
        raise Broken(f"answers to nothing that asked: {set(answered) - set(news.asked)}")


def check_rows(told: str, width: int) -> None:
    """Nothing acts on a terminal or hides; what can be folded is as wide as the window at most."""
    for row in told.replace("\r\n", "\n").split("\n"):
        odd = [
            char for char in row if (ord(char) < 32 and char != "\t") or 0x7F <= ord(char) < 0xA0
        ]
        if odd or has_hidden("".join(char for char in row if char not in _JOINERS)):
            raise Broken(f"a row writes {odd}: {row!r}")
        row = _PROMPTS.sub("", row)
        is_as_it_is = row.startswith(_AS_THEY_ARE) or row in _DIFF_LINES
        if width >= NARROWEST and not is_as_it_is and " " in row.strip(" -*+>?!~"):
            cells = wcswidth(row.expandtabs())
            longest = max(wcswidth(word) for word in row.expandtabs().split(" "))
            if cells > width and longest < width - 12:
                raise Broken(f"a row of {cells} at a width of {width}: {row!r}")


def play(seed: int) -> str:
    """Empty, or what broke."""
    try:
        storm(seed)
    except Exception as problem:
        return f"seed {seed}:\n{''.join(traceback.format_exception(problem)[-12:])}"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1, help="sittings to play, from seed 0 on")
    parser.add_argument("--seed", type=int, help="play this one only")
    given = parser.parse_args()
    seeds = range(given.runs) if given.seed is None else [given.seed]
    told = [found for seed in seeds if (found := play(seed))]
    print("\n".join(told) or f"{len(seeds)} sittings of {LINES} lines, every law held")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
