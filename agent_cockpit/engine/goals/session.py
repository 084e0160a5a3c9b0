"""One goal's run with its two planes: events out, decisions in (the session document).

Nothing that observes can delay, change or stop the run; an event may announce that a
decision is needed, only a method decides.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Literal, cast
from uuid import uuid4

from agent_cockpit.engine.consent.answers import Consent, Rules
from agent_cockpit.engine.consent.broker import Answer
from agent_cockpit.engine.consent.ledger import Ledger
from agent_cockpit.engine.goals.runner import AgentRunner
from agent_cockpit.engine.record.bus import EventBus, Subscription
from agent_cockpit.engine.record.journal import JsonlEventJournal
from agent_cockpit.engine.report import report_of
from agent_cockpit.engine.state import Report, TaskState
from agent_cockpit.engine.stopping import is_stopped_hard
from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import (
    HARNESS_EVENT_TYPES,
    AgentEnd,
    ApprovalRequested,
    CancellationObserved,
)
from agent_cockpit.events.sitting import GoalRecorded, PromptsRecalled
from agent_cockpit.rules.consent.approval import ToolApproval
from agent_cockpit.rules.consent.grants import ApprovalGrant
from agent_cockpit.rules.facts import CallFacts


class Session:
    """A live, interruptible run of one goal.

    `grants` and `ledger` are used by reference, so that an `[a]` outlives the goal and later
    goals know what was asked. `unattended` answers
    every question with no at once, announced and recorded, except what the two policies
    approve. `approval_timeout` is in seconds. `sitting` is the bus of the sitting that this
    goal belongs to; without one the session stamps its own ids. `began` and `ended` are called
    once each, when the goal begins to run and when it is over.
    """

    def __init__(
        self,
        runner: AgentRunner,
        state: TaskState,
        *,
        session_id: str | None = None,
        journal: JsonlEventJournal | None = None,
        grants: list[ApprovalGrant] | None = None,
        ledger: Ledger | None = None,
        unattended: bool = False,
        approval_timeout: float | None = None,
        amendment_policy: str = "deny",
        escalation_policy: str = "deny",
        sitting: EventBus | None = None,
        began: Callable[[Session], None] = lambda _: None,
        ended: Callable[[], None] = lambda: None,
    ) -> None:
        self.state = state
        self.report: Report | None = None
        """How the goal went; set when `run` ends, in every case."""
        self.cancel_reason: str | None = None
        self.grants = grants if grants is not None else []
        self.admitted = False
        """The sitting moved the turn machine into this run already."""
        self.takes_queue = False
        """The sitting will send what is queued when this goal ends."""
        self.next_prompts: tuple[Any, ...] = ()
        """What was queued when the goal ended, handed over for the next one."""
        self.observers: list[Callable[[Event], Event | None]] = []
        """Told each event of the goal; what they make of one is published after that."""
        self._runner = runner
        self._execution = runner.execution
        own_journal = None if sitting is not None else journal
        self._bus = EventBus(session_id or uuid4().hex, own_journal, parent=sitting)
        self._journal = journal
        self._unattended = unattended
        self._consent = Consent(
            runner,
            state,
            self._publish,
            rules=Rules(
                unattended=unattended,
                amendment_policy=_known_policy(amendment_policy),
                escalation_policy=_known_policy(escalation_policy),
            ),
            grants=self.grants,
            ledger=ledger or Ledger(),
            timeout_s=approval_timeout,
        )
        self._started = False
        self._began = began
        self._ended = ended

    @property
    def session_id(self) -> str:
        """The id that is stamped on every event."""
        return self._bus.session_id

    @property
    def is_running(self) -> bool:
        """Whether `run` has begun and not ended."""
        return self._started and self.report is None

    @property
    def history(self) -> list[Event]:
        """All events of this goal so far, in memory."""
        return self._bus.history

    def events(self) -> Subscription:
        """An own stream of this goal's harness events from now on, ending after `agent_end`."""
        return self._bus.subscribe(lambda event: isinstance(event, HARNESS_EVENT_TYPES))

    async def run(self) -> TaskState:
        """Run the goal to its end and return its terminal state.

        Raises only `RuntimeError` when another goal runs, and the `CancelledError` of a hard
        cancel; everything else is in the state and the `report`.
        """
        self._enter()
        runner, state = self._runner, self.state
        before = (runner.event_sink, runner.approval_controller)
        runner.event_sink, runner.approval_controller = self._publish, self
        try:
            await runner.arun(state)
            if is_stopped_hard():
                raise asyncio.CancelledError
        except (asyncio.CancelledError, Exception) as error:
            # Whatever it was, the goal must end and say so; and a hard cancel must rise.
            if is_stopped_hard():
                self._mark_cancelled("stopped hard")
                raise asyncio.CancelledError from error
            state.outcome, state.status = "incomplete", "error"
            state.error = f"{type(error).__name__}: {error}"
        finally:
            self._consent.deny_all("the run is over", close=True)
            self._leave()
            runner.event_sink, runner.approval_controller = before
        return state

    async def request_approval(
        self,
        approval_id: str,
        tool: str,
        reason: str,
        tool_input: dict[str, Any],
        *,
        facts: CallFacts | None = None,
    ) -> bool:
        """Whether the call may run: by trust, by a grant, by policy, or by a person's answer.

        Called by the runner for a call that has to be asked about. Trust and grants are
        recorded without a question; everything else is announced first.
        """
        return await self._consent.request(approval_id, tool, reason, tool_input, facts)

    def look_ahead(self, calls: Sequence[tuple[ToolApproval, str, CallFacts]]) -> None:
        """Announce calls that will be asked about; they may be answered before their turn."""
        self._consent.look_ahead(calls)

    def answer_to(self, approval_id: str) -> Answer | None:
        """The answer behind `request_approval`'s yes or no, once; the runner asks for it."""
        return self._consent.answer_to(approval_id)

    async def resolve_approval(
        self,
        approval_id: str,
        *,
        allow: bool,
        remember: bool = False,
        reason: str = "",
        scope: str | None = None,
        edited: dict[str, Any] | None = None,
        kept: Sequence[int] | None = None,
    ) -> None:
        """Decide a waiting call; an id that is settled already does nothing.

        `remember` with `allow` stores a grant where one may be given, and counts as once
        elsewhere. `scope` may be `turn` or `session` for trust in exactly this call, or `grant`.
        What was `edited` by hand is allowed once, and so are the hunks of an edit that were
        `kept`, counted from 0; to keep none is a no.
        """
        self._consent.resolve(
            approval_id,
            allow=allow,
            remember=remember,
            reason=reason,
            scope=scope,
            edited=edited,
            kept=None if kept is None else tuple(kept),
        )

    async def reconsider(self, approval_id: str, edited: dict[str, Any]) -> ApprovalRequested:
        """The question as it would be if the waiting call were `edited`; decides nothing.

        Raises `PersonCanAct` with what is wrong where that call could not run.
        """
        return await self._consent.reconsider(approval_id, edited)

    async def cancel(self, reason: str = "cancelled") -> None:
        """Stop the run at its next observation point, and answer no to what waits."""
        if self.cancel_reason is None:
            self.cancel_reason = reason
        self._runner.cancellation.cancel(reason)
        self._consent.deny_all("the run was cancelled", close=True)

    def deny_pending(self, note: str) -> None:
        """Answer no to what waits, in the engine's own name: plan mode was entered."""
        self._consent.deny_all(note)

    def _publish(self, event: Event) -> Event:
        stamped = self._bus.publish(event)
        for observer in self.observers:
            if (follows := observer(stamped)) is not None:
                self._bus.publish(follows)
        return stamped

    def _enter(self) -> None:
        if self._started:
            raise RuntimeError("this session has run already; start another for the next goal")
        if not self.admitted:
            self._execution.begin_turn()
        self._started = True
        self._began(self)

    def _leave(self) -> None:
        """Settle the turn machine, publish the report and the last event, close the stream."""
        state = self.state
        if state.outcome is None:
            state.outcome, state.status = "incomplete", state.status or "error"
        self.report = report_of(state, session_id=self.session_id, calls=self._runner.calls)
        self._settle_execution()
        self._publish(
            GoalRecorded(task_id=state.task_id, report=self.report.model_dump(mode="json"))
        )
        self._bus.publish(
            AgentEnd(
                task_id=state.task_id,
                outcome=state.outcome,
                status=state.status,
                error=state.error,
            )
        )
        self._bus.close()
        self._ended()
        if self._journal is not None:
            self._journal.close()

    def _settle_execution(self) -> None:
        cell = self._execution
        if self.state.status == "cancelled":
            cell.take(cell.value.abort())
        elif self.state.status in ("model_error", "error"):
            cell.take(cell.value.fail(self.state.error or "the run failed"))
        else:
            cell.take(cell.value.begin_completion())
            ended = cell.take(cell.value.finish_completion())
            if ended.tag != "send_next":
                return
            if self.takes_queue:
                self.next_prompts = ended.value
                return
            cell.take(cell.value.queued_send_failed())
            self._recall(ended.value)
            return
        steering, follow_up = cell.take(cell.value.recall_queues()).value
        self._recall((*steering, *follow_up))

    def _recall(self, contents: tuple[Any, ...]) -> None:
        if contents:
            to = "dropped" if self._unattended else "composer"
            texts = [text for text in contents if isinstance(text, str)]
            self._bus.publish(
                PromptsRecalled(task_id=self.state.task_id, texts=texts, to=cast(Any, to))
            )

    def _mark_cancelled(self, reason: str) -> None:
        state = self.state
        self.cancel_reason = self.cancel_reason or reason
        state.outcome, state.status = "incomplete", "cancelled"
        state.add_feedback("run cancelled", kind="cancelled")
        self._bus.publish(CancellationObserved(task_id=state.task_id, reason=self.cancel_reason))


def _known_policy(word: str) -> Literal["deny", "approve"]:
    if word == "approve":
        return "approve"
    if word == "deny":
        return "deny"
    raise ValueError(f"a policy is `deny` or `approve`, not {word!r}")
