"""The argument of `/boundary`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.rules.consent.boundary_command import ClearBoundary, SetBoundary, parse_boundary


@pytest.mark.parametrize(
    ("argument", "meant"),
    [
        ("calc.py 3-10", SetBoundary("calc.py", 2, 9)),
        ("  calc.py   1-1 ", SetBoundary("calc.py", 0, 0)),
        ("calc.py 7", SetBoundary("calc.py", 6, 6)),
        ("calc.py 3–10", SetBoundary("calc.py", 2, 9)),
        ("calc.py 3:10", SetBoundary("calc.py", 2, 9)),
        ("calc.py 3 - 10", SetBoundary("calc.py", 2, 9)),
        ("my notes 2.md 3-10", SetBoundary("my notes 2.md", 2, 9)),
        ("chapter 2 5", SetBoundary("chapter 2", 4, 4)),
        ("'a b.py' 3-10", SetBoundary("a b.py", 2, 9)),
        ("./clear 3-10", SetBoundary("./clear", 2, 9)),
        ("clear", ClearBoundary(None)),
        (" clear  ", ClearBoundary(None)),
        ("clear calc.py", ClearBoundary("calc.py")),
        ('clear "a b.py"', ClearBoundary("a b.py")),
    ],
)
def test_people_count_lines_from_one(argument: str, meant: SetBoundary | ClearBoundary) -> None:
    assert parse_boundary(argument) == meant


@pytest.mark.parametrize(
    ("argument", "advice"),
    [
        ("", "write /boundary PATH A-B"),
        ("calc.py", "write /boundary PATH A-B"),
        ("3-10", "write /boundary PATH A-B"),
        ("'' 3-10", "write /boundary PATH A-B"),
        ("calc.py a-b", "write /boundary PATH A-B"),
        ("calc.py 3-", "write /boundary PATH A-B"),
        ("calc.py 0-4", "lines count from 1"),
        ("calc.py 9-4", "write the smaller number first"),
        ("calc.py " + "9" * 5000, "write /boundary PATH A-B"),
        ("a" + " " * 200_000 + "b", "write /boundary PATH A-B"),
    ],
)
def test_anything_else_is_answered_with_what_to_write(argument: str, advice: str) -> None:
    with pytest.raises(ValueError, match=advice):
        parse_boundary(argument)


@given(st.integers(1, 10**8), st.integers(0, 10**8))
def test_every_range_is_read_back(start: int, more: int) -> None:
    meant = SetBoundary("a b/c.py", start - 1, start + more - 1)
    assert parse_boundary(f"a b/c.py {start}-{start + more}") == meant
