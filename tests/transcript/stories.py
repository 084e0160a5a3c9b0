"""Whole sittings as event lists, the way that the engine publishes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import groupby

from agent_cockpit.events import harness as h
from agent_cockpit.events import sitting as s
from agent_cockpit.events.base import Event
from agent_cockpit.events.checks import CheckResult, PlannedCheck
from agent_cockpit.events.harness import HARNESS_EVENT_TYPES
from agent_cockpit.events.messages import Message, ReasoningBlock, TextBlock, ToolUseBlock

START = datetime(2026, 3, 2, 9, 41, tzinfo=UTC)

EDIT_DIFF = """\
diff --git a/calc.py b/calc.py
--- a/calc.py
+++ b/calc.py
@@ -2,4 +2,4 @@ def average(numbers):
     total = 0
     for n in numbers:
         total += n
-    return total / (len(numbers) - 1)
+    return total / len(numbers)
"""


def stamped(events: Iterable[Event], *, step_ms: int = 250) -> list[Event]:
    """The events with ids from 1 and times that move on evenly."""
    return [
        event.model_copy(
            update={
                "event_id": number,
                "session_id": "sitting",
                "ts": START + timedelta(milliseconds=step_ms * (number - 1)),
            }
        )
        for number, event in enumerate(events, start=1)
    ]


def pieces(text: str, *, kind: str = "answer", size: int = 7) -> Iterator[Event]:
    """`text` as the deltas of a streaming model."""
    for at in range(0, len(text), size):
        yield h.ModelUpdate(delta=text[at : at + size], kind=kind)  # type: ignore[arg-type]


def assistant(*blocks: ReasoningBlock | TextBlock | ToolUseBlock) -> Event:
    """The model's whole message."""
    return s.SittingMessage(message=Message(role="assistant", blocks=blocks))


