"""What a program holds in memory: at its start, after 50 turns, after a long sitting."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.bench.measure import Program, resident_mib
from tests.bench.server import files
from tests.bench.streaming import Sitting
from tests.support.terminal import Terminal

TURNS, TOKENS = 50, 150
GOALS = 21
"""So many goals more that read every file make 10,000 events of the sitting."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Resident, in MiB."""

    start_mib: float
    turns_mib: float
    """After 50 answers of 150 tokens."""
    events_mib: float
    """After 10,000 events; the floor shows as many answers and reads nothing."""


def memory(program: Program, environ: dict[str, str], folder: Path) -> Memory:
    """Start it, and let one goal follow the other."""
    for name in files():
        (folder / name).write_text(f"{name}\n" + "a line to be read\n" * 40, encoding="utf-8")
    with Terminal(program.words, environ=environ, folder=folder) as terminal:
        terminal.wait_for(program.loaded)
        sitting = Sitting(terminal)
        start_mib = resident_mib(terminal.pid)
        for number in range(TURNS):
            sitting.ask(f"turn{number}", TOKENS, 0)
        turns_mib = resident_mib(terminal.pid)
        for number in range(GOALS):
            sitting.ask(f"goal{number}", TOKENS, 0, calls=len(files()))
        return Memory(start_mib, turns_mib, resident_mib(terminal.pid))
