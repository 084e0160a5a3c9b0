"""A plan in plain lines: noted, changed, compared and decided by number."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.plain.paper import sit
from tests.support.goals import Folder, writes
from tests.support.scripted_provider import says

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes on an event loop")

PLAN = "1. Write good into a.txt\n2. Look at it"


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_notes_on_lines_go_to_the_model_with_the_next_version(folder: Folder) -> None:
    repl = folder.sitting(says(PLAN), says("1. Write good into a.txt"), recorded=True)
    told = sit(
        repl,
        [
            "/plan",
            ("mode set to plan", "make a.txt good"),
            ("4  a note on one of its lines", "4"),
            ("its line and your note", "9 no"),
            ("begins with the number of a line, 1 to 2", "4"),
            ("its line and your note", "2 run the check instead"),
            ("noted on line 2, 2. Look at it", "6"),
            (" 2  2. Look at it", None),
            ("your note: run the check instead", None),
            ("answer 1-7:", "3"),
            ("what should be different", ""),
            ("? plan · version 2", None),
            ("6  tell what changed", "6"),
            ("- 2. Look at it", None),
            ("answer 1-", "8"),
        ],
    )
    asked = str(folder.provider.requests[-1].messages)
    assert "On line 2" in asked
    assert "run the check instead" in asked
    assert "left as it is" in told
    assert folder.text() == "bad\n"


def test_a_plan_that_was_changed_by_hand_is_told_and_built_as_it_stands(folder: Folder) -> None:
    repl = folder.sitting(says(PLAN), writes(), says("done"))
    told = sit(
        repl,
        [
            "/plan",
            ("mode set to plan", "make a.txt good"),
            ("5  change its text yourself", "5"),
            ("the new plan, line by line", "1. Write good, and no more"),
            ("line 2:", "."),
            ("changed by you", None),
            ("    1. Write good, and no more", None),
            ("answer 1-", "1"),
        ],
    )
    assert folder.text() == "good\n"
    assert "Write good, and no more" in str(folder.provider.requests[-1].messages)
    assert "approved, changed by you" in told


@pytest.mark.parametrize("note", ["", "   "])
def test_a_revision_that_asks_for_nothing_is_none(folder: Folder, note: str) -> None:
    repl = folder.sitting(says(PLAN))
    told = sit(
        repl,
        [
            "/plan",
            ("mode set to plan", "make a.txt good"),
            ("3  another version", "3"),
            ("what should be different", note),
            ("nothing is to be different", None),
            ("answer 1-", "leave"),
            ("leave is no answer here", None),
        ],
    )
    assert len(folder.provider.requests) == 1
    assert "left as it is" in told
