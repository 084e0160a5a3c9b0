"""The records of goals and of the sitting above them (documents 003 and 004; engine 2.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field

from agent_cockpit.events.checks import PlannedCheck, VerifierResult
from agent_cockpit.rules.checks.smoke_floor import FLOOR_KINDS
from agent_cockpit.rules.consent.grants import ApprovalGrant
from agent_cockpit.rules.modes import Mode, TaskKind
from agent_cockpit.settings import HarnessConfig

Outcome = Literal["success", "incomplete", "blocked", "failed"]


class CommandRecord(BaseModel):
    """One command that a goal ran."""

    step: int
    command: str
    exit_code: int | None = None
    summary: str = ""


class Evidence(BaseModel):
    """Something that happened and that later decisions rest on; append-only."""

    step: int
    kind: str
    summary: str
    detail: str | None = None


class DecisionRecord(BaseModel):
    """One decision of the model and what came of it."""

    step: int
    rationale: str = ""
    chosen: str = ""
    key: str = ""
    outcome: str = ""


class TaskState(BaseModel):
    """One goal's record; fresh for every goal. It round-trips through JSON."""

    model_config = ConfigDict(validate_assignment=False)

    task_id: str = Field(default_factory=lambda: uuid4().hex)
    goal: str
    constraints: list[str] = Field(default_factory=list)
    task_kind: TaskKind = "edit"
    mode_source: str | None = None
    is_plan: bool = False
    is_build: bool = False
    phase: Literal["investigating", "editing", "verifying"] = "investigating"
    outcome: Outcome | None = None
    status: str | None = None
    """How the loop stopped: completed, max_turns, cancelled, model_error, error."""
    error: str | None = None
    stop_reason: str | None = None

    iterations: int = 0
    consecutive_failures: int = 0
    refusals: int = 0
    denied_for_want_of_person: int = 0
    repair_failures: int = 0
    declaration_nudges: int = 0
    escalated: bool = False
    continues: str | None = None
    """The goal whose question this one answers."""
    escalation_thrash_streak: int = 0
    escalation_nudged: bool = False
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    cost: float = 0.0
    """In dollars, by the prices of the settings; 0 without any."""

    files_read: set[str] = Field(default_factory=set)
    files_modified: set[str] = Field(default_factory=set)
    inspected: set[str] = Field(default_factory=set)
    """What else was looked at: search hits, commands, grounded references."""
    commands_run: list[CommandRecord] = Field(default_factory=list)
    evidence: list[Evidence] = Field(default_factory=list)
    decisions: list[DecisionRecord] = Field(default_factory=list)
    verifier_results: list[VerifierResult] = Field(default_factory=list)
    verification_plan: list[PlannedCheck] | None = None
    declared_change_kinds: list[str] | None = None
    current_plan: list[str] = Field(default_factory=list)
    open_questions: list[str] = Field(default_factory=list)
    latest_error: str | None = None
    final_answer: str | None = None
    last_text: str | None = None

    @property
    def terminal(self) -> bool:
        """Whether the goal is over."""
        return self.outcome is not None

    def add_feedback(self, summary: str, detail: str | None = None, kind: str = "feedback") -> None:
        """Append evidence at the present turn."""
        self.evidence.append(
            Evidence(step=self.iterations, kind=kind, summary=summary, detail=detail)
        )

    def freeze_verification_plan(self, checks: list[PlannedCheck]) -> None:
        """Fix what done means; a second freeze raises `RuntimeError`."""
        if self.verification_plan is not None:
            raise RuntimeError("the verification plan is frozen already")
        self.verification_plan = list(checks)

    def lay_floor(self, check: PlannedCheck | None) -> bool:
        """Put the engine's own check below the plan, in place of an earlier one; whether the
        plan is another now. `RuntimeError` before the freeze."""
        if self.verification_plan is None:
            raise RuntimeError("there is no frozen verification plan to lay a floor under")
        before = self.verification_plan
        kept = [known for known in before if known.kind not in FLOOR_KINDS]
        self.verification_plan = kept if check is None else [*kept, check]
        return self.verification_plan != before

    def amend_declared_contract(self, checks: list[PlannedCheck]) -> None:
        """Replace only the `declared` checks, new ones first; `RuntimeError` before the freeze."""
        if self.verification_plan is None:
            raise RuntimeError("there is no frozen verification plan to amend")
        kept = [check for check in self.verification_plan if check.kind != "declared"]
        self.verification_plan = [*checks, *kept]

    def block(self, reason: str) -> None:
        """End the goal as blocked, with the reason as evidence."""
        self.add_feedback(reason, kind="blocker")
        self.outcome = "blocked"


class Turn(BaseModel):
    """One prompt of the person or one reply of the agent."""

    model_config = ConfigDict(frozen=True)

    role: Literal["user", "agent"]
    text: str
    task_id: str | None = None


class SessionState(BaseModel):
    """What a sitting's person and agent have said and done; grants die with it."""

    session_id: str
    workspace_root: str
    config: HarnessConfig
    history: list[Turn] = Field(default_factory=list)
    tasks: list[TaskState] = Field(default_factory=list)
    grants: list[ApprovalGrant] = Field(default_factory=list)
    mode: Mode | None = None


@dataclass(frozen=True)
class MetaResult:
    """What a local command came to: `kind` says what to do with `text`; a prompt is sent as
    if the person had typed it, and what was `told` stands in the sitting's events already.
    `failed`: it did not do what was asked, and `text` says why."""

    kind: Literal["message", "mode_set", "state", "diff", "prompt", "told", "quit"]
    text: str
    failed: bool = False


@dataclass(frozen=True)
class PlanDecision:
    """The person's decision on a plan: `approved` with the text to build (empty: as proposed),
    or a revision note (empty: revise as you see fit). `accept_edits`, of an approved plan: edits
    run without a question for the rest of the sitting."""

    approved: bool
    text: str
    accept_edits: bool = False


class Usage(BaseModel):
    """Tokens of one goal."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0


class ToolCallRecord(BaseModel):
    """One call of a goal that was executed or denied."""

    id: str
    name: str
    args: dict[str, Any] = Field(default_factory=dict)
    ok: bool = True
    summary: str = ""
    exit_code: int | None = None
    denial_reason: str | None = None


class Report(BaseModel):
    """How one goal went; per goal, never cumulative. `turns` counts model calls."""

    schema_version: Literal[1] = 1
    status: str = "completed"
    outcome: str | None = None
    final_message: str | None = None
    turns: int = 0
    tool_calls: list[ToolCallRecord] = Field(default_factory=list)
    usage: Usage = Field(default_factory=Usage)
    session_id: str = ""
    stop_reason: str | None = None
    error: str | None = None
    files_changed: list[str] = Field(default_factory=list)
    verification: VerifierResult | None = None
