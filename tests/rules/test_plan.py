"""The steps of a plan, in whatever shape it comes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.rules.plan import PlanStep, plan_steps

NUMBERED = """# Plan

I looked at calc.py.

1. **Fix** `add` so that
   it adds
   - not subtracts
   - ever

   With care.
2. Run the tests
"""


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        (NUMBERED, ["Fix `add` so that it adds", "Run the tests"]),
        ("1) a\n1) b\n1) c", ["a", "b", "c"]),
        ("  1. a\n  2. b\n     1. nested\n", ["a", "b"]),
        ("1. a\n\n2. b\n\nThat is all.", ["a", "b"]),
        ("## Step 1: Look\n\nWhy.\n\n## Step 2 - Fix\n\n- how", ["Look", "Fix"]),
        ("### 1. Look\n### 2. Fix", ["Look", "Fix"]),
        ("**1. Look**\n**2.** Fix", ["Look", "Fix"]),
        ("Step 1: look\nStep 2: fix", ["look", "fix"]),
        ("- a\n- b\n    - nested\n* c\n• d", ["a", "b", "c", "d"]),
        ("- [ ] a\n- [x] b", ["a", "b"]),
        ("Intro:\n- aside\n\n1. a\n2. b", ["a", "b"]),
        (
            "First look at it.\nClosely.\n\nThen fix it.",
            ["First look at it. Closely.", "Then fix it."],
        ),
        ("# Only a heading\n---\nDo it", ["Do it"]),
        ("```\n1. code\n```\n1. a", ["a"]),
        ("1. a\n~~~\n2. code\n~~~\n2. b", ["a", "b"]),
        ("```\nnever closed\n1. a", []),
        ("\t1. a\n\t2. b", ["a", "b"]),
        ("1. a\r\n2. b\r\n", ["a", "b"]),
        ("1.\n2.", ["1. 2."]),
        ("3.14 is a number", ["3.14 is a number"]),
        ("1. \x1b[31mred\x1b[0m\u202e", ["red"]),
        ("", []),
        ("  \n\n ", []),
        ("---", []),
    ],
)
def test_steps_are_found(text: str, steps: list[str]) -> None:
    assert plan_steps(text) == tuple(PlanStep(n, step) for n, step in enumerate(steps, start=1))


@given(
    st.text()
    | st.lists(st.sampled_from(["1. ", "- ", "```", "\n", "\n\n", "a", "# ", "  ", "**"])).map(
        "".join
    )
)
def test_any_plan_has_numbered_steps_of_one_safe_line(text: str) -> None:
    steps = plan_steps(text)
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    for step in steps:
        assert step.text
        assert "\n" not in step.text
        assert "\x1b" not in step.text


def test_a_huge_plan_is_read_at_once() -> None:
    assert len(plan_steps("1. a\n" * 20_000)) == 20_000
    assert len(plan_steps(" " * 500_000 + "x")) == 1
