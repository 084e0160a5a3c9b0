"""The closed, versioned union of the 19 events that one goal's run is made of
(spec: the session document; fields in engine section 1.2, additions in contracts 3)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from agent_cockpit.events.base import Event
from agent_cockpit.events.checks import CheckResult, PlannedCheck
from agent_cockpit.events.consent import AskedPart, ConsentScope


class AgentStart(Event):
    """First event of a goal's run."""

    type: Literal["agent_start"] = "agent_start"
    goal: str = ""
    task_kind: str = ""
    mode_source: str | None = None
    """`override`, `classifier`, `heuristic`, or None when nobody routed."""


class AgentEnd(Event):
    """Last event of a goal's run, exactly once, however it ended."""

    type: Literal["agent_end"] = "agent_end"
    outcome: str | None = None
    status: str | None = None
    error: str | None = None


class TurnStart(Event):
    """A turn (one model call and its tool calls) begins; `iteration` counts from 1."""

    type: Literal["turn_start"] = "turn_start"
    iteration: int = 0


class TurnEnd(Event):
    """The turn is over, also when it was cut short."""

    type: Literal["turn_end"] = "turn_end"


class PhaseChanged(Event):
    """The work moved between investigating, editing and verifying."""

    type: Literal["phase_changed"] = "phase_changed"
    old: str
    new: str


class DeclarationRequired(Event):
    """An edit was refused because no way of checking it is known or declared yet."""

    type: Literal["declaration_required"] = "declaration_required"
    nudge: int = 0
    max_nudges: int = 0


class ModelDecisionEvent(Event):
    """One decision of the model: a call, a final answer, or a question."""

    type: Literal["model_decision"] = "model_decision"
    thought: str = ""
    action_type: str = ""
    """`tool_call`, `final_answer` or `ask_user`."""
    action: str = ""
    transport: str = ""


class ModelUpdate(Event):
    """A piece of the text that the model is writing; the only sheddable harness event."""

    type: Literal["model_update"] = "model_update"
    delta: str = ""
    channel: Literal["display"] = "display"
    kind: Literal["answer", "thought"] = "answer"


class ToolStart(Event):
    """A call begins to run, after permission was given."""

    type: Literal["tool_start"] = "tool_start"
    call_id: str = ""
    tool: str
    input: dict[str, Any] = Field(default_factory=dict)
    allowed_by: str = ""
    """Why nobody had to be asked, or how a person's yes came; in words."""


class ToolEnd(Event):
    """A call has its result; a refused call has this event without a `tool_start`."""

    type: Literal["tool_end"] = "tool_end"
    call_id: str = ""
    tool: str
    success: bool
    summary: str = ""
    content: str = ""
    diff: str = ""
    """Unified diff of what an edit changed, else empty."""
    exit_code: int | None = None
    duration_ms: int | None = None
    refused: bool = False
    """The call never ran: plan gate, rule, denial, or bad input."""
    stopped: bool = False
    """The call ran and was stopped before its own end, by a cancel."""


class ApprovalRequested(Event):
    """A person must decide; nothing of this call runs until then."""

    type: Literal["approval_requested"] = "approval_requested"
    approval_id: str
    tool: str
    reason: str = ""
    input: dict[str, Any] = Field(default_factory=dict)
    tier: int | None = None
    grant_scope: str | None = None
    """What `[a]` would cover, in words; None: `[a]` does not apply."""
    preview: str = ""
    """The diff of an edit, or the analysed parts of a command, one a line."""
    fingerprint: str = ""
    """Of the file that would be changed, as it was shown."""
    confinement: str = ""
    """What the sandbox would leave to a command, or that there is none, in words."""
    scopes: list[ConsentScope] = Field(default_factory=list)
    """How far a yes may reach, narrow to wide; empty: once, and what `grant_scope` says."""
    parts: list[AskedPart] = Field(default_factory=list)
    """The simple commands of a line, as they were analysed."""
    hunks: int = 0
    """How many hunks of `preview` may be taken or refused alone; 0: all or nothing."""


class ApprovalResolved(Event):
    """The decision about one call, and who or what took it."""

    type: Literal["approval_resolved"] = "approval_resolved"
    approval_id: str
    allowed: bool
    via: Literal["human", "grant", "auto"] = "human"
    scope: str | None = None
    """`once`, `turn`, `session`, `grant`, or None on a denial."""
    note: str = ""
    edited: dict[str, Any] | None = None
    kept: list[int] | None = None
    """The hunks of an edit that were allowed, counted from 0; None: all of it."""


class DecisionError(Event):
    """The model's output could not be used; `recovered` says whether a retry made it good."""

    type: Literal["decision_error"] = "decision_error"
    error: str = ""
    raw: str = ""
    recovered: bool = True


class ModelUsage(Event):
    """Tokens of one model call, as the server reported them; `cost` in dollars, by the prices
    that were set then, 0 without any."""

    type: Literal["model_usage"] = "model_usage"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    cost: float = 0.0


class VerificationPlanFrozen(Event):
    """From now on these checks, and no others, decide what done means."""

    type: Literal["verification_plan_frozen"] = "verification_plan_frozen"
    checks: list[PlannedCheck] = Field(default_factory=list)
    change_kinds: list[str] | None = None


class VerificationStart(Event):
    """The verifier begins to run the frozen checks."""

    type: Literal["verification_start"] = "verification_start"


class VerificationEnd(Event):
    """The verdict."""

    type: Literal["verification_end"] = "verification_end"
    passed: bool
    summary: str = ""
    checks: list[CheckResult] = Field(default_factory=list)


class CancellationObserved(Event):
    """The run saw that it was cancelled, and stops."""

    type: Literal["cancellation_observed"] = "cancellation_observed"
    reason: str = ""


class TaskEscalated(Event):
    """An investigation became an edit goal, with a person's consent."""

    type: Literal["task_escalated"] = "task_escalated"
    from_kind: str = "investigate"
    to_kind: str = "edit"
    trigger: str = "model"


HARNESS_EVENT_TYPES: tuple[type[Event], ...] = (
    AgentStart,
    AgentEnd,
    TurnStart,
    TurnEnd,
    PhaseChanged,
    DeclarationRequired,
    ModelDecisionEvent,
    ModelUpdate,
    ToolStart,
    ToolEnd,
    ApprovalRequested,
    ApprovalResolved,
    DecisionError,
    ModelUsage,
    VerificationPlanFrozen,
    VerificationStart,
    VerificationEnd,
    CancellationObserved,
    TaskEscalated,
)

HarnessEvent = Annotated[
    AgentStart
    | AgentEnd
    | TurnStart
    | TurnEnd
    | PhaseChanged
    | DeclarationRequired
    | ModelDecisionEvent
    | ModelUpdate
    | ToolStart
    | ToolEnd
    | ApprovalRequested
    | ApprovalResolved
    | DecisionError
    | ModelUsage
    | VerificationPlanFrozen
    | VerificationStart
    | VerificationEnd
    | CancellationObserved
    | TaskEscalated,
    Field(discriminator="type"),
]
