"""One sitting of a program while answers stream, and when nothing happens after them."""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.bench.answer import WORDS, mark_of
from tests.bench.measure import PROMPT, Program, resident_mib
from tests.support.terminal import Terminal

KEYS = "zqxjkvwybpgfmhdczqxjkvwy"
_WORD = re.compile(rb"w(\d{4})")
_ESCAPE = re.compile(rb"\x1b(?:\[[0-9;:?<>=]*[ -/]*[@-~]|[@-Z\\^_].?)")
_WITHIN_S = 60.0
IDLE_S = 3.0


@dataclass(frozen=True, slots=True)
class Stream:
    """One sitting."""

    answer_ms: float
    """From Enter to the sight of the last of 2,000 tokens that come as fast as they can."""
    answer_cpu_ms: float
    long_ms: float
    """The same of 20,000 tokens."""
    long_cpu_ms: float
    paced_cpu_percent: float
    """Of one core, while 100 tokens come a second."""
    lag_p50_ms: float | None
    """From a token that the server sent to its sight, at 100 tokens a second; None without a
    server."""
    lag_p95_ms: float | None
    typed_p50_ms: float
    """From a key to its sight while 100 tokens come a second."""
    typed_p95_ms: float
    typed_max_ms: float
    after_mib: float
    """Resident after all of it."""
    idle_cpu_percent: float
    idle_bytes_s: float
    """Written to the terminal in a second, when nothing happens."""


