"""Start-up of the cockpit beside a bare Textual app: `python -m tests.bench [--rounds N]`.

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

ROOT = Path(__file__).parents[2]
BESIDE = Path(sys.executable).parent
PROGRAMS = (
    Program(
        "floor",
        (sys.executable, str(Path(__file__).with_name("floor_app.py"))),
        painted="ready to type",
        loaded="ready to type",
    ),
    Program(
        "cockpit",
        (str(BESIDE / "agent-cockpit"), "demo"),
        painted="ask, or describe a change",
        loaded="asks first",
    ),
)
MEASURES = tuple(field.name for field in fields(Round))


def main(words: Sequence[str] | None = None) -> None:
    """Measure in turns, print a table, and write JSON where asked to."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there too")
    chosen = parser.parse_args(words)
    compile_all()
    rounds: dict[str, list[Round]] = {program.name: [] for program in PROGRAMS}
    with tempfile.TemporaryDirectory(prefix="agent-cockpit-bench-") as home:
        environ = {"HOME": home, "TMPDIR": home, "LANG": "C.UTF-8", "PATH": os.environ["PATH"]}
        for number in range(chosen.rounds + 1):
            for program in PROGRAMS:
                taken = measure(program, environ, Path(home))
                if number:  # the first start of each only warms the disk up
                    rounds[program.name].append(taken)
    found = summary(rounds)
    print(table(found))
    if chosen.json is not None:
        chosen.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def compile_all() -> None:
    """Write the bytecode that an installation would have written."""
    sys.dont_write_bytecode = False
    for folder in (*site.getsitepackages(), str(ROOT / "agent_cockpit")):
        compileall.compile_dir(folder, quiet=2)


def summary(rounds: dict[str, list[Round]]) -> dict[str, Any]:
    """All figures, their medians, and the cockpit's medians over the floor's."""
    medians = {
        name: {each: statistics.median(getattr(r, each) for r in taken) for each in MEASURES}
        for name, taken in rounds.items()
    }
    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "rounds": {name: [asdict(each) for each in taken] for name, taken in rounds.items()},
        "medians": medians,
        "ratios": {
            each: medians["cockpit"][each] / medians["floor"][each]
            for each in MEASURES
            if medians["floor"][each]
        },
    }


def table(found: dict[str, Any]) -> str:
    """Medians and ratios, one measure a line."""
    count = len(found["rounds"]["cockpit"])
    lines = [
        f"medians of {count} rounds · Python {found['python']} · {found['system']}",
        f"{'':<12}{'floor':>10}{'cockpit':>10}{'ratio':>8}",
    ]
    for each in MEASURES:
        floor, cockpit = (found["medians"][name][each] for name in ("floor", "cockpit"))
        ratio = f"{found['ratios'].get(each, 0):.2f}"
        lines.append(f"{each:<12}{floor:>10.1f}{cockpit:>10.1f}{ratio:>8}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
