"""A person's answers to the calls of one goal: what is asked, what a yes keeps, what is edited.

Laws: nothing wider is kept than was offered with the question; an answer to an edited call is
an answer to that call as it was shown, once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, cast

from agent_cockpit.engine.consent.broker import Answer, ApprovalBroker
from agent_cockpit.engine.consent.ledger import Ledger
from agent_cockpit.engine.execution import ExecutionCell
from agent_cockpit.engine.state import TaskState
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.events.ahead import CallsAhead
from agent_cockpit.events.base import Event
from agent_cockpit.events.consent import AskedPart, ConsentScope
from agent_cockpit.events.harness import ApprovalRequested
from agent_cockpit.rules.consent.approval import ToolApproval
from agent_cockpit.rules.consent.escalation import as_escalation
from agent_cockpit.rules.consent.grants import ApprovalGrant, grant_for
from agent_cockpit.rules.consent.permission import (
    Allow,
    Ask,
    ConsentPolicy,
    Decide,
    Refuse,
    Scope,
    Verdict,
    judge,
)
from agent_cockpit.rules.consent.scopes import SeenCall, widths
from agent_cockpit.rules.facts import CallFacts


class Judging(Protocol):
    """What consent needs of the goal's runner."""

    @property
    def execution(self) -> ExecutionCell: ...
    def policy(self) -> ConsentPolicy: ...
    async def facts_of(self, tool: str, tool_input: dict[str, Any]) -> CallFacts: ...
    async def facts_to_show(self, tool: str, tool_input: dict[str, Any]) -> CallFacts: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What decides where no person does."""

    unattended: bool
    amendment_policy: Literal["deny", "approve"]
    escalation_policy: Literal["deny", "approve"]


@dataclass(slots=True)
class _Waiting:
    """A question that is open, and the call as a person changed it, once it was shown so."""

    question: ApprovalRequested
    facts: CallFacts
    verdict: Ask
    reconsidered: tuple[dict[str, Any], CallFacts] | None = None


class Consent:
    """Asks for one goal. `grants` and `ledger` are the sitting's, used by reference."""

    def __init__(
        self,
        runner: Judging,
        state: TaskState,
        publish: Callable[[Event], Event],
        *,
        rules: Rules,
        grants: list[ApprovalGrant],
        ledger: Ledger,
        timeout_s: float | None,
    ) -> None:
        self._runner = runner
        self._state = state
        self._rules = rules
        self._grants = grants
        self._ledger = ledger
        self._broker = ApprovalBroker(runner.execution, publish, timeout_s=timeout_s)
        self._answers: dict[str, Answer] = {}
        self._waiting: dict[str, _Waiting] = {}
        self._ahead: dict[str, CallFacts] = {}
        self._early: dict[str, Answer] = {}
        self._publish = publish

    async def request(
        self,
        approval_id: str,
        tool: str,
        reason: str,
        tool_input: dict[str, Any],
        facts: CallFacts | None,
    ) -> bool:
        """Whether the call may run: by trust, by a grant, by policy, or by a person's answer.

        Trust and grants are recorded without a question; everything else is announced first.
        """
        facts = facts or await self._runner.facts_of(tool, tool_input)
        call = ToolApproval(approval_id, tool, tool_input, facts.preview)
        trusted = self._runner.execution.value.trusted_scope(call)
        verdict = self._verdict(facts, trusted)
        question = self._question(call, reason, facts, verdict)
        self._ledger.seen.append(SeenCall(self._state.task_id, call.trust_key, facts))
        shown, early = self._ahead.pop(approval_id, None), self._early.pop(approval_id, None)
        if early is not None and shown == facts and isinstance(verdict, Ask):
            answer = self._broker.announce(question, early)
        elif isinstance(verdict, Allow) and verdict.via in ("trust", "grant"):
            answer = self._let_through(question, call, verdict)
        elif isinstance(verdict, Decide | Refuse):
            allowed = isinstance(verdict, Decide) and verdict.allowed
            answer = Answer(allowed=allowed, via="auto", note=verdict.reason)
            self._broker.announce(question, answer)
            self._state.denied_for_want_of_person += not allowed
        else:
            asked = verdict if isinstance(verdict, Ask) else Ask(verdict.reason)
            self._waiting[approval_id] = _Waiting(question, facts, asked)
            try:
                answer = await self._broker.ask(question)
            finally:
                self._waiting.pop(approval_id, None)
        self._answers[approval_id] = answer
        return answer.allowed

    def look_ahead(self, calls: Sequence[tuple[ToolApproval, str, CallFacts]]) -> None:
        """Announce calls that come behind the one that is asked about now, as they are now.

        An answer to one of them is kept until its turn, and holds if the call still comes to
        the same then.
        """
        questions: list[ApprovalRequested] = []
        for call, reason, facts in calls:
            verdict = self._verdict(facts, self._runner.execution.value.trusted_scope(call))
            call_id = call.tool_call_id
            if self._ahead.get(call_id) != facts:
                self._early.pop(call_id, None)
            if isinstance(verdict, Ask) and call_id not in self._early:
                self._ahead[call_id] = facts
                questions.append(self._question(call, reason, facts, verdict))
        if questions or self._ahead:
            self._publish(CallsAhead(task_id=self._state.task_id, questions=questions))

    def answer_to(self, approval_id: str) -> Answer | None:
        """The answer behind `request`'s yes or no, once."""
        return self._answers.pop(approval_id, None)

    async def reconsider(self, approval_id: str, edited: dict[str, Any]) -> ApprovalRequested:
        """The question as it would be if the call were `edited`; nothing is decided by it.

        Raises `PersonCanAct` with what is wrong where that call could not run.
        """
        waiting = self._waiting.get(approval_id)
        if waiting is None:
            raise PersonCanAct("this call does not wait any more")
        tool = waiting.question.tool
        facts = await self._runner.facts_to_show(tool, edited)
        facts = as_escalation(facts, self._runner.policy(), task_kind=self._state.task_kind)
        verdict = self._verdict(facts, None)
        if isinstance(verdict, Refuse):
            raise PersonCanAct(verdict.reason)
        waiting.reconsidered = (edited, facts)
        call = ToolApproval(approval_id, tool, edited, facts.preview)
        once = replace(_asking(verdict), grant_scope=None, trustable=False)
        return self._question(call, verdict.reason, facts, once)

    def resolve(
        self,
        approval_id: str,
        *,
        allow: bool,
        remember: bool,
        reason: str,
        scope: str | None,
        edited: dict[str, Any] | None,
        kept: tuple[int, ...] | None,
    ) -> None:
        """Decide a waiting call; an id that is settled already does nothing."""
        if approval_id in self._ahead:
            width = "once" if allow else None
            self._early[approval_id] = Answer(allowed=allow, scope=width, note=reason)
            return
        if not allow or kept == ():
            self._broker.resolve(approval_id, Answer(allowed=False, note=reason))
            return
        known = approval_id if approval_id in self._waiting else next(iter(self._waiting), "")
        waiting = self._waiting.get(known)
        fingerprint = ""
        if waiting is not None and edited is not None and waiting.reconsidered is not None:
            shown, facts = waiting.reconsidered
            fingerprint = facts.fingerprint if shown == edited else ""
        changed = edited is not None or kept is not None
        width, grant = ("once", None) if changed else _width(scope, remember, waiting)
        answer = Answer(
            allowed=True,
            scope=width,
            note=reason,
            edited=edited,
            kept=kept,
            shown_fingerprint=fingerprint,
        )
        if not self._broker.resolve(approval_id, answer):
            return
        if grant and grant not in self._grants:
            self._grants.append(grant)
        if grant:
            self._ledger.gave(grant)
        elif width in ("turn", "session") and waiting is not None:
            self._ledger.gave(
                ToolApproval("", waiting.question.tool, waiting.question.input).trust_key
            )

    def deny_all(self, note: str, *, close: bool = False) -> None:
        """Answer no to what waits, in the engine's own name; `close`: also to all that comes."""
        self._ahead.clear()
        self._early.clear()
        self._broker.deny_all(note, close=close)

    def _verdict(self, facts: CallFacts, trusted: Scope | None) -> Verdict:
        """The goal's rules, for a call that has to be asked about: no tier is let through."""
        policy = replace(
            self._runner.policy(),
            asked_tiers=frozenset(range(5)),
            unattended=self._rules.unattended,
            amendment_policy=self._rules.amendment_policy,
            escalation_policy=self._rules.escalation_policy,
        )
        return judge(facts, policy, plan_gate=False, trusted=trusted, grants=self._grants)

    def _question(
        self, call: ToolApproval, reason: str, facts: CallFacts, verdict: Verdict
    ) -> ApprovalRequested:
        kept = _asking(verdict)
        seen = SeenCall(self._state.task_id, call.trust_key, facts)
        offered = widths(
            seen,
            trustable=kept.trustable,
            grantable=kept.grant_scope is not None,
            seen=self._ledger.seen,
        )
        return ApprovalRequested(
            task_id=self._state.task_id,
            approval_id=call.tool_call_id,
            tool=call.name,
            reason=reason,
            input=dict(call.args),
            tier=facts.tier,
            grant_scope=kept.grant_scope,
            preview=facts.preview,
            fingerprint=facts.fingerprint,
            confinement=facts.confinement,
            scopes=[
                ConsentScope(scope=each.scope, covers=each.covers, seen=each.seen)
                for each in offered
            ],
            parts=[
                AskedPart(
                    text=part.text,
                    tier=part.tier,
                    reason=part.reason,
                    reads=list(part.reads),
                    writes=list(part.writes),
                    network=part.network,
                )
                for part in facts.parts
            ],
            hunks=facts.hunks,
        )

    def _let_through(
        self, question: ApprovalRequested, call: ToolApproval, verdict: Allow
    ) -> Answer:
        """Standing consent: recorded, not asked (there is no `approval_requested`)."""
        if verdict.via == "trust":
            execution = self._runner.execution
            execution.take(execution.value.auto_approve(call, cast(Any, verdict.scope)))
        answer = Answer(allowed=True, via="grant", scope=verdict.scope, note=verdict.reason)
        self._broker.record(question, answer)
        return answer


def _asking(verdict: Verdict) -> Ask:
    """What may be kept of a yes; of a verdict that asks nobody, nothing."""
    return verdict if isinstance(verdict, Ask) else Ask(verdict.reason)


def _width(
    scope: str | None, remember: bool, waiting: _Waiting | None
) -> tuple[str, ApprovalGrant | None]:
    """How far a yes reaches, and the grant that it stores."""
    if waiting is None:
        return "once", None
    if (remember or scope == "grant") and waiting.verdict.grant_scope is not None:
        return "grant", grant_for(waiting.facts)
    if scope in ("turn", "session") and waiting.verdict.trustable:
        return scope, None
    return "once", None
