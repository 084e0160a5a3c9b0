"""One goal's run with its two planes: events out, decisions in (the session document).

Nothing that observes can delay, change or stop the run; an event may announce that a
decision is needed, only a method decides.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal, cast
from uuid import uuid4

from agent_cockpit.engine.broker import Answer, ApprovalBroker
from agent_cockpit.engine.bus import EventBus, Subscription
from agent_cockpit.engine.journal import JsonlEventJournal
from agent_cockpit.engine.report import report_of
from agent_cockpit.engine.runner import AgentRunner
from agent_cockpit.engine.state import Report, TaskState
from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import (
    HARNESS_EVENT_TYPES,
    AgentEnd,
    ApprovalRequested,
    CancellationObserved,
)
from agent_cockpit.events.sitting import GoalRecorded, PromptsRecalled
from agent_cockpit.rules.approval import ToolApproval
from agent_cockpit.rules.facts import UNGRANTABLE_TOOLS, CallFacts
from agent_cockpit.rules.grants import ApprovalGrant, grant_for
from agent_cockpit.rules.permission import Allow, ConsentPolicy, Decide, Refuse, judge


class Session:
    """A live, interruptible run of one goal.

    `grants` is used by reference, so that an `[a]` outlives the goal. `unattended` answers
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
        self._runner = runner
        self._execution = runner.execution
        own_journal = None if sitting is not None else journal
        self._bus = EventBus(session_id or uuid4().hex, own_journal, parent=sitting)
        self._journal = journal
        self._unattended = unattended
        self._amendment_policy = _known_policy(amendment_policy)
        self._escalation_policy = _known_policy(escalation_policy)
        self._broker = ApprovalBroker(
            self._execution, self._bus.publish, timeout_s=approval_timeout
        )
        self._answers: dict[str, Answer] = {}
        self._facts: dict[str, CallFacts] = {}
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
        runner.event_sink, runner.approval_controller = self._bus.publish, self
        try:
            await runner.arun(state)
        except asyncio.CancelledError:
            self._mark_cancelled("stopped hard")
            raise
        except Exception as error:  # whatever it was, the goal must end and say so
            state.outcome, state.status = "incomplete", "error"
            state.error = f"{type(error).__name__}: {error}"
        finally:
            self._broker.deny_all("the run is over", close=True)
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
        facts = facts or await self._runner.facts_of(tool, tool_input)
        execution = self._execution.value
        question = self._question(approval_id, tool, reason, tool_input, facts)
        call = _approval(question)
        verdict = judge(
            facts,
            self._asking_policy(),
            plan_gate=False,
            trusted=execution.trusted_scope(call),
            grants=self.grants,
        )
        if isinstance(verdict, Allow) and verdict.via in ("trust", "grant"):
            answer = self._let_through(question, verdict)
        elif isinstance(verdict, Decide | Refuse):
            allowed = isinstance(verdict, Decide) and verdict.allowed
            answer = Answer(allowed=allowed, via="auto", note=verdict.reason)
            self._broker.announce(question, answer)
            self.state.denied_for_want_of_person += not allowed
        else:
            self._facts[approval_id] = facts
            answer = await self._broker.ask(question)
            self._facts.pop(approval_id, None)
        self._answers[approval_id] = answer
        return answer.allowed

    def answer_to(self, approval_id: str) -> Answer | None:
        """The answer behind `request_approval`'s yes or no, once; the runner asks for it."""
        return self._answers.pop(approval_id, None)

    async def resolve_approval(
        self,
        approval_id: str,
        *,
        allow: bool,
        remember: bool = False,
        reason: str = "",
        scope: str | None = None,
        edited: dict[str, Any] | None = None,
    ) -> None:
        """Decide a waiting call; an id that is settled already does nothing.

        `remember` with `allow` stores a grant where one may be given, and counts as once
        elsewhere. `scope` may be `turn` or `session` for trust in exactly this call. What was
        `edited` by hand is allowed once.
        """
        if not allow:
            self._broker.resolve(approval_id, Answer(allowed=False, note=reason))
            return
        waiting = approval_id if approval_id in self._facts else next(iter(self._facts), "")
        facts = self._facts.get(waiting)
        grant = grant_for(facts) if remember and facts is not None and edited is None else None
        trusted = _trust_scope(scope, facts) if edited is None else "once"
        granted_scope = "grant" if grant else trusted
        answer = Answer(allowed=True, scope=granted_scope, note=reason, edited=edited)
        if self._broker.resolve(approval_id, answer) and grant and grant not in self.grants:
            self.grants.append(grant)

    async def cancel(self, reason: str = "cancelled") -> None:
        """Stop the run at its next observation point, and answer no to what waits."""
        if self.cancel_reason is None:
            self.cancel_reason = reason
        self._runner.cancellation.cancel(reason)
        self._broker.deny_all("the run was cancelled", close=True)

    def deny_pending(self, note: str) -> None:
        """Answer no to what waits, in the engine's own name: plan mode was entered."""
        self._broker.deny_all(note)

    def _enter(self) -> None:
        if self._started:
            raise RuntimeError("this session has run already; start another for the next goal")
        if not self.admitted:
            outcome = self._execution.take(self._execution.value.begin_turn())
            if outcome.tag == "rejected":
                raise RuntimeError("another goal is running; wait for its end or cancel it")
        self._started = True
        self._began(self)

    def _leave(self) -> None:
        """Settle the turn machine, publish the report and the last event, close the stream."""
        state = self.state
        if state.outcome is None:
            state.outcome, state.status = "incomplete", state.status or "error"
        self.report = report_of(state, session_id=self.session_id, calls=self._runner.calls)
        self._settle_execution()
        self._bus.publish(
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

    def _asking_policy(self) -> ConsentPolicy:
        """The goal's rules, for a call that has to be asked about: no tier is let through."""
        return replace(
            self._runner.policy(),
            asked_tiers=frozenset(range(5)),
            unattended=self._unattended,
            amendment_policy=self._amendment_policy,
            escalation_policy=self._escalation_policy,
        )

    def _question(
        self, approval_id: str, tool: str, reason: str, given: dict[str, Any], facts: CallFacts
    ) -> ApprovalRequested:
        return ApprovalRequested(
            task_id=self.state.task_id,
            approval_id=approval_id,
            tool=tool,
            reason=reason,
            input=given,
            tier=facts.tier,
            grant_scope=facts.scope_words if grant_for(facts) is not None else None,
            preview=facts.preview,
            fingerprint=facts.fingerprint,
            confinement=facts.confinement,
        )

    def _let_through(self, question: ApprovalRequested, verdict: Allow) -> Answer:
        """Standing consent: recorded, not asked (there is no `approval_requested`)."""
        if verdict.via == "trust":
            scope = cast(Any, verdict.scope)
            self._execution.take(self._execution.value.auto_approve(_approval(question), scope))
        answer = Answer(allowed=True, via="grant", scope=verdict.scope, note=verdict.reason)
        self._broker.record(question, answer)
        return answer


def _approval(question: ApprovalRequested) -> ToolApproval:
    return ToolApproval(question.approval_id, question.tool, question.input, question.preview)


def _trust_scope(scope: str | None, facts: CallFacts | None) -> str:
    trustable = facts is not None and facts.grantable and facts.tier < 4
    trustable = trustable and facts is not None and facts.tool not in UNGRANTABLE_TOOLS
    return scope if scope in ("turn", "session") and trustable else "once"


def _known_policy(word: str) -> Literal["deny", "approve"]:
    if word == "approve":
        return "approve"
    if word == "deny":
        return "deny"
    raise ValueError(f"a policy is `deny` or `approve`, not {word!r}")
