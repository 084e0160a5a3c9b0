"""The value that the turn machine moves, and all that can be asked of it."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, get_args

from agent_cockpit.events.messages import Block
from agent_cockpit.rules.consent.approval import ToolApproval, TrustScope
from agent_cockpit.rules.consent.edit_boundary import EditBoundary
from agent_cockpit.rules.turn_phases import (
    Active,
    ActiveTool,
    ExecutionMode,
    Failure,
    Idle,
    Phase,
    PhaseName,
    Status,
    phase_name,
    status_of,
    tools_of,
)

Content = str | tuple[Block, ...]
"""What a person sends; the machine only hands it on."""


@dataclass(frozen=True, slots=True)
class TurnValue:
    """The fields of `TurnExecution` and its questions; equal when all fields are.

    A run owns the phase, trust of scope `turn` and `pending_auto_approvals`; all the rest
    belongs to the sitting and outlives runs.
    """

    mode: ExecutionMode = "exec"
    phase_value: Phase = field(default_factory=Idle)
    trust_levels: Mapping[str, TrustScope] = field(default_factory=dict)
    """By trust key, or by bare tool name for every call of that tool."""
    pending_auto_approvals: Mapping[str, TrustScope] = field(default_factory=dict)
    """Calls that trust answered and that have not started yet, by call id."""
    steering_queue: tuple[Content, ...] = ()
    follow_up_queue: tuple[Content, ...] = ()
    boundaries: Mapping[str, EditBoundary] = field(default_factory=dict)
    """By absolute, lexically normalised path."""

    def __post_init__(self) -> None:
        known(self.mode, ExecutionMode)
        for name in ("trust_levels", "pending_auto_approvals", "boundaries"):
            held = getattr(self, name)
            if not isinstance(held, MappingProxyType):
                object.__setattr__(self, name, MappingProxyType(dict(held)))

    @property
    def phase(self) -> PhaseName:
        """The phase in one word."""
        return phase_name(self.phase_value)

    @property
    def status(self) -> Status:
        """The public status; `plan` in plan mode, whatever happens."""
        return status_of(self.mode, self.phase_value)

    @property
    def is_active(self) -> bool:
        """Whether a run is on, from admission to its end."""
        return isinstance(self.phase_value, Active)

    @property
    def pending_approval(self) -> ToolApproval | None:
        """The one call that waits for a person."""
        return self.phase_value.approval if isinstance(self.phase_value, Active) else None

    @property
    def error(self) -> str | None:
        """The passing error of a run, or why the last one failed."""
        match self.phase_value:
            case Active(error=message) | Failure(message):
                return message
            case Idle():
                return None

    @property
    def active_tools(self) -> tuple[ActiveTool, ...]:
        """The tools that run, in start order."""
        return tools_of(self.phase_value)

    @property
    def active_tool_name(self) -> str | None:
        """The tool that was started last and still runs."""
        return self.active_tools[-1].name if self.active_tools else None

    @property
    def queues(self) -> tuple[tuple[Content, ...], tuple[Content, ...]]:
        """Steering and follow-ups, oldest first."""
        return self.steering_queue, self.follow_up_queue

    def trusted_scope(self, approval: ToolApproval) -> TrustScope | None:
        """The scope in which this call is trusted: exactly, or else its tool as a whole."""
        exact = self.trust_levels.get(approval.trust_key)
        return exact or self.trust_levels.get(approval.name)

    def boundary(self, path: str, *, cwd: str = "/") -> tuple[int, int] | None:
        """First and last editable line of a file, from 0; None where all may be edited."""
        held = self.boundaries.get(absolute(path, cwd))
        return (held.start, held.end) if held else None

    @property
    def is_reclaimable(self) -> bool:
        """Whether nothing would be lost if an unattended sitting were closed."""
        return not (
            self.is_active
            or self.pending_auto_approvals
            or self.steering_queue
            or self.follow_up_queue
        )


def absolute(path: str, cwd: str = "/") -> str:
    """The path from the root, `.` and `..` worked out on the text alone."""
    return "/" + posixpath.normpath(posixpath.join("/", cwd, path)).lstrip("/")


def known(word: str, vocabulary: Any) -> None:
    """`ValueError` for a word that the `Literal` does not hold."""
    words = get_args(vocabulary)
    if word not in words:
        raise ValueError(f"{word!r} is not one of {', '.join(words)}")
