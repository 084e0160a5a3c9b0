"""The cockpit beside a bare Textual app: `python -m tests.bench [--rounds N] [--only start]`.

Quote the ratios: the two programs take turns on the same machine, single times mean little.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import platform
import site
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from tests.bench.measure import Program, Round, measure
from tests.bench.streaming import Server, Stream, stream

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
MEASURES = {
    "start": tuple(field.name for field in fields(Round)),
    "stream": tuple(field.name for field in fields(Stream)),
}
BARS = {
    "paint_ms": 1.3,
    "echo_ms": 1.4,
    "key_ms": 1.15,
    "memory_mib": 2.0,
    "answer_ms": 6.2,
    "long_ms": 2.35,
    "paced_cpu_percent": 1.22,
    "typed_p50_ms": 0.84,
    "typed_p95_ms": 0.58,
}
"""The most that the cockpit may need, over the floor; for the others there is no ratio."""


def main(words: Sequence[str] | None = None) -> None:
    """Measure in turns, print a table, and write JSON where asked to."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", choices=list(MEASURES), help="starts, or streams, alone")
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
            rounds: dict[str, list[Any]] = {"floor": [], "cockpit": []}
            for number in range(chosen.rounds + 1):
                for program in (FLOOR, DEMO) if name == "start" else (FLOOR_LOG, CONFIGURED):
                    if name == "start":
                        taken: Round | Stream = measure(program, environ, project)
                    elif number:
                        its_own = server if program is CONFIGURED else None
                        taken = stream(program, environ, project, its_own)
                    else:
                        continue
                    if number:  # the first start of each only warms the disk up
                        rounds[program.name].append(taken)
            found[name] = summary(rounds, MEASURES[name])
            print(table(found[name]), flush=True)
    if chosen.json is not None:
        chosen.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def compile_all() -> None:
    """Write the bytecode that an installation would have written."""
    sys.dont_write_bytecode = False
    for folder in (*site.getsitepackages(), str(ROOT / "agent_cockpit"), str(ROOT / "tests/bench")):
        compileall.compile_dir(folder, quiet=2)


def summary(rounds: dict[str, list[Any]], measures: Sequence[str]) -> dict[str, Any]:
    """All figures, their medians, and the cockpit's medians over the floor's."""
    medians = {
        name: {each: statistics.median(getattr(r, each) for r in taken) for each in measures}
        for name, taken in rounds.items()
    }
    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "rounds": {name: [asdict(each) for each in taken] for name, taken in rounds.items()},
        "medians": medians,
        "ratios": {
            each: medians["cockpit"][each] / medians["floor"][each]
            for each in measures
            if medians["floor"][each]
        },
    }


def table(found: dict[str, Any]) -> str:
    """Medians, ratios and what they must not pass, one measure a line."""
    count = len(found["rounds"]["cockpit"])
    lines = [
        f"medians of {count} rounds · Python {found['python']} · {found['system']}",
        f"{'':<18}{'floor':>10}{'cockpit':>10}{'ratio':>8}{'bar':>7}",
    ]
    for each, cockpit in found["medians"]["cockpit"].items():
        floor = found["medians"]["floor"][each]
        ratio = f"{found['ratios'][each]:.2f}" if each in found["ratios"] else "-"
        bar = f"{BARS[each]:.2f}" if each in BARS else "-"
        lines.append(f"{each:<18}{floor:>10.1f}{cockpit:>10.1f}{ratio:>8}{bar:>7}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