class Server:
    """The server in a process of its own, and the moments that it told."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.server"],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        assert self._process.stdout is not None
        self._told = self._process.stdout
        self.port = int(self._told.readline())
        self._moments: dict[str, float] = {}
        self._more = threading.Condition()
        self._reader = threading.Thread(target=self._read, name="server", daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.terminate()
        self._process.wait()
        self._reader.join()

    def ended_at(self, ident: str) -> float:
        """When the last token of this answer was sent, by the monotonic clock; of `id/0` to
        `id/9`, when that tenth of it began, or that word of one of numbered words."""
        with self._more:
            assert self._more.wait_for(lambda: ident in self._moments, _WITHIN_S), ident
            return self._moments[ident]

    def _read(self) -> None:
        for line in self._told:
            ident, moment = line.split()
            with self._more:
                self._moments[ident] = float(moment)
                self._more.notify_all()


def stream(
    program: Program, environ: dict[str, str], folder: Path, server: Server | None
) -> Stream:
    """Start it, let five answers stream, then leave it alone."""
    with Terminal(program.words, environ=environ, folder=folder) as terminal:
        terminal.wait_for(program.loaded)
        sitting = Sitting(terminal)
        sitting.ask("warm", 60, 0)
        answer_s, answer_cpu_s = sitting.ask("short", 2_000, 0)
        paced_s, paced_cpu_s = sitting.ask("paced", 1_000, 100)
        lags_s = sitting.lags(server, 400, 100) if server else None
        typed_s = sitting.type_during("typed", 400, 100)
        long_s, long_cpu_s = sitting.ask("long", 20_000, 0)
        after_mib = resident_mib(terminal.pid)
        idle_cpu_s, idle_bytes = sitting.idle()
    return Stream(
        answer_ms=1000 * answer_s,
        answer_cpu_ms=1000 * answer_cpu_s,
        long_ms=1000 * long_s,
        long_cpu_ms=1000 * long_cpu_s,
        paced_cpu_percent=100 * paced_cpu_s / paced_s,
        lag_p50_ms=1000 * statistics.median(lags_s) if lags_s else None,
        lag_p95_ms=1000 * _p95(lags_s) if lags_s else None,
        typed_p50_ms=1000 * statistics.median(typed_s),
        typed_p95_ms=1000 * _p95(typed_s),
        typed_max_ms=1000 * max(typed_s),
        after_mib=after_mib,
        idle_cpu_percent=100 * idle_cpu_s / IDLE_S,
        idle_bytes_s=idle_bytes / IDLE_S,
    )


class Sitting:
    def __init__(self, terminal: Terminal) -> None:
        self.seen_at = 0.0
        self._terminal = terminal

    def ask(self, ident: str, number: int, rate: int, *, calls: int = 0) -> tuple[float, float]:
        """Seconds, and seconds of the processor, until the whole answer is in sight."""
        terminal = self._terminal
        prompt = f"bench n={number} r={rate} id={ident}" + (f" c={calls}" if calls else "")
        terminal.send(prompt)
        terminal.wait_for(PROMPT + prompt)
        before_s, asked_at = cpu_s(terminal.pid), time.monotonic()
        terminal.press("enter")
        self._wait_for_mark(ident)
        taken = self.seen_at - asked_at, cpu_s(terminal.pid) - before_s
        self.rest()
        return taken

    def lags(self, server: Server, number: int, rate: int) -> list[float]:
        """What each word of an answer waits for its sight, in seconds; one that is seen behind
        a later one was seen with it."""
        terminal, ident = self._terminal, f"{WORDS}{number}"
        read, seen_at = len(terminal.raw), list[float]()
        terminal.send(f"bench n={number + 1} r={rate} id={ident}\r")
        deadline = time.monotonic() + _WITHIN_S
        while len(seen_at) < number:
            assert time.monotonic() < deadline, f"{ident}: its end was not seen"
            raw = terminal.raw
            words = [int(word) for word in _WORD.findall(raw[read:])]
            read = max(read, len(raw) - 8)
            seen_at += [time.monotonic()] * (max(words, default=-1) + 1 - len(seen_at))
            time.sleep(0.001)
        self._wait_for_mark(ident)
        self.rest()
        sent_at = [server.ended_at(f"{ident}/{place}") for place in range(number)]
        return [seen - sent for seen, sent in zip(seen_at, sent_at, strict=True)]

    def type_during(self, ident: str, number: int, rate: int) -> list[float]:
        """What each key waits for its echo, in seconds, while an answer comes."""
        terminal = self._terminal
        terminal.send(f"bench n={number} r={rate} id={ident}")
        terminal.wait_for(f"id={ident}")
        terminal.press("enter")
        terminal.wait_for(lambda rows: PROMPT + "bench" not in "".join(rows))
        waited_s = []
        for count, key in enumerate(KEYS, start=1):
            typed_at = time.monotonic()
            terminal.send(key)
            waited_s.append(terminal.wait_for(PROMPT + KEYS[:count]) - typed_at)
            time.sleep(0.1)
        self._wait_for_mark(ident)
        self.rest()
        terminal.send("\x7f" * len(KEYS))
        self.rest()
        return waited_s

    def idle(self) -> tuple[float, int]:
        """Seconds of the processor, and bytes, of some seconds in which nobody does anything."""
        before_s, before = cpu_s(self._terminal.pid), len(self._terminal.raw)
        time.sleep(IDLE_S)
        return cpu_s(self._terminal.pid) - before_s, len(self._terminal.raw) - before

    def _wait_for_mark(self, ident: str) -> None:
        """The screen model is slow: while much is written, only the bytes are looked at."""
        mark, deadline = mark_of(ident).encode(), time.monotonic() + _WITHIN_S
        while mark not in _ESCAPE.sub(b"", self._terminal.raw[-16_384:]):
            assert time.monotonic() < deadline, f"{ident}: its end was not seen"
            time.sleep(0.002)
        self.seen_at = time.monotonic()

    def rest(self) -> None:
        """Wait until nothing was written for a while; shorter than a cursor takes to blink."""
        seen = -1
        while seen != len(self._terminal.raw):
            seen = len(self._terminal.raw)
            time.sleep(0.3)


def _p95(waited_s: list[float]) -> float:
    return sorted(waited_s)[round(0.95 * (len(waited_s) - 1))]


def cpu_s(pid: int) -> float:
    """Seconds that all threads of a process have had a processor (Linux)."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(each.read_text().split()[0]) for each in threads) / 1e9
