"""Everything that one running goal works with, in one place: its record, its parts, its voice."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from agent_cockpit.engine.baseline import Baseline
from agent_cockpit.engine.consent.broker import Answer
from agent_cockpit.engine.execution import ExecutionCell
from agent_cockpit.engine.goals.proof import Proof
from agent_cockpit.engine.goals.repeats import Repeats
from agent_cockpit.engine.model.conversation import Conversation
from agent_cockpit.engine.ports import Approver, CheckTrust, Planner, ToolBox
from agent_cockpit.engine.record.past import REFUSALS_KEPT, refusal_words
from agent_cockpit.engine.state import TaskState
from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import PhaseChanged, TaskEscalated
from agent_cockpit.events.messages import ToolUseBlock
from agent_cockpit.events.sitting import Notice
from agent_cockpit.rules.consent.edit_boundary import EditBoundary
from agent_cockpit.rules.consent.escalation import as_escalation
from agent_cockpit.rules.consent.permission import ConsentPolicy
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.rules.undoing import Work
from agent_cockpit.settings import HarnessConfig
from agent_cockpit.tools.protocol import Tool
from agent_cockpit.workspace.cancellation import CancellationToken
from agent_cockpit.workspace.workspace import Workspace

CHECK_TOOLS = frozenset({"run_tests", "run_linter"})


class ApprovalController(Protocol):
    """Who answers for a call that has to be asked about: the goal's `Session`."""

    async def request_approval(
        self,
        approval_id: str,
        tool: str,
        reason: str,
        tool_input: dict[str, Any],
        *,
        facts: CallFacts | None = None,
    ) -> bool: ...

    def answer_to(self, approval_id: str) -> Answer | None: ...


@dataclass(frozen=True, slots=True)
class RanCommand:
    """A command and the time in which it ran, in nanoseconds of the machine's clock."""

    call: ToolUseBlock
    command: str
    began_ns: int
    ended_ns: int


@dataclass(kw_only=True)
class Goal:
    """One goal at work; owned by its runner, used by nobody after the run."""

    state: TaskState
    config: HarnessConfig
    workspace: Workspace
    toolbox: ToolBox
    conversation: Conversation
    execution: ExecutionCell
    cancellation: CancellationToken
    baseline: Baseline
    found: Baseline
    """The tree as this very goal found it; a goal that goes on with another's work is measured
    by the other's `baseline`."""
    proof: Proof
    approver: Approver
    check_trust: CheckTrust
    policy: Callable[[], ConsentPolicy]
    controller: Callable[[], ApprovalController]
    publish: Callable[[Event], Event]
    sync: Callable[[], Awaitable[None]]
    refused: list[str]
    """Refusals of the whole sitting, newest last, for the next goal's instructions."""
    repeats: Repeats = field(default_factory=Repeats)
    planner: Planner | None = None
    """Proposes checks where none is known; asked once."""
    unattended: bool = False
    waited_s: float = 0.0
    """Seconds that a person took to decide; the wall clock does not count them."""
    mutated: bool = False
    """Whether a call ran that may have changed something."""
    work: list[Work] = field(default_factory=list)
    """Every call that may have changed something, and when it ran."""
    is_tree_told: bool = False
    """Whether the record knows the snapshot that the goal began with."""
    foreign: set[str] = field(default_factory=set)
    """Files that somebody else changed before this goal's edits did."""
    ran_while_planning: list[RanCommand] = field(default_factory=list)
    """Commands of a plan goal, whose tree is compared because they ran."""

    def admitted_tools(self) -> tuple[Tool, ...]:
        """The tools that the model is offered now."""
        state = self.state
        return self.toolbox.admitted_for(state.phase, state.task_kind, plan=state.is_plan)

    @property
    def plan_gate(self) -> bool:
        """Whether only reading is possible, as of now."""
        return self.state.is_plan or self.execution.value.mode == "plan"

    def change_phase(self, new: Literal["investigating", "editing", "verifying"]) -> None:
        """Move the work to another phase and say so."""
        if self.state.phase != new:
            old, self.state.phase = self.state.phase, new
            self.publish(PhaseChanged(task_id=self.state.task_id, old=old, new=new))

    def escalate(self) -> None:
        """Make an investigation an edit goal, once, as a person allowed."""
        if self.state.task_kind == "investigate" and not self.state.escalated:
            self.state.escalated, self.state.task_kind = True, "edit"
            self.state.add_feedback("the goal may edit now", kind="escalation")
            trigger = "thrash" if self.state.escalation_nudged else "model"
            self.publish(TaskEscalated(task_id=self.state.task_id, trigger=trigger))

    def as_judged(self, facts: CallFacts) -> CallFacts:
        """The facts of a call with what this goal makes of it."""
        kind = "" if self.plan_gate else self.state.task_kind
        return as_escalation(self.with_check_trust(facts), self.policy(), task_kind=kind)

    def with_check_trust(self, facts: CallFacts) -> CallFacts:
        """Facts of a check's run, asked about as long as this folder's checks are not trusted."""
        if facts.tool not in CHECK_TOOLS or facts.command is None:
            return facts
        if self.check_trust.is_trusted((self._check_behind(facts.command),)):
            return facts
        reason = "runs this folder's own check for the first time"
        shown = facts.preview or f"$ {facts.command}"
        return replace(
            facts, tier=3, reason=reason, preview=shown, grantable=False, scope_words=None
        )

    def checks_were_trusted(self, facts: CallFacts) -> None:
        """Remember a person's yes to this folder's check."""
        if facts.tool in CHECK_TOOLS and facts.command is not None:
            self.check_trust.trust((self._check_behind(facts.command),))

    def shift_boundary(self, path: str, shifts: tuple[tuple[int, int], ...]) -> None:
        """Move the edit boundary of a file that the goal's own edit made longer or shorter."""
        where = str(self.workspace.root / path)
        boundary = self.execution.value.boundary(where)
        if boundary is None:
            return
        bound = EditBoundary.new(*boundary)
        for line, delta in shifts:
            bound = bound.adjust(line, delta)
        self.execution.take(self.execution.value.set_boundary(where, bound.start, bound.end))

    def _check_behind(self, command: str) -> str:
        """The check that a command runs, without a target that a call named in addition."""
        known = (check.command for check in self.proof.checks)
        return next((own for own in known if command.startswith(f"{own} ")), command)

    def tell_of_lost_baseline(self) -> None:
        """Say once that changes cannot be measured, before the first of them is made."""
        if self.baseline.failure is None or self.mutated:
            return
        text = f"Changes of this goal cannot be compared or undone: {self.baseline.failure}"
        self.publish(Notice(task_id=self.state.task_id, level="warning", text=text))

    def remember_refusal(self, call: ToolUseBlock, why: str) -> None:
        """Keep a refusal for the instructions of later goals; the newest few stay."""
        self.refused.append(refusal_words(call.name, call.input, why))
        del self.refused[:-REFUSALS_KEPT]