def fixed_test() -> list[Event]:
    """A failing test gets fixed: reads, an edit that is allowed once, a test run, a verdict."""
    look = "I'll look at the test and at what it calls."
    done = "`average` divided by one too few; it divides by the count now."
    thought = "The test fails with a wrong mean, so the divisor is suspect."
    read = {"path": "calc.py"}
    search = {"query": "average("}
    edit = {"path": "calc.py", "old_string": "(len(numbers) - 1)", "new_string": "len(numbers)"}
    return stamped(
        [
            s.SittingStarted(provider="demo", model="demo", workspace="sample"),
            s.SittingMessage(message=Message.of("user", "Fix the failing test")),
            s.ExecutionChanged(phase="running", mode="exec"),
            h.AgentStart(goal="Fix the failing test", task_kind="edit", mode_source="heuristic"),
            h.TurnStart(iteration=1),
            *pieces(thought, kind="thought"),
            *pieces(look),
            h.ModelUsage(prompt_tokens=700, completion_tokens=40),
            assistant(
                ReasoningBlock(text=thought),
                TextBlock(text=look),
                ToolUseBlock(call_id="c1", name="read_file", input=read),
                ToolUseBlock(call_id="c2", name="search_repo", input=search),
            ),
            s.CallProposed(call_id="c1", tool="read_file", input=read),
            s.CallProposed(call_id="c2", tool="search_repo", input=search),
            h.ModelDecisionEvent(thought=look, action_type="tool_call", action="read_file(…)"),
            h.ModelDecisionEvent(thought=look, action_type="tool_call", action="search_repo(…)"),
            h.ToolStart(call_id="c1", tool="read_file", input=read),
            h.ToolStart(call_id="c2", tool="search_repo", input=search),
            h.ToolEnd(
                call_id="c1",
                tool="read_file",
                success=True,
                summary="6 lines",
                content="def average(numbers):\n    total = 0\n",
                duration_ms=4,
            ),
            h.ToolEnd(
                call_id="c2",
                tool="search_repo",
                success=True,
                summary="3 hits in 2 files",
                content="calc.py:1:def average(numbers):\n",
                duration_ms=11,
            ),
            h.TurnEnd(),
            h.TurnStart(iteration=2),
            assistant(ToolUseBlock(call_id="c3", name="str_replace", input=edit)),
            s.CallProposed(call_id="c3", tool="str_replace", input=edit),
            h.ModelDecisionEvent(action_type="tool_call", action="str_replace(…)"),
            h.VerificationPlanFrozen(
                checks=[PlannedCheck(name="tests", command="python -m unittest", kind="test")]
            ),
            h.PhaseChanged(old="investigating", new="editing"),
            h.ApprovalRequested(
                approval_id="c3",
                tool="str_replace",
                reason="changes a file in the workspace",
                input=edit,
                tier=1,
                grant_scope="every str_replace in this sitting",
                preview=EDIT_DIFF,
            ),
            h.ApprovalResolved(approval_id="c3", allowed=True, via="human", scope="once"),
            h.ToolStart(call_id="c3", tool="str_replace", input=edit),
            h.ToolEnd(
                call_id="c3",
                tool="str_replace",
                success=True,
                summary="1 replacement",
                content="replaced text in calc.py",
                diff=EDIT_DIFF,
                duration_ms=6,
            ),
            h.ModelUsage(prompt_tokens=900, completion_tokens=60),
            h.TurnEnd(),
            h.TurnStart(iteration=3),
            assistant(ToolUseBlock(call_id="c4", name="run_tests")),
            s.CallProposed(call_id="c4", tool="run_tests"),
            h.ToolStart(call_id="c4", tool="run_tests"),
            s.ToolProgress(call_id="c4", delta="Ran 1 test"),
            s.ToolProgress(call_id="c4", delta=" in 0.001s\n\nOK\n"),
            h.ToolEnd(
                call_id="c4",
                tool="run_tests",
                success=True,
                summary="python -m unittest",
                content="Ran 1 test in 0.001s\n\nOK\n",
                exit_code=0,
                duration_ms=312,
            ),
            h.TurnEnd(),
            h.TurnStart(iteration=4),
            *pieces(done),
            assistant(TextBlock(text=done)),
            h.ModelDecisionEvent(action_type="final_answer", action=done),
            h.ModelUsage(prompt_tokens=350, completion_tokens=50),
            h.PhaseChanged(old="editing", new="verifying"),
            h.VerificationStart(),
            s.CheckStarted(name="tests", command="python -m unittest"),
            s.CheckFinished(result=passing_check()),
            h.VerificationEnd(passed=True, summary="all checks pass", checks=[passing_check()]),
            h.TurnEnd(),
            h.AgentEnd(outcome="success", status="completed"),
            s.GoalRecorded(report={}),
            s.ExecutionChanged(phase="idle", mode="exec"),
        ]
    )


def passing_check() -> CheckResult:
    """The sample project's test, green."""
    return CheckResult(
        name="tests",
        status="pass",
        command="python -m unittest",
        exit_code=0,
        duration_ms=298,
        evidence="Ran 1 test in 0.001s\n\nOK",
    )


def failing_check() -> CheckResult:
    """The sample project's test, red."""
    return CheckResult(
        name="tests",
        status="fail",
        command="python -m unittest",
        exit_code=1,
        duration_ms=301,
        evidence="FAIL: test_mean (test_calc.TestMean)\nAssertionError: 3.0 != 2.0\n",
    )


def bare(events: Iterable[Event]) -> list[Event]:
    """What a `Session` alone yields of them."""
    return [event for event in events if isinstance(event, HARNESS_EVENT_TYPES)]


def journaled(events: Iterable[Event]) -> list[Event]:
    """The same events in the form a journal keeps: streamed text joined."""

    def run_of(event: Event) -> object:
        if isinstance(event, h.ModelUpdate):
            return event.kind
        if isinstance(event, s.ToolProgress):
            return ("output", event.call_id)
        return event.event_id

    lines: list[Event] = []
    for _, group in groupby(events, key=run_of):
        run = list(group)
        first, last = run[0], run[-1]
        if isinstance(first, h.ModelUpdate | s.ToolProgress):
            joined = s.StreamedText(
                event_id=last.event_id,
                ts=last.ts,
                first_id=first.event_id,
                last_id=last.event_id,
                kind=first.kind if isinstance(first, h.ModelUpdate) else "output",
                call_id="" if isinstance(first, h.ModelUpdate) else first.call_id,
                text="".join(getattr(event, "delta", "") for event in run),
            )
            lines.append(joined)
        else:
            lines += run
    return lines
