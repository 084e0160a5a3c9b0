"""One start of a program in a real terminal, and how long a person waits in it.

All times begin when the program itself begins, not the pseudo-terminal around it.
"""

from __future__ import annotations

import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.terminal import Terminal

PROMPT = "› "
KEYS = "abcdefghijklmnopqrst"


@dataclass(frozen=True, slots=True)
class Program:
    """What to start, what its first picture says, what it says when all is loaded."""

    name: str
    words: tuple[str, ...]
    painted: str
    loaded: str


@dataclass(frozen=True, slots=True)
class Round:
    """One start."""

    paint_ms: float
    """To the first picture."""
    echo_ms: float
    """To the sight of a key that was typed at once."""
    loaded_ms: float
    """To all that it loads behind the first picture."""
    key_ms: float
    """From a key to its sight, in the middle of `KEYS`, when all is loaded."""
    memory_mib: float
    """Resident then."""


def measure(program: Program, environ: dict[str, str], folder: Path) -> Round:
    """Start it twice: once to be looked at, once with a key typed at once."""
    with _begun(program, environ, folder) as terminal:
        paint = terminal.wait_for(program.painted)
        loaded = terminal.wait_for(program.loaded)
        keys_s = []
        for count, key in enumerate(KEYS, start=1):
            typed_at = time.monotonic()
            terminal.send(key)
            keys_s.append(terminal.wait_for(PROMPT + KEYS[:count]) - typed_at)
        memory_mib = resident_mib(terminal.pid)
        began = terminal.began_at
    with _begun(program, environ, folder) as terminal:
        terminal.send("x")
        echo_s = terminal.wait_for(PROMPT + "x") - terminal.began_at
    return Round(
        paint_ms=1000 * (paint - began),
        echo_ms=1000 * echo_s,
        loaded_ms=1000 * (loaded - began),
        key_ms=1000 * statistics.median(keys_s),
        memory_mib=memory_mib,
    )


@contextmanager
def _begun(program: Program, environ: dict[str, str], folder: Path) -> Iterator[Terminal]:
    """A start at a home of its own: one that was ended before left its draft in the other."""
    with (
        tempfile.TemporaryDirectory(prefix="agent-cockpit-bench-home-") as home,
        Terminal(program.words, environ={**environ, "HOME": home}, folder=folder) as terminal,
    ):
        yield terminal


def resident_mib(pid: int) -> float:
    """Resident memory of a process, as `ps` tells it."""
    told = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True
    )
    return int(told.stdout) / 1024
