"""A sitting of many turns beside one of few: what a person does in it must cost the same."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from tests.bench.answer import mark_of
from tests.bench.measure import KEYS, PROMPT, Program, resident_mib
from tests.bench.streaming import IDLE_S, Sitting, cpu_s
from tests.support.terminal import Terminal

FEW, MANY = 50, 5_000
TOKENS, TIMES = 150, 7
FRAME_S = 1 / 60
ROWS, WIDE, NARROW = 40, 120, 100
_FIRST = "turn0"


@dataclass(frozen=True, slots=True)
class Turns:
    """One sitting that was taken up again from its journal."""

    open_ms: float
    """From the start of the program to the sight of the last answer."""
    append_ms: float
    """One more answer, from Enter to the sight of its end."""
    append_cpu_ms: float
    key_ms: float
    """From a key to its sight."""
    page_ms: float
    """From `page up` to another page."""
    find_ms: float
    """From the last letter of a word that stands in the newest turn to the sight of it."""
    find_all_ms: float
    """To the sight of how often it stands in the whole transcript."""
    resize_ms: float
    """From another width of the window to a page of that width."""
    resize_cpu_ms: float
    memory_mib: float
    idle_cpu_percent: float
    idle_bytes_s: float


def few_and_many(program: Program, environ: dict[str, str], folder: Path) -> tuple[Turns, Turns]:
    """Record one turn, make journals of it, and take each of them up again."""
    with Terminal(program.words, environ=environ, folder=folder) as terminal:
        terminal.wait_for(program.loaded)
        Sitting(terminal).ask(_FIRST, TOKENS, 0)
    journals = Path(environ["HOME"]).glob(".local/state/agent-cockpit/journals/*.jsonl")
    recorded = max(journals, key=lambda path: path.stat().st_mtime_ns)
    lines = recorded.read_text(encoding="utf-8").splitlines()
    few, many = (_measure(program, environ, folder, lines, turns) for turns in (FEW, MANY))
    return few, many


def journal_of(lines: list[str], turns: int) -> Iterator[str]:
    """The lines of a sitting of one turn, as if there had been so many such turns."""
    head = next(at for at, line in enumerate(lines) if '"sitting.execution_changed"' in line)
    session_id = uuid4().hex
    for turn in range(turns):
        task_id, more = uuid4().hex, turn * (len(lines) - head)
        for line in lines if turn == 0 else lines[head:]:
            event = json.loads(line.replace(_FIRST, f"turn{turn}"))
            event["session_id"] = session_id
            event["task_id"] = event["task_id"] and task_id
            for name in ("event_id", "first_id", "last_id"):
                if name in event:
                    event[name] += more
            yield json.dumps(event)


def _measure(
    program: Program, environ: dict[str, str], folder: Path, lines: list[str], turns: int
) -> Turns:
    journal = Path(environ["HOME"], f"{uuid4().hex}.jsonl")
    journal.write_text("\n".join(journal_of(lines, turns)) + "\n", encoding="utf-8")
    last = mark_of(f"turn{turns - 1}")
    words = (*program.words, "--resume", str(journal))
    with Terminal(words, environ=environ, folder=folder, rows=ROWS, columns=WIDE) as terminal:
        opened_at = terminal.wait_for(last, within_s=120)
        open_s = opened_at - terminal.began_at
        sitting = Sitting(terminal)
        sitting.rest()
        appends = [sitting.ask(f"more{number}", TOKENS, 0) for number in range(TIMES)]
        idle_cpu_s, idle_bytes = sitting.idle()
        memory_mib = resident_mib(terminal.pid)
        keys_s = _keys(terminal)
        finds_s = [_find(terminal, number) for number in range(TIMES)]
        pages_s = [_page_up(terminal) for _ in range(TIMES)]
        resizes_s, before_s = [], cpu_s(terminal.pid)
        for number in range(TIMES):
            resizes_s.append(_resize(terminal, sitting, number))
        resize_cpu_s = (cpu_s(terminal.pid) - before_s) / TIMES
    journal.unlink()
    return Turns(
        open_ms=1000 * open_s,
        append_ms=1000 * statistics.median(seconds for seconds, _ in appends),
        append_cpu_ms=1000 * statistics.median(seconds for _, seconds in appends),
        key_ms=1000 * statistics.median(keys_s),
        page_ms=1000 * statistics.median(pages_s),
        find_ms=1000 * statistics.median(first for first, _ in finds_s),
        find_all_ms=1000 * statistics.median(whole for _, whole in finds_s),
        resize_ms=1000 * statistics.median(resizes_s),
        resize_cpu_ms=1000 * resize_cpu_s,
        memory_mib=memory_mib,
        idle_cpu_percent=100 * idle_cpu_s / IDLE_S,
        idle_bytes_s=idle_bytes / IDLE_S,
    )


def _keys(terminal: Terminal) -> list[float]:
    waited_s = []
    for count, key in enumerate(KEYS, start=1):
        typed_at = time.monotonic()
        terminal.send(key)
        waited_s.append(terminal.wait_for(PROMPT + KEYS[:count]) - typed_at)
    terminal.send("\x7f" * len(KEYS))
    terminal.wait_for(lambda rows: not any(PROMPT + KEYS[:2] in row for row in rows))
    return waited_s


def _find(terminal: Terminal, number: int) -> tuple[float, float]:
    """Until the first place, and until all of the transcript was looked through.

    The screen is drawn by a clock of its own, so the letter comes at another place between two
    of its beats each time: right behind the picture before, it would wait as long every time.
    """
    terminal.press("ctrl+f")
    terminal.wait_for("alt+r")
    terminal.send("ZQENDmore")
    terminal.wait_for(f" of {TIMES} ·")
    time.sleep(0.1 + number * FRAME_S / TIMES)
    typed_at = time.monotonic()
    terminal.send(str(TIMES - 1))
    first_at = terminal.wait_for(
        lambda rows: any("1 of 1 ·" in row or "1 of 1…" in row for row in rows)
    )
    all_at = terminal.wait_for("1 of 1 ·")
    terminal.press("escape")
    terminal.wait_for(lambda rows: not any("alt+r" in row for row in rows))
    return first_at - typed_at, all_at - typed_at


def _page_up(terminal: Terminal) -> float:
    before = terminal.screen()[0]
    pressed_at = time.monotonic()
    terminal.press("pageup")
    return terminal.wait_for(lambda rows: rows[0] != before) - pressed_at


def _resize(terminal: Terminal, sitting: Sitting, number: int) -> float:
    columns = WIDE if number % 2 else NARROW
    resized_at = time.monotonic()
    terminal.resize(ROWS, columns)
    seen_at = terminal.wait_for(lambda rows: _fills(rows, columns))
    sitting.rest()
    return seen_at - resized_at


def _fills(rows: list[str], columns: int) -> bool:
    """Whether the transcript and the line at the bottom reach to the right edge."""
    ends = [len(row.rstrip()) for row in rows if row.rstrip().endswith((" 1 turn", " keys"))]
    return len(ends) > 1 and all(columns - 4 < end <= columns for end in ends)
