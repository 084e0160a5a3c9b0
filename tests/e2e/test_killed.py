"""A cockpit that is killed without a word, and the next one that goes on where it was."""

from __future__ import annotations

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

import json
import os
import signal
from pathlib import Path

from tests.e2e.cockpit import FIX, Cockpit, composer
from tests.e2e.installed import run
from tests.support.waiting import wait_until

pytestmark = pytest.mark.e2e

DEMO = ("--provider", "demo")
EDIT = "change calc.py?"


def test_kill_nine_while_a_call_waits_and_enter_goes_on(
    project: Path, environ: dict[str, str]
) -> None:
    with Cockpit(DEMO, environ, folder=project) as cockpit:
        cockpit.opened()
        cockpit.prompt(FIX)
        cockpit.asked(EDIT)
        cockpit.send("use tabs\r")
        before = cockpit.rows_when("joins after this step")[:8]
        refused = run(["run", "x", "--continue", *DEMO], project, environ)
        assert refused.code == 2
        assert f"another running cockpit (process {cockpit.pid})" in refused.err
        os.kill(cockpit.pid, signal.SIGKILL)
        assert cockpit.wait_for_end() == -signal.SIGKILL

    listed = json.loads(run(["sessions", "--json"], project, environ).out)
    assert [(each["prompt"], each["outcome"]) for each in listed] == [(FIX, "interrupted")]

    with Cockpit(["--continue", *DEMO], environ, folder=project) as cockpit:
        cockpit.says(
            FIX,
            "waited for your answer; it did not run and nothing was decided",
            "interrupted",
            "taken up again",
        )
        cockpit.wait_for(lambda rows: rows[:8] == before)
        cockpit.wait_for(lambda rows: composer(rows) == "use tabs")
        assert "len(numbers) - 1" in (project / "calc.py").read_text()
        cockpit.press("ctrl+a", "ctrl+k")
        cockpit.wait_for(lambda rows: "enter goes on" in composer(rows))
        cockpit.press("enter")
        cockpit.answer("y", EDIT)
        cockpit.says("len(numbers) - 1", "allowed once by you")
        cockpit.wait_for(lambda _: "len(numbers) - 1" not in (project / "calc.py").read_text())
    (journal,) = (Path(each["journal"]) for each in listed)
    events = [json.loads(line) for line in journal.read_text().splitlines()]
    ids = [event["event_id"] for event in events]
    assert ids == sorted(ids)
    whole = [event["event_id"] for event in events if event["type"] != "sitting.streamed_text"]
    assert len(whole) == len(set(whole))
    assert sum(event["type"] == "sitting.started" for event in events) == 1


def test_a_draft_of_a_demo_that_was_killed_is_back_in_the_next_one(
    environ: dict[str, str],
) -> None:
    with Cockpit(["demo"], environ) as cockpit:
        cockpit.opened()
        cockpit.send("half a thought")
        home = Path(environ["HOME"])
        wait_until(lambda: any("half a thought" in each.read_text() for each in _drafts(home)))
        os.kill(cockpit.pid, signal.SIGKILL)
        assert cockpit.wait_for_end() == -signal.SIGKILL
    with Cockpit(["demo"], environ) as cockpit:
        cockpit.wait_for(lambda rows: composer(rows) == "half a thought")


def _drafts(home: Path) -> list[Path]:
    return list(home.rglob("prompts/*/draft-*.json"))
