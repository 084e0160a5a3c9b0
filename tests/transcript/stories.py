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
                summary="read calc.py",
                content="def average(numbers):\n    total = 0\n",
                duration_ms=4,
            ),
            h.ToolEnd(
                call_id="c2",
                tool="search_repo",
                success=True,
                summary="3 match(es) for 'average('",
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
                summary="tests exit 0",
                content="$ python -m unittest\n.\nRan 1 test in 0.001s\n\nOK\n[exit 0]",
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


PARSER_DIFF = """\
diff --git a/src/shop/parse.py b/src/shop/parse.py
--- a/src/shop/parse.py
+++ b/src/shop/parse.py
@@ -10,7 +10,9 @@ class Reader:
     def read(self, raw: bytes) -> Order:
         text = raw.decode("utf-8")
-        fields = text.split(",")
+        # a quoted comma is no separator
+        fields = next(csv.reader([text]))
         if len(fields) != 4:
-            raise ValueError("bad line")
+            raise ValueError(f"expected 4 fields, got {len(fields)}")
         return Order(*fields)
 
diff --git a/tests/test_parse.py b/tests/test_parse.py
new file mode 100644
--- /dev/null
+++ b/tests/test_parse.py
@@ -0,0 +1,3 @@
+def test_a_quoted_comma_stays() -> None:
+    order = Reader().read(b'1,"a, b",2,3')
+    assert order.name == "a, b"
"""

EXPLANATION = """\
## What was wrong

`Reader.read` split at **every** comma, also at those inside quotes. Three things follow:

1. names with a comma were cut in two,
2. the count of fields was wrong, so the line was *rejected*,
3. nothing said which line it was.

```python
def read(self, raw: bytes) -> Order:
    fields = next(csv.reader([raw.decode("utf-8")]))
    return Order(*fields)  # four fields, checked above
```

| input | before | now |
|---|---|---|
| `1,a,2,3` | order | order |
| `1,"a, b",2,3` | ValueError | order named `a, b` |

> A quoted field may also hold a line break; that is not handled here.

- see the [csv module](https://docs.python.org/3/library/csv.html)
- the old helper is left alone
"""


def hard_goal() -> list[Event]:
    """A goal with everything that can go another way, still running at its end."""
    command = "git push --force origin main"
    pip = "pip install --upgrade some-very-long-package-name another-package==1.2.3 -r dev.txt"
    failing = "FAILED tests/test_parse.py::test_a_quoted_comma_stays - ValueError: bad line"
    return stamped(
        [
            h.AgentStart(
                goal="Quoted commas break the import.\nKeep the public API.", task_kind="edit"
            ),
            s.Notice(text="edit goal, by the words of the prompt · /mode investigate to change"),
            h.TurnStart(iteration=1),
            *pieces("The reader splits by hand, so quotes cannot count.", kind="thought", size=9),
            assistant(
                TextBlock(text="I'll read the parser, then write a test that fails."),
                ToolUseBlock(call_id="r1", name="read_file", input={"path": "src/shop/parse.py"}),
                ToolUseBlock(call_id="x1", name="run_command", input={"command": pip}),
            ),
            h.ToolStart(call_id="r1", tool="read_file", input={"path": "src/shop/parse.py"}),
            h.ToolEnd(
                call_id="r1", tool="read_file", success=True, content="line\n" * 84, duration_ms=3
            ),
            h.ApprovalRequested(
                approval_id="x1", tool="run_command", reason="installs", input={"command": pip}
            ),
            h.ApprovalResolved(approval_id="x1", allowed=True, scope="session"),
            h.ToolStart(call_id="x1", tool="run_command", input={"command": pip}),
            h.ToolEnd(
                call_id="x1",
                tool="run_command",
                success=True,
                content=f"$ {pip}\nCollecting some-very-long-package-name\nok\n[exit 0]",
                exit_code=0,
                duration_ms=72_400,
            ),
            h.TurnEnd(),
            h.TurnStart(iteration=2),
            s.CallProposed(call_id="e1", tool="apply_patch", input={"path": "src/shop/parse.py"}),
            h.ToolStart(call_id="e1", tool="apply_patch", input={"path": "src/shop/parse.py"}),
            h.ToolEnd(
                call_id="e1",
                tool="apply_patch",
                success=True,
                diff=PARSER_DIFF,
                duration_ms=12,
            ),
            h.ToolStart(call_id="t1", tool="run_tests", input={}),
            h.ToolEnd(
                call_id="t1",
                tool="run_tests",
                success=True,
                summary="tests exit 1",
                content=f"$ pytest -q\n..F.\n{failing}\n1 failed, 3 passed in 0.41s\n[exit 1]",
                exit_code=1,
                duration_ms=1480,
            ),
            s.CallProposed(call_id="p1", tool="run_command", input={"command": command}),
            h.ApprovalRequested(
                approval_id="p1", tool="run_command", reason="publishes", input={"command": command}
            ),
            h.ApprovalResolved(approval_id="p1", allowed=False, note="never push from here"),
            h.ToolEnd(call_id="p1", tool="run_command", success=False, refused=True),
            h.TurnEnd(),
            s.RetryWaiting(attempt=1, attempts=5, wait_s=4, error="the model server is busy (529)"),
            s.PromptDelivered(texts=["also say which line it was"]),
            h.TurnStart(iteration=3),
            *pieces(EXPLANATION, size=11),
            assistant(TextBlock(text=EXPLANATION)),
            h.ModelUsage(prompt_tokens=18_200, completion_tokens=900),
            h.VerificationStart(),
            s.CheckStarted(name="tests", command="python -m unittest"),
            s.CheckFinished(result=failing_check()),
            h.VerificationEnd(
                passed=False,
                summary="1 of 2 checks failed",
                checks=[
                    failing_check(),
                    passing_check().model_copy(update={"name": "lint", "command": "ruff check ."}),
                ],
            ),
            h.TurnEnd(),
            h.TurnStart(iteration=4),
            s.CallProposed(call_id="t2", tool="run_tests"),
            h.ToolStart(call_id="t2", tool="run_tests"),
            s.ToolProgress(call_id="t2", delta="collected 4 items\n\ntests/test_parse.py ..."),
            s.CallProposed(call_id="w1", tool="write_file", input={"path": "CHANGES.md"}),
            h.ApprovalRequested(approval_id="w1", tool="write_file", input={"path": "CHANGES.md"}),
        ]
    )
