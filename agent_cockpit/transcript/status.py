"""What the status line and the panels know: one frozen value; `advancing` moves it on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agent_cockpit.events.plans import PlanStepState
from agent_cockpit.transcript.approval_view import ApprovalView
from agent_cockpit.transcript.work import FileChange, Job


@dataclass(frozen=True, kw_only=True)
class Status:
    """Where the sitting stands.

    `activity` is `idle`, `thinking`, `writing`, what a call does (`testing`, `running …`),
    `waiting for you`, `verifying`, `retrying` or `stopping`. `gate` is the turn machine's
    mode: `exec`, or `plan` while changes are refused. `phase` is the work's (investigating,
    editing, verifying). `approvals` are in the order they were asked. Token totals
    are the sitting's; `context_window` is 0 while unknown.
    """

    is_running: bool = False
    activity: str = "idle"
    gate: str = "exec"
    task_kind: str = ""
    mode_source: str | None = None
    phase: str = ""
    outcome: str | None = None
    verdict: bool | None = None
    provider: str = ""
    model: str = ""
    workspace: str = ""
    sandbox: str = ""
    branch: str = ""
    """Empty outside a repository; a short commit id where no branch is checked out."""
    context_tokens: int = 0
    context_window: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    cost: float = 0.0
    """Of the sitting, in dollars; 0 where no prices are set."""
    turns: int = 0
    steering: int = 0
    follow_up: int = 0
    queued: tuple[tuple[str, str], ...] = ()
    """(kind, cleaned text) of prompts that wait, oldest first."""
    approvals: tuple[ApprovalView, ...] = ()
    ahead: tuple[ApprovalView, ...] = ()
    """Calls that will ask after those; they may be answered already."""
    running_calls: tuple[Job, ...] = ()
    checking: Job | None = None
    """The check that the verifier runs now."""
    changes: tuple[FileChange, ...] = ()
    """Files that edits of this sitting changed."""
    plan: str | None = None
    """The text of a plan that waits for a decision, cleaned."""
    plan_steps: tuple[PlanStepState, ...] = ()
    """Of the plan that is built, with how far each one is; on one safe line each."""
    plan_strays: tuple[str, ...] = ()
    """Files that the build changed and the plan does not name."""
    error: str | None = None

    @property
    def context_percent(self) -> int | None:
        """How full the model's window is; None while its size is unknown."""
        if self.context_window <= 0:
            return None
        return min(999, round(100 * self.context_tokens / self.context_window))

    def but(self, **changes: Any) -> Status:
        """The same with other values, without asking for each field as `dataclasses.replace`
        does: that took half of the time in which a long past is told again."""
        changed = object.__new__(Status)
        vars(changed).update(vars(self), **changes)
        if len(vars(changed)) > len(vars(self)):
            raise TypeError(f"a status has not all of {', '.join(changes)}")
        return changed
