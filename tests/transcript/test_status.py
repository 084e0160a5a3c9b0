"""What the status line knows after each event."""

from __future__ import annotations

import pytest

from agent_cockpit.events import harness as h
from agent_cockpit.events import sitting as s
from agent_cockpit.events.base import Event
from agent_cockpit.events.changes import PathChange
from agent_cockpit.events.messages import Message
from agent_cockpit.transcript.advancing import advance
from agent_cockpit.transcript.status import Status
from tests.transcript.stories import fixed_test


def after(*events: Event) -> Status:
    status = Status()
    for event in events:
        status = advance(status, event)
    return status


STARTED = h.AgentStart(goal="g", task_kind="edit")
RUNNING = h.ToolStart(call_id="c1", tool="run_tests")
ASKED = h.ApprovalRequested(approval_id="c2", tool="run_command", input={"command": "ls"})


def test_plan_mode_is_over_when_it_is_left() -> None:
    planned = after(
        s.ExecutionChanged(mode="plan"),
        h.AgentStart(goal="g", task_kind="plan"),
        h.AgentEnd(outcome="success"),
    )
    assert (planned.gate, planned.task_kind) == ("plan", "plan")
    left = advance(planned, s.ExecutionChanged(mode="exec"))
    assert (left.gate, left.task_kind) == ("exec", "")
    assert advance(left, STARTED).task_kind == "edit"


ACTIVITIES: list[tuple[str, tuple[Event, ...]]] = [
    ("idle", ()),
    ("thinking", (STARTED,)),
    ("writing", (STARTED, h.ModelUpdate(delta="x"))),
    ("thinking", (STARTED, h.ModelUpdate(delta="x", kind="thought"))),
    ("testing", (STARTED, RUNNING)),
    ("running 2 calls", (STARTED, RUNNING, h.ToolStart(call_id="c9", tool="read_file"))),
    ("waiting for you", (STARTED, RUNNING, ASKED)),
    (
        "testing",
        (STARTED, RUNNING, ASKED, h.ApprovalResolved(approval_id="c2", allowed=False)),
    ),
    ("thinking", (STARTED, RUNNING, h.ToolEnd(call_id="c1", tool="run_tests", success=True))),
    ("verifying", (STARTED, h.VerificationStart())),
    ("retrying", (STARTED, s.RetryWaiting(attempt=1))),
    ("stopping", (STARTED, RUNNING, h.CancellationObserved())),
    ("idle", (STARTED, RUNNING, h.AgentEnd(outcome="incomplete"))),
]


@pytest.mark.parametrize(("activity", "events"), ACTIVITIES)
def test_the_activity_is_what_a_person_would_say(activity: str, events: tuple[Event, ...]) -> None:
    assert after(*events).activity == activity


def test_a_whole_goal_leaves_its_outcome_and_figures() -> None:
    status = after(*fixed_test())
    assert (status.outcome, status.verdict, status.is_running) == ("success", True, False)
    assert (status.phase, status.task_kind, status.model) == ("verifying", "edit", "demo")
    assert (status.prompt_tokens, status.completion_tokens) == (1950, 150)
    assert status.approvals == ()


def test_approvals_are_listed_as_asked_and_leave_by_their_id() -> None:
    other = ASKED.model_copy(update={"approval_id": "c3"})
    status = after(STARTED, ASKED, other, ASKED)
    assert [view.approval_id for view in status.approvals] == ["c2", "c3"]
    resolved = advance(status, h.ApprovalResolved(approval_id="c2", allowed=True))
    assert [view.approval_id for view in resolved.approvals] == ["c3"]
    assert advance(resolved, h.ApprovalResolved(approval_id="c2", allowed=True)) is resolved


def test_the_end_of_a_goal_leaves_no_question_open() -> None:
    assert after(STARTED, ASKED, h.AgentEnd(outcome="failed")).approvals == ()


def test_the_queue_is_what_was_neither_delivered_nor_recalled() -> None:
    queued = [s.PromptQueued(kind="steering", text=text) for text in ("a", "b", "a")]
    status = after(*queued, s.PromptDelivered(texts=["a"]), s.PromptsRecalled(texts=["b"]))
    assert status.queued == (("steering", "a"),)
    assert advance(status, s.ExecutionChanged(phase="idle")).queued == ()


def test_a_plan_waits_until_it_is_decided() -> None:
    proposed = after(STARTED, s.PlanProposed(text="1. do\n", version=2))
    assert proposed.plan == "1. do"
    assert advance(proposed, s.PlanDecided(decision="left")).plan is None


def test_the_window_is_unknown_until_somebody_knows_it() -> None:
    assert after(s.ContextEstimated(tokens=50, window=0)).context_percent is None
    assert after(s.ContextEstimated(tokens=50, window=200)).context_percent == 25


def test_a_compaction_says_how_full_the_window_is_now() -> None:
    compacted = s.ContextCompacted(
        message=Message.of("user", "gist"), tokens_before=900, tokens_after=100, window=1000
    )
    status = after(s.ContextEstimated(tokens=900, window=1000, real=True), compacted)
    assert status.context_percent == 10


def test_changed_files_and_outcome_follow_what_was_taken_back_and_made_again() -> None:
    diff = "--- a/{0}\n+++ b/{0}\n@@ -1 +1,2 @@\n-old\n+new\n+more\n"
    edits = [h.ToolEnd(tool="edit", success=True, diff=diff.format(path)) for path in "ab"]
    ended = after(STARTED, *edits, h.VerificationEnd(passed=True), h.AgentEnd(outcome="success"))
    back = s.ChangesMoved(
        files=[PathChange(path="a"), PathChange(path="b")], since_start=[PathChange(path="b")]
    )
    taken = advance(ended, back)
    assert [(change.path, change.added) for change in taken.changes] == [("b", 0)]
    assert (taken.outcome, taken.verdict) == ("taken back", None)
    since = [PathChange(path="a", added=2, removed=1)]
    made = advance(taken, back.model_copy(update={"to": "after", "since_start": since}))
    assert [(change.path, change.added, change.removed) for change in made.changes] == [("a", 2, 1)]
    assert made.outcome == "made again"


def test_an_event_that_it_does_not_read_leaves_the_same_value() -> None:
    status = after(STARTED)
    assert advance(status, h.ModelDecisionEvent()) is status


def test_a_status_takes_no_value_that_it_has_no_place_for() -> None:
    status = Status(activity="writing").but(is_running=True)
    assert (status.is_running, status.activity) == (True, "writing")
    with pytest.raises(TypeError, match="colour"):
        status.but(colour="red")


def test_the_branch_is_the_one_that_was_told_last() -> None:
    begun = after(s.SittingStarted(branch="main"))
    assert begun.branch == "main"
    assert (
        after(s.SittingStarted(branch="main"), s.BranchChanged(branch="\x07next")).branch == "next"
    )
    assert after(s.SittingStarted(branch="main"), s.SittingResumed()).branch == ""


def test_what_the_calls_cost_is_added_up() -> None:
    assert after(h.ModelUsage(cost=0.5), h.ModelUsage(), h.ModelUsage(cost=0.25)).cost == 0.75
