"""The phases of one goal's run, as values, and the names that they are known by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from agent_cockpit.rules.consent.approval import ToolApproval

ExecutionMode = Literal["exec", "plan"]
PhaseName = Literal[
    "idle", "starting", "thinking", "approval_waiting", "tool_execution", "completion", "failure"
]
Status = Literal["idle", "plan", "thinking", "tool_executing", "error"]


class ActiveTool(NamedTuple):
    """A tool that runs; the id is its identity, the name is for people."""

    tool_call_id: str
    name: str


@dataclass(frozen=True, slots=True)
class ToolExecution:
    """At least one tool runs; `tools` in the order in which they were started."""

    tools: tuple[ActiveTool, ...]


Activity = Literal["starting", "thinking", "completion"] | ToolExecution


@dataclass(frozen=True, slots=True)
class Idle:
    """No run, and none has failed."""


@dataclass(frozen=True, slots=True)
class Active:
    """A run. A waiting approval and a passing error lie over what it does, and change
    nothing of it."""

    activity: Activity
    approval: ToolApproval | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """No run; the last one failed, and the person should see why."""

    message: str


Phase = Idle | Active | Failure


def phase_name(phase: Phase) -> PhaseName:
    """The phase in one word; a waiting approval names it, whatever lies below."""
    match phase:
        case Idle():
            return "idle"
        case Failure():
            return "failure"
        case Active(activity, approval):
            if approval is not None:
                return "approval_waiting"
            return "tool_execution" if isinstance(activity, ToolExecution) else activity


def status_of(mode: ExecutionMode, phase: Phase) -> Status:
    """The public status: plan mode hides everything, an error hides the activity.

    A run that starts still counts as idle here; whoever asks whether a prompt would be
    sent at once asks `TurnExecution.is_active`.
    """
    if mode == "plan":
        return "plan"
    match phase:
        case Idle():
            return "idle"
        case Failure() | Active(error=str()):
            return "error"
        case Active(activity="starting"):
            return "idle"
        case Active(activity="thinking"):
            return "thinking"
        case Active():
            return "tool_executing"


def tools_of(phase: Phase) -> tuple[ActiveTool, ...]:
    """The tools that run in this phase, in start order."""
    match phase:
        case Active(activity=ToolExecution(tools)):
            return tools
        case _:
            return ()
