"""The cockpit beside a bare Textual app: `python -m tests.bench [--rounds N] [--only start]`.

Quote the ratios: what is compared takes turns on the same machine, single times mean little.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import site
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.long_answer import long_answer
from tests.bench.many_turns import few_and_many
from tests.bench.measure import Program, measure
from tests.bench.memory import memory
from tests.bench.streaming import Server, stream
from tests.bench.table import Bars, summary, table

ROOT = Path(__file__).parents[2]
COCKPIT = str(Path(sys.executable).parent / "agent-cockpit")
FLOOR = Program(
    "floor",
    (sys.executable, "-m", "tests.bench.floor_app"),
    painted="ready to type",
    loaded="ready to type",
)
FLOOR_LOG = Program("floor", (*FLOOR.words, "log"), painted=FLOOR.painted, loaded=FLOOR.loaded)
DEMO = Program(
    "cockpit", (COCKPIT, "demo"), painted="ask, or describe a change", loaded="asks first"
)
CONFIGURED = Program("cockpit", (COCKPIT,), painted=DEMO.painted, loaded=DEMO.loaded)
IDLE = {"idle_cpu_percent": 0.2, "idle_bytes_s": 0.0}


@dataclass(frozen=True, slots=True)
class Measured:
    """A set of figures, how one round of it is taken, and what it must not pass."""

    take: Callable[[dict[str, str], Path, Server], tuple[Any, Any]]
    bars: Bars
    most_rounds: int = 99
    """Where a round takes long and its figures hardly differ, more say no more."""
    warms_up: bool = False
    """Whether the first round only warms the disk up."""


MEASURES = {
    "start": Measured(
        lambda environ, folder, _: (
            measure(FLOOR, environ, folder),
            measure(DEMO, environ, folder),
        ),
        Bars(
            ratios={"paint_ms": 1.3, "echo_ms": 1.4, "key_ms": 1.15},
            most={"memory_mib": 75},
        ),
        warms_up=True,
    ),
    "stream": Measured(
        lambda environ, folder, server: (
            stream(FLOOR_LOG, environ, folder, None),
            stream(CONFIGURED, environ, folder, server),
        ),
        Bars(
            ratios={
                "answer_ms": 6.2,
                "long_ms": 2.35,
                "paced_cpu_percent": 1.22,
            },
            most={
                "answer_ms": 1_000,
                "long_ms": 4_000,
                "paced_cpu_percent": 22,
                "lag_p50_ms": 50,
                "lag_p95_ms": 50,
                "typed_p50_ms": 10,
                "typed_p95_ms": 25,
                "typed_max_ms": 50,
                **IDLE,
            },
        ),
    ),
    "answer": Measured(
        lambda environ, folder, server: long_answer(CONFIGURED, environ, folder, server),
        Bars(("first tenth", "last tenth"), {"cpu_ms": 1.1}, {"missing_characters": 0}),
        most_rounds=3,
    ),
    "memory": Measured(
        lambda environ, folder, _: (
            memory(FLOOR_LOG, environ, folder),
            memory(CONFIGURED, environ, folder),
        ),
        Bars(most={"start_mib": 75, "turns_mib": 90, "events_mib": 200}),
        most_rounds=1,
    ),
    "turns": Measured(
        lambda environ, folder, _: few_and_many(CONFIGURED, environ, folder),
        Bars(
            ("50 turns", "5,000 turns"),
            dict.fromkeys(
                ("append_ms", "append_cpu_ms", "key_ms", "page_ms", "find_ms", "resize_ms"), 1.5
            ),
            {"resize_ms": 100, **IDLE},
        ),
        most_rounds=1,
    ),
}


def main(words: Sequence[str] | None = None) -> None:
    """Measure in turns, print a table, and write JSON where asked to."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", choices=list(MEASURES), help="one set of figures alone")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there too")
    chosen = parser.parse_args(words)
    compile_all()
    sys.setswitchinterval(0.0002)  # what is written is stamped beside a busy screen model
    found = {}
    with tempfile.TemporaryDirectory(prefix="agent-cockpit-bench-") as home, Server() as server:
        project = Path(home, "project")
        project.mkdir()
        environ = {
            "HOME": home,
            "TMPDIR": home,
            "LANG": "C.UTF-8",
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "OPENAI_API_KEY": "none",
            "AGENT_COCKPIT_PROVIDER": "openai",
            "AGENT_COCKPIT_MODEL": "bench",
            "AGENT_COCKPIT_BASE_URL": f"http://127.0.0.1:{server.port}/v1",
        }
        for name in MEASURES if chosen.only is None else [chosen.only]:
            measured = MEASURES[name]
            if measured.warms_up:
                measured.take(environ, project, server)
            rounds = [
                measured.take(environ, project, server)
                for _ in range(min(chosen.rounds, measured.most_rounds))
            ]
            found[name] = summary(rounds, measured.bars)
            print(f"\n{name}: {table(found[name], measured.bars)}", flush=True)
    if chosen.json is not None:
        chosen.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def compile_all() -> None:
    """Write the bytecode that an installation would have written."""
    sys.dont_write_bytecode = False
    for folder in (*site.getsitepackages(), str(ROOT / "agent_cockpit"), str(ROOT / "tests/bench")):
        compileall.compile_dir(folder, quiet=2)


if __name__ == "__main__":
    main()
