"""A sitting's events read once, into its `Past`.

Law: any list of events gives a past, whatever is missing from it, and its messages are paired.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, cast, get_args

from pydantic import ValidationError

from agent_cockpit.engine.record.past import (
    INTERRUPTED,
    REFUSALS_KEPT,
    CutCall,
    Past,
    refusal_words,
)
from agent_cockpit.engine.record.recalled_changes import RecalledChanges
from agent_cockpit.engine.state import Outcome, Report, TaskState, Turn
from agent_cockpit.events import harness as h
from agent_cockpit.events import sitting as s
from agent_cockpit.events.base import Event
from agent_cockpit.events.messages import Block, Message, ToolResultBlock
from agent_cockpit.rules.model.pairing import repair
from agent_cockpit.rules.modes import TaskKind
from agent_cockpit.transcript.diffs import diff_paths


def recollect(events: Iterable[Event]) -> Past:
    """The past that these events make; of several sittings in one journal, the last one's."""
    told = tuple(events)
    newest = next((event.session_id for event in reversed(told) if event.session_id), "")
    mine = tuple(event for event in told if event.session_id in (newest, ""))
    reading = _Reading()
    for event in mine:
        reading.take(event)
    return replace(reading.past(), session_id=newest, events=mine)


class _Reading:
    """What is known after the events so far; each rule takes in one kind of them."""

    def __init__(self) -> None:
        self._last_id = 0
        self._plain: dict[str, Any] = {}
        self._messages: list[Message] = []
        self._compacted: s.ContextCompacted | None = None
        self._calls: dict[str, CutCall] = {}
        self._results: dict[str, ToolResultBlock] = {}
        self._questions: dict[str, h.ApprovalRequested] = {}
        self._refused: list[str] = []
        self._queued: list[str] = []
        self._on_their_way: list[str] = []
        self._history: list[Turn] = []
        self._tasks: list[TaskState] = []
        self._goal: TaskState | None = None
        self._report: Report | None = None
        self._held: tuple[TaskState, Report | None] | None = None
        self._plan_goes_on = False
        self._changes = RecalledChanges()
        self._rules = self._table()

    def take(self, event: Event) -> None:
        """Take in the next event."""
        self._last_id = max(self._last_id, event.event_id)
        self._changes.take(event)
        rule = self._rules.get(type(event))
        if rule is not None:
            rule(event)

    def past(self) -> Past:
        """All that is known; a goal without an end is given one."""
        is_goal_cut = self._goal is not None
        if self._goal is not None:
            self._end_goal("incomplete", INTERRUPTED, None)
        self._record_held()
        messages, mending = list(self._messages), self._mending()
        if mending is not None:
            messages.append(mending)
        return Past(
            **self._plain,
            last_id=self._last_id,
            messages=repair(messages)[0],
            mending=mending,
            compacted=self._compacted,
            history=tuple(self._history),
            tasks=tuple(self._tasks),
            refused=tuple(self._refused[-REFUSALS_KEPT:]),
            unsent=(*self._on_their_way, *self._queued),
            cut_calls=tuple(self._open_calls()),
            is_goal_cut=is_goal_cut,
            changes=self._changes.history,
            cut_work=self._changes.cut_work,
        )

    def _table(self) -> dict[type[Event], Callable[[Any], object]]:
        return {
            s.SittingStarted: self._sitting_started,
            s.SittingResumed: self._sitting_resumed,
            s.SittingMessage: self._message,
            s.ContextCompacted: self._compaction,
            s.PromptQueued: lambda e: self._queued.append(e.text),
            s.PromptDelivered: self._delivered,
            s.PromptsRecalled: self._recalled,
            s.SittingRenamed: lambda e: self._set(name=e.name),
            s.ModePinned: lambda e: self._set(pin=e.mode),
            s.ExecutionChanged: lambda e: self._set(
                phase=e.phase, is_planning=e.mode == "plan", boundaries=e.boundaries
            ),
            s.PlanProposed: lambda _: self._set(plan="waiting"),
            s.PlanDecided: self._plan_decided,
            s.GoalRecorded: self._goal_recorded,
            s.StreamedText: self._streamed,
            h.AgentStart: self._goal_started,
            h.AgentEnd: lambda e: self._end_goal(e.outcome, e.status, e.error),
            h.TurnStart: self._turn_started,
            h.TurnEnd: lambda _: self._set(is_turn_cut=False),
            h.ModelUsage: self._used,
            h.ApprovalRequested: self._asked,
            h.ApprovalResolved: self._answered,
            h.ToolStart: lambda e: self._fate(e.call_id, "running"),
            h.ToolEnd: self._call_ended,
        }

    def _set(self, **fields: Any) -> None:
        """Fields of the past that the newest event of their kind decides."""
        self._plain.update(fields)

    def _sitting_started(self, event: s.SittingStarted) -> None:
        self._set(
            preamble=event.preamble,
            provider=event.provider,
            model=event.model,
            workspace=event.workspace,
        )

    def _sitting_resumed(self, event: s.SittingResumed) -> None:
        self._set(provider=event.provider, model=event.model, workspace=event.workspace)
        self._set(snapshots=event.snapshots)
        if self._plain.get("plan"):
            self._set(plan="told")

    # conversation and calls

    def _message(self, event: s.SittingMessage) -> None:
        message = event.message
        self._messages.append(message)
        self._calls = {call.call_id: CutCall(call) for call in message.calls}
        self._results = {}
        if message.role == "user":
            self._on_their_way = []

    def _compaction(self, event: s.ContextCompacted) -> None:
        """What it kept is counted from the end, and of messages that were paired: lines
        before it may be lost."""
        if self._calls:
            return
        if event.cause == "page":
            self._record_held()
            self._set(page=len(self._tasks))
        self._messages = list(repair(self._messages)[0])
        count = max(0, len(self._messages) - event.kept)
        self._compacted = event.model_copy(update={"stands_for": count})

    def _fate(self, call_id: str, fate: Any) -> None:
        if call_id in self._calls:
            self._calls[call_id] = replace(self._calls[call_id], fate=fate)

    def _streamed(self, event: s.StreamedText) -> None:
        call = self._calls.get(event.call_id) if event.kind == "output" else None
        if call is not None:
            self._calls[event.call_id] = replace(call, output=call.output + event.text)

    def _asked(self, event: h.ApprovalRequested) -> None:
        self._questions[event.approval_id] = event
        self._fate(event.approval_id, "waiting")

    def _answered(self, event: h.ApprovalResolved) -> None:
        question = self._questions.pop(event.approval_id, None)
        self._fate(event.approval_id, "allowed" if event.allowed else "proposed")
        if question is not None and not event.allowed:
            by = "the person" if event.via == "human" else "the engine"
            why = event.note or f"denied by {by}"
            self._refused.append(refusal_words(question.tool, question.input, why))

    def _call_ended(self, event: h.ToolEnd) -> None:
        self._results[event.call_id] = ToolResultBlock(
            call_id=event.call_id,
            content=event.content or "(no output)",
            is_error=not event.success,
        )
        if self._goal is not None:
            self._goal.files_modified |= set(diff_paths(event.diff))

    def _open_calls(self) -> list[CutCall]:
        return [call for call_id, call in self._calls.items() if call_id not in self._results]

    def _mending(self) -> Message | None:
        """Results for the newest calls, when no message brought them: those that are known,
        and for the others what became of them."""
        if not self._calls:
            return None
        blocks: list[Block] = [
            self._results.get(call_id) or call.result() for call_id, call in self._calls.items()
        ]
        return Message(role="user", blocks=tuple(blocks))

    # prompts

    def _delivered(self, event: s.PromptDelivered) -> None:
        self._leave(event.texts, self._queued)
        self._on_their_way += event.texts

    def _recalled(self, event: s.PromptsRecalled) -> None:
        if event.to == "next":
            self._leave(event.texts, self._queued)
            self._on_their_way += event.texts
        else:
            self._leave(event.texts, self._on_their_way, self._queued)

    @staticmethod
    def _leave(texts: list[str], *places: list[str]) -> None:
        """Each text leaves the first place that has it."""
        for text in texts:
            place = next((place for place in places if text in place), None)
            if place is not None:
                place.remove(text)

    # goals

    def _goal_started(self, event: h.AgentStart) -> None:
        if self._goal is not None:
            self._end_goal("incomplete", INTERRUPTED, None)
        if self._plan_goes_on:
            self._held = None
        self._record_held()
        is_plan = event.task_kind == "plan"
        known = event.task_kind in get_args(TaskKind)
        self._goal = TaskState(
            goal=event.goal,
            task_kind=cast(Any, event.task_kind if known else "investigate"),
            mode_source=event.mode_source,
            is_plan=is_plan,
            is_build=self._plan_goes_on and not is_plan,
        )
        if event.task_id:
            self._goal.task_id = event.task_id
        self._plan_goes_on = False
        self._set(plan="")
        self._on_their_way = []

    def _turn_started(self, _: h.TurnStart) -> None:
        self._set(is_turn_cut=True)
        if self._goal is not None:
            self._goal.iterations += 1

    def _used(self, event: h.ModelUsage) -> None:
        if self._goal is not None:
            self._goal.prompt_tokens += event.prompt_tokens
            self._goal.completion_tokens += event.completion_tokens
            self._goal.cached_tokens += event.cached_tokens
            self._goal.cost += event.cost

    def _goal_recorded(self, event: s.GoalRecorded) -> None:
        try:
            self._report = Report.model_validate(event.report)
        except ValidationError:
            self._report = None  # of another version: the goal's end says the rest

    def _end_goal(self, outcome: str | None, status: str | None, error: str | None) -> None:
        goal, report = self._goal, self._report
        self._goal = self._report = None
        if goal is None:
            return
        goal.outcome = cast(Outcome, outcome if outcome in get_args(Outcome) else "incomplete")
        goal.status, goal.error = status, error
        if report is not None:
            goal.files_modified |= set(report.files_changed)
            goal.verifier_results = [report.verification] if report.verification else []
            goal.last_text = report.final_message
            if goal.outcome == "blocked" and report.final_message:
                goal.open_questions = [report.final_message]
            elif status == "completed":
                goal.final_answer = report.final_message
        if goal.is_plan:
            self._held = (goal, report)
            if goal.final_answer and goal.outcome not in ("blocked", "incomplete"):
                self._set(plan="waiting")
        else:
            self._record(goal, report)

    def _plan_decided(self, event: s.PlanDecided) -> None:
        self._plan_goes_on = event.decision != "left" and event.outcome is None
        if event.outcome is not None and self._held is not None:
            self._held[0].outcome = event.outcome
        self._set(plan="decided" if self._plan_goes_on else "")
        if not self._plan_goes_on:
            self._record_held()

    def _record_held(self) -> None:
        """A plan goal is recorded when it is clear that no build and no revision follows."""
        held, self._held = self._held, None
        if held is not None:
            self._record(*held)

    def _record(self, goal: TaskState, report: Report | None) -> None:
        """As the live sitting does: what was asked, what was answered, and the goal."""
        in_a_flow = goal.is_plan or goal.is_build
        asked_by = None if in_a_flow else goal.task_id
        answer = report.final_message if report and goal.status == "completed" else None
        text = answer or goal.outcome or "done"
        self._history.append(Turn(role="user", text=goal.goal, task_id=asked_by))
        self._history.append(Turn(role="agent", text=text, task_id=goal.task_id))
        self._tasks.append(goal)
