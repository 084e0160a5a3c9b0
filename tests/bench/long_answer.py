"""One long answer: what its first and its last tenth cost, and whether all of it can be read."""

from __future__ import annotations

import threading
import time
from bisect import bisect
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.bench.answer import missing_characters
from tests.bench.measure import PROMPT, Program
from tests.bench.server import PARTS
from tests.bench.streaming import Server, Sitting, cpu_s
from tests.support.terminal import Terminal

TOKENS, A_SECOND = 20_000, 2_000
_IDENT = "whole"
_SAMPLE_S = 0.01


@dataclass(frozen=True, slots=True)
class Tenth:
    """A tenth of an answer of 20,000 tokens that come 2,000 a second."""

    cpu_ms: float
    """While its tokens came."""
    end_cpu_ms: float | None = None
    """After the last one, until the end of the answer was seen."""
    missing_characters: float | None = None
    """After the last one, of the whole answer: what was not in the rows that the keys of a
    person who reads it from its end to its beginning brought to the screen."""


def long_answer(
    program: Program, environ: dict[str, str], folder: Path, server: Server
) -> tuple[Tenth, Tenth]:
    """Start it, let the answer stream, then read it with the keys of a person."""
    with Terminal(program.words, environ=environ, folder=folder) as terminal:
        terminal.wait_for(program.loaded)
        sitting = Sitting(terminal)
        sitting.ask("warm", 2_000, 0)
        with _Costs(terminal.pid) as costs:
            sitting.ask(_IDENT, TOKENS, A_SECOND)
        told = (*(f"{_IDENT}/{part}" for part in range(PARTS)), _IDENT)
        moments = [*map(server.ended_at, told), sitting.seen_at]
        cpu_ms = [1000 * costs.between(*span) for span in pairwise(moments)]
        missing = missing_characters(rows_above(terminal, f"id={_IDENT}"), TOKENS, _IDENT)
    return Tenth(cpu_ms[0]), Tenth(cpu_ms[PARTS - 1], cpu_ms[PARTS], missing)


def rows_above(terminal: Terminal, first: str) -> list[str]:
    """The rows of the transcript from the one with `first` to the end, met page by page."""
    rows = _page(terminal.screen())
    while not any(first in row for row in rows):
        top = _page(terminal.screen())
        terminal.press("pageup")
        terminal.wait_for(lambda shown, top=top: _page(shown) != top)  # type: ignore[misc]
        above = _page(terminal.screen())
        overlap = next(
            n for n in range(len(above), -1, -1) if above[-n or len(above) :] == rows[:n]
        )
        rows = above[: len(above) - overlap] + rows
    return rows


def _page(rows: list[str]) -> list[str]:
    """What stands above the prompt, without the scroll bar at its side."""
    prompt = max(number for number, row in enumerate(rows) if row.startswith(" " + PROMPT))
    return [row[:-1] for row in rows[: prompt - 1]]


class _Costs:
    """Looks again and again how long a process has had a processor."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._moments: list[float] = []
        self._spent_s: list[float] = []
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._look, name="costs", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stopping.set()
        self._thread.join()

    def between(self, start: float, end: float) -> float:
        """Seconds of the processor between two moments."""
        return self._at(end) - self._at(start)

    def _look(self) -> None:
        while not self._stopping.wait(_SAMPLE_S):
            self._moments.append(time.monotonic())
            self._spent_s.append(cpu_s(self._pid))

    def _at(self, moment: float) -> float:
        return self._spent_s[min(bisect(self._moments, moment), len(self._moments) - 1)]
