"""That the bench runs; no test is ever timed. Opt in with AGENT_COCKPIT_BENCH=1."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

from tests.bench.__main__ import MEASURES, main
from tests.bench.answer import answer_tokens, missing_characters
from tests.bench.long_answer import Tenth
from tests.bench.many_turns import journal_of
from tests.bench.measure import Round
from tests.bench.table import Bars, summary, table

SECTION = """\
 ◆ Section 1: how it works                                  ▄

   The parser reads each line once, keeps a small table of
   offsets, and lets later passes seek without scanning the
   buffer again. See the notes (https://example.invalid/1).

   • first, open the file and read the header number 1
   • then, walk the records and check each crc32

    def load_1(path: str, limit: int = 1) -> list[str]:
        \"\"\"Read at most limit lines.\"\"\"
        with open(path, encoding="utf-8") as lines:
            return [line.rstrip("\\n") for _, line in zip(range(limit), lines)]

    field │ type │ note
    ──────┼──────┼────────────────────
    id_1  │ int  │ primary key
    name  │ str  │ up to 1 characters

   ZQEND7ZQ
"""
TOKENS = next(n for n in range(1, 999) if "Section 2" in "".join(answer_tokens(n + 1, "7")))


def test_the_table_gives_medians_and_ratios_to_the_floor() -> None:
    floor = [Round(100, 110, 120, 10, 40), Round(200, 110, 120, 10, 40), Round(300, 1, 1, 1, 1)]
    rounds = [(each, Round(400, 220, 240, 15, 60)) for each in floor]
    bars = Bars(ratios={"paint_ms": 1.3}, most={"memory_mib": 75})
    found = summary(rounds, bars)
    assert found["ratios"]["paint_ms"] == 2
    shown = [" ".join(line.split()) for line in table(found, bars).split("\n")]
    assert "paint_ms 200.0 400.0 2.00 1.30 - !" in shown
    assert "memory_mib 40.0 60.0 1.50 - 75.0" in shown


def test_a_figure_of_one_column_is_compared_with_nothing() -> None:
    bars = Bars(("first", "last"), most={"missing_characters": 0})
    shown = table(summary([(Tenth(1), Tenth(2, 1, 3))], bars), bars).split("\n")
    assert " ".join(shown[-1].split()) == "missing_characters - 3.0 - - 0.0 !"


def test_a_character_that_is_not_on_the_screen_is_missed() -> None:
    assert missing_characters(SECTION.split("\n"), TOKENS, "7") == 0
    worse = SECTION.replace("crc32", "crc3").split("\n")
    assert missing_characters(worse, TOKENS, "7") > 0
    assert missing_characters([], TOKENS, "7") > 400


def test_a_recorded_turn_becomes_a_sitting_of_many() -> None:
    events = [
        {"type": "sitting.started", "event_id": 1, "task_id": None},
        {"type": "sitting.execution_changed", "event_id": 2, "task_id": None},
        {"type": "agent_start", "event_id": 3, "task_id": "a", "goal": "id=turn0"},
    ]
    made = [json.loads(line) for line in journal_of([json.dumps(each) for each in events], 3)]
    assert [event["event_id"] for event in made] == [1, 2, 3, 4, 5, 6, 7]
    assert [event["goal"] for event in made if "goal" in event] == [
        "id=turn0",
        "id=turn1",
        "id=turn2",
    ]
    assert len({event["task_id"] for event in made}) == 4


@pytest.mark.skipif("AGENT_COCKPIT_BENCH" not in os.environ, reason="set AGENT_COCKPIT_BENCH=1")
@pytest.mark.timeout(900)
def test_one_round_gives_every_figure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--rounds", "1", "--json", str(tmp_path / "bench.json")])
    found = json.loads((tmp_path / "bench.json").read_text())
    assert found.keys() == MEASURES.keys()
    for name, measured in MEASURES.items():
        figures = found[name]["medians"][measured.bars.columns[1]]
        assert {*measured.bars.ratios, *measured.bars.most} <= figures.keys()
    assert "cockpit" in capsys.readouterr().out
