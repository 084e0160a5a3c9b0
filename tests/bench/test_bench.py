"""That the bench runs; no test is ever timed. Opt in with AGENT_COCKPIT_BENCH=1."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

from tests.bench.__main__ import MEASURES, main, summary, table
from tests.bench.measure import Round


def test_the_table_gives_medians_and_ratios_to_the_floor() -> None:
    floor = [Round(100, 110, 120, 10, 40), Round(200, 110, 120, 10, 40), Round(300, 1, 1, 1, 1)]
    cockpit = [Round(400, 220, 240, 15, 60)] * 3
    found = summary({"floor": floor, "cockpit": cockpit}, MEASURES["start"])
    assert found["ratios"]["paint_ms"] == 2
    assert "paint_ms               200.0     400.0    2.00   1.30" in table(found)


@pytest.mark.skipif("AGENT_COCKPIT_BENCH" not in os.environ, reason="set AGENT_COCKPIT_BENCH=1")
@pytest.mark.timeout(300)
def test_one_round_gives_every_figure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--rounds", "1", "--json", str(tmp_path / "bench.json")])
    found = json.loads((tmp_path / "bench.json").read_text())
    assert found.keys() == MEASURES.keys()
    for name, measures in MEASURES.items():
        assert list(found[name]["medians"]["cockpit"]) == list(measures)
    assert "cockpit" in capsys.readouterr().out
