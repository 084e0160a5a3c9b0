"""Whether an answer says what it rests on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.rules.citations import cites

SEEN = (
    "lib/pkg/calc.py",
    "README.md",
    "src",
    "./Makefile",
    "git log --oneline",
    "tests\\test_a.py",
)


@pytest.mark.parametrize(
    "answer",
    [
        "See lib/pkg/calc.py.",
        "`lib/pkg/calc.py` adds",
        "(./lib/pkg/calc.py)",
        "in /home/me/proj/lib/pkg/calc.py:3",
        "lib\\pkg\\calc.py does",
        "README.md says so",
        "calc.py:12 subtracts",
        "calc.py:L12",
        "`calc.py`, line 12",
        "calc.py (lines 3-9)",
        "calc.py#L12-L14",
        "pkg/calc.py:12",
        "line 12 of calc.py",
        "Lines 3 - 5 in `calc.py` do",
        "the folder `src`",
        "everything in src/ is old",
        "`Makefile` has it",
        "Makefile:3",
        "`git log --oneline` shows two",
        "tests/test_a.py fails",
    ],
)
def test_an_answer_that_names_what_was_seen_is_grounded(answer: str) -> None:
    assert cites(answer, SEEN)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "Hello! How can I help?",
        "It adds two numbers.",
        "calc.py adds",
        "my_calc.py:12",
        "lib/pkg/calc.pyx",
        "lib/pkg/calc.py.bak",
        "old-lib/pkg/calc.py",
        "calc.py has 12 lines",
        "the src of all evil",
        "a Makefile would help",
        "git log",
        "line 12 of other.py",
    ],
)
def test_an_answer_that_names_nothing_of_it_is_not(answer: str) -> None:
    assert not cites(answer, SEEN)


def test_nothing_inspected_grounds_nothing() -> None:
    assert not cites("See lib/pkg/calc.py:3.", ())
    assert not cites("See . and .. and /.", ("", ".", "./", "..", "/", "  "))


def test_a_search_hit_counts_by_its_path() -> None:
    assert cites("lib/pkg/calc.py is it", ["lib/pkg/calc.py:12"])
    assert cites("lib/pkg/calc.py is it", ["lib/pkg/calc.py:12:4"])


@given(st.text(max_size=200), st.lists(st.text(max_size=20), max_size=5))
def test_any_text_is_judged(answer: str, inspected: list[str]) -> None:
    assert cites(answer, inspected) in {True, False}


def test_many_places_and_many_files_are_judged_at_once() -> None:
    answer = "src calc.py " * 5_000
    assert not cites(answer, [f"lib/pkg{number}/calc.py" for number in range(200)])
