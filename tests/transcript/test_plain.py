"""A sitting as plain lines."""

from __future__ import annotations

import pytest

from agent_cockpit.events import harness as h
from agent_cockpit.events.plans import PlanStepState
from agent_cockpit.transcript.blocks import (
    AnswerBlock,
    Block,
    CallBlock,
    Check,
    NoticeBlock,
    OutcomeBlock,
    PlanBlock,
    PromptBlock,
    QuestionBlock,
    ThoughtBlock,
    VerdictBlock,
)
from agent_cockpit.transcript.figures import Figures
from agent_cockpit.transcript.fold import Transcript
from agent_cockpit.transcript.plain import plain_lines, step_words
from tests.transcript.stories import failing_check, fixed_test


def test_a_goal_reads_from_prompt_to_verdict() -> None:
    lines = [line for block in Transcript.of(fixed_test()).blocks for line in plain_lines(block)]
    assert lines == [
        "> Fix the failing test",
        "~ The test fails with a wrong mean, so the divisor is suspect.",
        "I'll look at the test and at what it calls.",
        "* read calc.py  2 lines · 4 ms",
        '* search "average("  3 hits · 11 ms',
        "* edit calc.py  +1 -1 · 6 ms · allowed once by you",
        "    diff --git a/calc.py b/calc.py",
        "    --- a/calc.py",
        "    +++ b/calc.py",
        "    @@ -2,4 +2,4 @@ def average(numbers):",
        "         total = 0",
        "         for n in numbers:",
        "             total += n",
        "    -    return total / (len(numbers) - 1)",
        "    +    return total / len(numbers)",
        "* test  python -m unittest · Ran 1 test in 0.001s · OK · exit 0 · 312 ms",
        "`average` divided by one too few; it divides by the count now.",
        "verified  (1 file · 4 turns · 2.1k tokens)",
        "    pass  python -m unittest · exit 0 · 298 ms",
    ]


def test_a_failure_shows_the_end_of_its_output() -> None:
    output = "\n".join(f"line {number}" for number in range(40))
    call = CallBlock(
        key=0,
        call_id="c",
        tool="run_command",
        input={"command": "make"},
        state="failed",
        output=output,
        exit_code=2,
    )
    lines = plain_lines(call)
    assert lines[0] == "* run make  failed · 40 lines · exit 2"
    assert (lines[1], lines[-1]) == ("    line 28", "    line 39")


def test_a_rejection_shows_the_evidence() -> None:
    (verdict,) = Transcript.of(
        [h.VerificationEnd(passed=False, summary="tests fail", checks=[failing_check()])]
    ).blocks
    assert plain_lines(verdict) == [
        "not verified: tests fail",
        "    fail  python -m unittest · exit 1 · 301 ms",
        "      FAIL: test_mean (test_calc.TestMean)",
        "      AssertionError: 3.0 != 2.0",
    ]


@pytest.mark.parametrize(
    ("block", "lines"),
    [
        (PromptBlock(key=0, text="a\nb"), ["> a", "  b"]),
        (
            AnswerBlock(key=0, text="lost", is_void=True),
            ["- 4 characters of an unfinished reply, void"],
        ),
        (ThoughtBlock(key=0, text="hm", is_void=True), []),
        (NoticeBlock(key=0, text="mind", level="warning"), ["! mind"]),
        (QuestionBlock(key=0, text="Which?"), ["? Which?"]),
        (
            PlanBlock(key=0, text="1. do", version=2, decision="revised", note="lint"),
            ["plan, version 2 · to be revised: lint", "    1. do"],
        ),
        (
            OutcomeBlock(key=0, outcome="incomplete", text="stopped", figures=Figures(turns=2)),
            ["! incomplete: stopped  (2 turns)"],
        ),
        (VerdictBlock(key=0, is_open=True), ["verifying"]),
        (VerdictBlock(key=0), ["verification interrupted"]),
    ],
)
def test_every_kind_has_its_words(block: Block, lines: list[str]) -> None:
    assert plain_lines(block) == lines


def test_a_step_of_a_plan_is_one_clean_line() -> None:
    step = PlanStepState(number=1, text="do\nit\x1b[2J", state="done", why="run \u202ex\x07")
    assert step_words(step) == "[x] 1. do it · run x"


def test_a_proof_that_says_little_says_so() -> None:
    little = "nothing more is known than that the changed files parse"
    check = Check(name="parse", state="pass", command="python -m py_compile a.py")
    verdict = VerdictBlock(key=0, passed=True, summary=little, checks=(check,))
    assert plain_lines(verdict)[0] == f"verified, but {little}"
    verdict = VerdictBlock(key=0, passed=True, summary="verification passed", checks=(check,))
    assert plain_lines(verdict)[0] == "verified"


@pytest.mark.parametrize(
    ("summary", "line"),
    [
        ("", "answered: no command to check it by"),
        ("ungrounded", "answered: it cites no file that was read for it"),
    ],
)
def test_what_no_command_decided_about_is_not_called_verified(summary: str, line: str) -> None:
    check = Check(name="answer_present", state="pass")
    verdict = VerdictBlock(key=0, passed=True, summary=summary, checks=(check,))
    assert plain_lines(verdict) == [line]
