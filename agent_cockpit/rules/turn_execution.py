"""The turn machine: what one sitting runs, waits for, has queued, and trusts.

"Turn" means one goal's run here, from the admitted prompt to its end; the name is the
specification's. Laws: every transition is pure and total; a rejected one returns the very
same state and says why; nothing raises but a word that is in no vocabulary (`ValueError`).

    idle ── begin_turn, admit_prompt ──> starting ── provider_started ──> thinking
    thinking ── tool_started ──> tool_execution ── last tool_completed ──> completion
    any active ── begin_completion ──> completion ── finish_completion ──> idle | starting
    any ── abort ──> idle        any ── fail ──> failure ── recover ──> idle

A waiting approval (`approval_waiting`) and a passing error lie over the active phases.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from agent_cockpit.events.harness import ToolEnd, ToolStart
from agent_cockpit.rules.consent.approval import ApprovalDecision, ToolApproval, TrustScope
from agent_cockpit.rules.consent.edit_boundary import EditBoundary
from agent_cockpit.rules.turn_phases import (
    Active,
    ActiveTool,
    Activity,
    ExecutionMode,
    Failure,
    Idle,
    Phase,
    ToolExecution,
)
from agent_cockpit.rules.turn_value import Content, TurnValue, absolute, known

PromptKind = Literal["steering", "follow_up"]
"""Steering joins the running goal, a follow-up waits for its end."""

OutcomeTag = Literal[
    "ok",
    "rejected",
    "idle",
    "send_next",
    "send_now",
    "queued",
    "accepted",
    "approved",
    "changed",
    "unchanged",
]


class Outcome(NamedTuple):
    """What an operation came to, and the state after it.

    `value` is the reason of a rejection (`turn_active invalid_phase no_pending_approval
    approval_not_found tool_already_active tool_not_active rejected`, or the text of a refused
    boundary), the contents to send after `send_next`, and else what the operation names.
    """

    tag: OutcomeTag
    value: Any
    state: TurnExecution


@dataclass(frozen=True, slots=True)
class TurnExecution(TurnValue):
    """One sitting's execution, a value whose operations give the next one.

    `ReplSession` holds the current one, and does what follows from a transition: it
    answers the approval and ends the tools that the state before it held.
    """

    # ── Beginnings ──────────────────────────────────────────────────────────────────────────

    @classmethod
    def new(cls, mode: ExecutionMode = "exec") -> TurnExecution:
        """Idle, with nothing queued, trusted or bounded."""
        return cls(mode)

    def reset(self) -> Outcome:
        """For a new conversation: everything goes, session trust and plan mode too."""
        return Outcome("ok", None, self.new())

    def restore(self) -> Outcome:
        """For a loaded conversation, once live work is cleaned up: the same as `reset`."""
        return Outcome("ok", None, self.new())

    # ── The run ─────────────────────────────────────────────────────────────────────────────

    def begin_turn(self) -> Outcome:
        """Start a run from rest; a failure's message is dropped."""
        if self.is_active:
            return self._reject("turn_active")
        return self._to(Active("starting"))

    def provider_started(self) -> Outcome:
        """The first model call was accepted: `starting` becomes `thinking`."""
        match self.phase_value:
            case Active(activity="starting", approval=None):
                return self._to(Active("thinking"))
            case _:
                return self._reject("invalid_phase")

    def begin_completion(self) -> Outcome:
        """The run comes to its end: tools, a waiting approval and the error are forgotten.

        Rejected after a failure too, so that a late end cannot revive a run that failed.
        """
        return self._to(Active("completion")) if self.is_active else self._reject("invalid_phase")

    def finish_completion(self) -> Outcome:
        """End the run: `idle`, or `send_next` with all that was queued, steering first.

        `send_next` is `starting` already; turn trust ended before it.
        """
        match self.phase_value:
            case Active(activity="completion", approval=None):
                waiting = self.steering_queue + self.follow_up_queue
                ended = replace(self._ended(Idle()), steering_queue=(), follow_up_queue=())
                if not waiting:
                    return Outcome("idle", None, ended)
                started = replace(ended, phase_value=Active("starting"))
                return Outcome("send_next", waiting, started)
            case _:
                return self._reject("invalid_phase")

    def queued_send_failed(self) -> Outcome:
        """What `send_next` gave could not be sent: idle, cleaned up as by `abort`.

        The contents do not come back: whoever was handed them still has them.
        """
        match self.phase_value:
            case Active(activity="starting", approval=None):
                return Outcome("ok", None, self._ended(Idle()))
            case _:
                return self._reject("invalid_phase")

    def abort(self) -> Outcome:
        """Back to idle from anywhere. Queues, boundaries, mode and session trust stay."""
        return Outcome("ok", None, self._ended(Idle()))

    def fail(self, message: str) -> Outcome:
        """Into failure from anywhere, else as `abort`."""
        return Outcome("ok", None, self._ended(Failure(message)))

    def report_error(self, message: str) -> Outcome:
        """Show an error that does not end the run; with no run on, it is a failure."""
        if isinstance(self.phase_value, Active):
            return self._to(replace(self.phase_value, error=message))
        return self.fail(message)

    def update_failure(self, message: str) -> Outcome:
        """Reword a failure."""
        match self.phase_value:
            case Failure():
                return self._to(Failure(message))
            case _:
                return self._reject("invalid_phase")

    def recover(self) -> Outcome:
        """`changed` from failure to idle, when the provider is back; else `unchanged`."""
        match self.phase_value:
            case Failure():
                return self._to(Idle(), "changed")
            case _:
                return Outcome("unchanged", None, self)

    # ── Approvals ───────────────────────────────────────────────────────────────────────────

    def request_approval(self, approval: ToolApproval) -> Outcome:
        """`accepted` when a run is on and no other call waits: the slot is one."""
        match self.phase_value:
            case Active(approval=None) as active:
                return self._to(replace(active, approval=approval), "accepted")
            case _:
                return self._reject("rejected")

    def resolve_approval(self, approval_id: str | None, decision: ApprovalDecision) -> Outcome:
        """`ok` with the call that waited, None meaning whichever it is; the run goes on
        where it was, and what was decided for a turn or a session is trusted from now on.
        """
        known(decision, ApprovalDecision)
        match self.phase_value:
            case Active(approval=ToolApproval() as approval) as active:
                if approval_id not in (None, approval.tool_call_id):
                    return self._reject("approval_not_found")
                trusting = self._trusting(approval.trust_key, _SCOPES.get(decision))
                return trusting._to(replace(active, approval=None), "ok", approval)
            case _:
                return self._reject("no_pending_approval")

    def auto_approve(self, approval: ToolApproval, scope: TrustScope) -> Outcome:
        """`approved` by trust, kept until the tool starts; `rejected` when no run is on.

        Both carry the call, since both have to be answered.
        """
        known(scope, TrustScope)
        if not self.is_active:
            return Outcome("rejected", approval, self)
        pending = {**self.pending_auto_approvals, approval.tool_call_id: scope}
        return Outcome("approved", approval, replace(self, pending_auto_approvals=pending))

    # ── Tools ───────────────────────────────────────────────────────────────────────────────

    def tool_name(self, tool_call_id: str) -> Outcome:
        """`ok` with the name of a running tool; else `tool_not_active`."""
        for tool in self.active_tools:
            if tool.tool_call_id == tool_call_id:
                return Outcome("ok", tool.name, self)
        return self._reject("tool_not_active")

    def tool_started(self, event: ToolStart) -> Outcome:
        """`ok` with the scope that answered for the call, None when a person did."""
        if not isinstance(self.phase_value, Active):
            return self._reject("invalid_phase")
        if self.tool_name(event.call_id).tag == "ok":
            return self._reject("tool_already_active")
        tools = (*self.active_tools, ActiveTool(event.call_id, event.tool))
        started = replace(self.phase_value, activity=ToolExecution(tools), error=None)
        scope = self.pending_auto_approvals.get(event.call_id)
        return self._without_auto_approval(event.call_id)._to(started, "ok", scope)

    def tool_completed(self, event: ToolEnd) -> Outcome:
        """Forget a running tool, however it ended; after the last one: `completion`."""
        if not isinstance(self.phase_value, Active) or self.tool_name(event.call_id).tag != "ok":
            return self._reject("tool_not_active")
        left = tuple(tool for tool in self.active_tools if tool.tool_call_id != event.call_id)
        activity: Activity = ToolExecution(left) if left else "completion"
        ended = replace(self.phase_value, activity=activity)
        return self._without_auto_approval(event.call_id)._to(ended)

    # ── Prompts ─────────────────────────────────────────────────────────────────────────────

    def admit_prompt(self, kind: PromptKind, content: Content) -> Outcome:
        """`send_now` starts a run and leaves the sending to the caller; `queued` behind one."""
        known(kind, PromptKind)
        if not self.is_active:
            return self._to(Active("starting"), "send_now")
        if kind == "steering":
            grown = replace(self, steering_queue=(*self.steering_queue, content))
        else:
            grown = replace(self, follow_up_queue=(*self.follow_up_queue, content))
        return Outcome("queued", None, grown)

    def dequeue_steering(self) -> Outcome:
        """`ok` with the steering prompts, which leave the queue; follow-ups stay."""
        return Outcome("ok", self.steering_queue, replace(self, steering_queue=()))

    def recall_queues(self) -> Outcome:
        """`ok` with steering and follow-ups, which both leave."""
        return Outcome("ok", self.queues, self.clear_queues().state)

    def clear_queues(self) -> Outcome:
        """Drop all that is queued."""
        return Outcome("ok", None, replace(self, steering_queue=(), follow_up_queue=()))

    # ── Mode ────────────────────────────────────────────────────────────────────────────────

    def enter_plan(self) -> Outcome:
        """Plan mode from now on; a waiting approval is dropped, running tools go on."""
        planning = replace(self, mode="plan")
        if isinstance(self.phase_value, Active):
            return planning._to(replace(self.phase_value, approval=None))
        return Outcome("ok", None, planning)

    def enter_exec(self) -> Outcome:
        """Leave plan mode: `changed`, or `unchanged` outside it."""
        if self.mode == "exec":
            return Outcome("unchanged", None, self)
        return Outcome("changed", None, replace(self, mode="exec"))

    # ── Trust and boundaries ────────────────────────────────────────────────────────────────

    def put_trust(self, name: str, scope: TrustScope) -> Outcome:
        """Trust a key, or every call of a tool; replaces the scope that it had."""
        known(scope, TrustScope)
        return Outcome("ok", None, self._trusting(name, scope))

    def revoke_trust(self, name: str | None = None) -> Outcome:
        """Stop trusting one name, or all; a name that is not trusted changes nothing."""
        kept = {key: scope for key, scope in self.trust_levels.items() if name not in (None, key)}
        return Outcome("ok", None, replace(self, trust_levels=kept))

    def set_boundary(self, path: str, start: int, end: int, *, cwd: str = "/") -> Outcome:
        """Allow edits of a file only from line `start` to `end`, from 0, both included.

        A relative path counts from `cwd`, links are not followed, and `~` is the caller's
        work. Replaces what was set; a rejection's value says what is wrong.
        """
        if not path:
            return self._reject("a boundary needs the path of a file")
        try:
            boundary = EditBoundary.new(start, end)
        except ValueError as error:
            return self._reject(str(error))
        bounded = {**self.boundaries, absolute(path, cwd): boundary}
        return Outcome("ok", None, replace(self, boundaries=bounded))

    def clear_boundary(self, path: str, *, cwd: str = "/") -> Outcome:
        """Lift one boundary, if there is one."""
        gone = absolute(path, cwd)
        kept = {held: lines for held, lines in self.boundaries.items() if held != gone}
        return Outcome("ok", None, replace(self, boundaries=kept))

    def clear_boundaries(self) -> Outcome:
        """Lift all boundaries."""
        return Outcome("ok", None, replace(self, boundaries={}))

    # ── Helpers ─────────────────────────────────────────────────────────────────────────────

    def _reject(self, reason: str) -> Outcome:
        return Outcome("rejected", reason, self)

    def _to(self, phase: Phase, tag: OutcomeTag = "ok", value: Any = None) -> Outcome:
        return Outcome(tag, value, replace(self, phase_value=phase))

    def _ended(self, phase: Phase) -> TurnExecution:
        """At rest, without anything that the run owned."""
        kept = {key: scope for key, scope in self.trust_levels.items() if scope != "turn"}
        return replace(self, phase_value=phase, trust_levels=kept, pending_auto_approvals={})

    def _trusting(self, name: str, scope: TrustScope | None) -> TurnExecution:
        if scope is None:
            return self
        return replace(self, trust_levels={**self.trust_levels, name: scope})

    def _without_auto_approval(self, tool_call_id: str) -> TurnExecution:
        pending = self.pending_auto_approvals
        kept = {held: scope for held, scope in pending.items() if held != tool_call_id}
        return replace(self, pending_auto_approvals=kept)


_SCOPES: dict[ApprovalDecision, TrustScope] = {"approve_session": "session", "approve_turn": "turn"}
