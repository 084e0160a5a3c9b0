"""How events move the status on: one rule for each kind that brings a fact.

Law: no fact in a `Status` that an event did not bring; a decided or unknown approval is never
listed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agent_cockpit.events import harness as h
from agent_cockpit.events import sitting as s
from agent_cockpit.events.ahead import CallsAhead
from agent_cockpit.events.base import Event
from agent_cockpit.text import clean, clean_line
from agent_cockpit.transcript.approval_view import ApprovalView, view_of
from agent_cockpit.transcript.status import Status
from agent_cockpit.transcript.wording import PERSON_COMMAND, call_activity, call_label, call_subject
from agent_cockpit.transcript.work import MOVED, Job, with_edit, with_moved


def advance(status: Status, event: Event) -> Status:
    """The status after `event`; the same object when nothing in it changed."""
    rule = _RULES.get(type(event))
    return status if rule is None else rule(status, event)


def _goal_started(status: Status, event: h.AgentStart) -> Status:
    return status.but(
        is_running=True,
        activity="thinking",
        task_kind=clean_line(event.task_kind),
        mode_source=event.mode_source,
        phase="investigating",
        outcome=None,
        verdict=None,
        turns=0,
        approvals=(),
        ahead=(),
        running_calls=_own(status),
        checking=None,
        plan=None,
        plan_steps=(),
        plan_strays=(),
        error=None,
    )


def _goal_ended(status: Status, event: h.AgentEnd) -> Status:
    return status.but(
        is_running=False,
        activity="idle",
        outcome=clean_line(event.outcome or "incomplete"),
        error=clean_line(event.error) if event.error else status.error,
        approvals=(),
        ahead=(),
        running_calls=_own(status),
        checking=None,
    )


def _turn_started(status: Status, _: h.TurnStart) -> Status:
    return _with_activity(status.but(turns=status.turns + 1), "thinking")


def _phase_changed(status: Status, event: h.PhaseChanged) -> Status:
    return status.but(phase=clean_line(event.new))


def _wrote(status: Status, event: h.ModelUpdate | s.StreamedText) -> Status:
    if event.kind == "output" or not status.is_running:
        return status
    return _with_activity(status, "writing" if event.kind == "answer" else "thinking")


def _call_started(status: Status, event: h.ToolStart) -> Status:
    subject = call_subject(event.tool, event.input)
    job = Job(event.call_id, clean_line(event.tool), call_label(event.tool), subject)
    running = (*status.running_calls, job)
    return _with_activity(status.but(running_calls=running), "thinking")


def _call_ended(status: Status, event: h.ToolEnd) -> Status:
    running = tuple(call for call in status.running_calls if call.call_id != event.call_id)
    left = _without(status.approvals, event.call_id)
    ahead = _without(status.ahead, event.call_id)
    ended = status.but(running_calls=running, approvals=left, ahead=ahead)
    if event.diff and event.success:
        ended = ended.but(changes=with_edit(status.changes, event.diff))
    return _with_activity(ended, "thinking")


def _asked(status: Status, event: h.ApprovalRequested) -> Status:
    if any(view.approval_id == event.approval_id for view in status.approvals):
        return status
    view = view_of(event)
    left = _without(status.ahead, event.approval_id)
    asked = status.but(approvals=(*status.approvals, view), ahead=left)
    return _with_activity(asked, "thinking")


def _ahead(status: Status, event: CallsAhead) -> Status:
    return status.but(ahead=tuple(view_of(question) for question in event.questions))


def _resolved(status: Status, event: h.ApprovalResolved) -> Status:
    left = _without(status.approvals, event.approval_id)
    ahead = _without(status.ahead, event.approval_id)
    if left == status.approvals and ahead == status.ahead:
        return status
    return _with_activity(status.but(approvals=left, ahead=ahead), "thinking")


def _used(status: Status, event: h.ModelUsage) -> Status:
    return status.but(
        prompt_tokens=status.prompt_tokens + event.prompt_tokens,
        completion_tokens=status.completion_tokens + event.completion_tokens,
        cached_tokens=status.cached_tokens + event.cached_tokens,
        cost=status.cost + event.cost,
    )


def _verifying(status: Status, _: h.VerificationStart) -> Status:
    return _with_activity(status, "verifying")


def _verified(status: Status, event: h.VerificationEnd) -> Status:
    found = status.but(verdict=event.passed, checking=None)
    return _with_activity(found, "thinking")


def _check_started(status: Status, event: s.CheckStarted) -> Status:
    name, command = clean_line(event.name), clean_line(event.command)
    return status.but(checking=Job("", "", "check", command or name))


def _check_finished(status: Status, _: s.CheckFinished) -> Status:
    return status.but(checking=None)


def _cancelled(status: Status, _: h.CancellationObserved) -> Status:
    return status.but(activity="stopping", approvals=(), ahead=())


def _escalated(status: Status, event: h.TaskEscalated) -> Status:
    return status.but(task_kind=clean_line(event.to_kind))


def _sitting_started(status: Status, event: s.SittingStarted | s.SittingResumed) -> Status:
    return status.but(
        provider=clean_line(event.provider),
        model=clean_line(event.model),
        workspace=clean_line(event.workspace),
        sandbox=clean_line(event.sandbox),
        branch=clean_line(event.branch),
    )


def _sitting_resumed(status: Status, event: s.SittingResumed) -> Status:
    """Whatever ran or waited in the process before is over."""
    over = status.but(
        is_running=False,
        activity="idle",
        approvals=(),
        ahead=(),
        running_calls=(),
        checking=None,
        plan=None,
        queued=(),
        steering=0,
        follow_up=0,
    )
    return _sitting_started(over, event)


def _branch_changed(status: Status, event: s.BranchChanged) -> Status:
    return status.but(branch=clean_line(event.branch))


def _queued(status: Status, event: s.PromptQueued) -> Status:
    return status.but(queued=(*status.queued, (event.kind, clean(event.text).strip())))


def _unqueued(status: Status, event: s.PromptDelivered | s.PromptsRecalled) -> Status:
    waiting = list(status.queued)
    for text in event.texts:
        found = next((entry for entry in waiting if entry[1] == clean(text).strip()), None)
        if found is not None:
            waiting.remove(found)
    return status.but(queued=tuple(waiting))


def _execution_changed(status: Status, event: s.ExecutionChanged) -> Status:
    """Once plan mode is left, the kind of the goal that planned is no mode that anything is in."""
    is_left = status.gate == "plan" != event.mode and status.task_kind == "plan"
    return status.but(
        task_kind="" if is_left else status.task_kind,
        gate=clean_line(event.mode),
        steering=event.steering,
        follow_up=event.follow_up,
        queued=status.queued if event.steering or event.follow_up else (),
        error=clean_line(event.error) if event.error else status.error,
    )


def _retrying(status: Status, _: s.RetryWaiting) -> Status:
    return _with_activity(status, "retrying")


def _context(status: Status, event: s.ContextEstimated) -> Status:
    return status.but(
        context_tokens=event.tokens,
        context_window=event.window,
    )


def _compacted(status: Status, event: s.ContextCompacted) -> Status:
    return status.but(
        context_tokens=event.tokens_after,
        context_window=event.window,
    )


def _plan_proposed(status: Status, event: s.PlanProposed) -> Status:
    return status.but(plan=clean(event.text).strip())


def _plan_decided(status: Status, event: s.PlanDecided) -> Status:
    return status.but(plan=None, outcome=event.outcome or status.outcome)


def _plan_progressed(status: Status, event: s.PlanProgressed) -> Status:
    steps = tuple(step.model_copy(update={"text": clean_line(step.text)}) for step in event.steps)
    return status.but(plan_steps=steps, plan_strays=tuple(map(clean_line, event.strays)))


def _changes_moved(status: Status, event: s.ChangesMoved) -> Status:
    changes = with_moved(status.changes, event)
    return status.but(outcome=MOVED[event.to], verdict=None, changes=changes)


def _own(status: Status) -> tuple[Job, ...]:
    return tuple(job for job in status.running_calls if job.tool == PERSON_COMMAND)


def _without(views: tuple[ApprovalView, ...], approval_id: str) -> tuple[ApprovalView, ...]:
    return tuple(view for view in views if view.approval_id != approval_id)


def _with_activity(status: Status, otherwise: str) -> Status:
    """What needs the person comes first, then what runs, then `otherwise`."""
    if status.approvals:
        activity = "waiting for you"
    elif len(status.running_calls) == 1:
        activity = call_activity(status.running_calls[0].tool)
    elif status.running_calls:
        activity = f"running {len(status.running_calls)} calls"
    else:
        activity = otherwise if status.is_running else "idle"
    return status if activity == status.activity else status.but(activity=activity)


_RULES: dict[type[Event], Callable[[Status, Any], Status]] = {
    h.AgentStart: _goal_started,
    h.AgentEnd: _goal_ended,
    h.TurnStart: _turn_started,
    h.PhaseChanged: _phase_changed,
    h.ModelUpdate: _wrote,
    h.ToolStart: _call_started,
    h.ToolEnd: _call_ended,
    h.ApprovalRequested: _asked,
    h.ApprovalResolved: _resolved,
    h.ModelUsage: _used,
    h.VerificationStart: _verifying,
    h.VerificationEnd: _verified,
    h.CancellationObserved: _cancelled,
    h.TaskEscalated: _escalated,
    s.SittingStarted: _sitting_started,
    s.SittingResumed: _sitting_resumed,
    s.BranchChanged: _branch_changed,
    s.PromptQueued: _queued,
    s.PromptDelivered: _unqueued,
    s.PromptsRecalled: _unqueued,
    s.ExecutionChanged: _execution_changed,
    s.RetryWaiting: _retrying,
    s.ContextEstimated: _context,
    s.ContextCompacted: _compacted,
    CallsAhead: _ahead,
    s.CheckStarted: _check_started,
    s.CheckFinished: _check_finished,
    s.PlanProposed: _plan_proposed,
    s.PlanDecided: _plan_decided,
    s.PlanProgressed: _plan_progressed,
    s.ChangesMoved: _changes_moved,
    s.StreamedText: _wrote,
}
