"""The pieces that a transcript is made of: frozen values, cheap to import.

Law: every text in a block has passed `text.clean`; a screen may print it as it is. `input`
of a call is the one exception: it holds the model's values, for whoever edits or judges
them, and is cleaned where it is shown.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from agent_cockpit.transcript.figures import NO_FIGURES, Figures

if TYPE_CHECKING:
    from agent_cockpit.events.plans import PlanStepState

CallState = Literal[
    "proposed", "waiting", "running", "done", "failed", "refused", "denied", "interrupted"
]
CheckState = Literal["running", "pass", "fail", "skip"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One piece; `key` is its place in the transcript, from 0, and never changes.

    An open block may still change; a finished one changes only by an event that names it
    (a result that came late).
    """

    key: int
    is_open: bool = False
    at: datetime | None = None
    """When it began, as far as the events say it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptBlock(Block):
    """What the person asked for; `origin` says how it reached the model."""

    text: str
    origin: Literal["goal", "steering", "revise", "build"] = "goal"
    task_kind: str = ""
    task_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerBlock(Block):
    """Text of the model for the person, Markdown; `is_void` when a retry took its place."""

    text: str
    is_void: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ThoughtBlock(Block):
    """The model's reasoning; a journal knows its times to about a second."""

    text: str
    since: datetime | None = None
    until: datetime | None = None
    is_void: bool = False

    @property
    def duration_s(self) -> float | None:
        """How long it took, once it is over."""
        if self.since is None or self.until is None:
            return None
        return max(0.0, (self.until - self.since).total_seconds())


@dataclass(frozen=True, slots=True, kw_only=True)
class CallBlock(Block):
    """One call from its proposal to its result.

    `output` is the end of what it has printed so far, then the whole result; `decided` says
    in words who allowed or denied it; `added` and `removed` count the lines of `diff`.
    """

    call_id: str
    tool: str
    input: dict[str, Any] = field(default_factory=dict)
    state: CallState = "proposed"
    output: str = ""
    summary: str = ""
    diff: str = ""
    added: int = 0
    removed: int = 0
    exit_code: int | None = None
    duration_ms: int | None = None
    decided: str = ""
    decided_at: datetime | None = None
    why: str = ""
    """Why the call may run, in full: a rule, the tier, a grant, trust, or a person."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One command of a verification, running or concluded."""

    name: str
    command: str = ""
    state: CheckState = "running"
    is_required: bool = True
    evidence: str = ""
    exit_code: int | None = None
    duration_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictBlock(Block):
    """A verification from its start to its verdict; `passed` None: running or cut short."""

    passed: bool | None = None
    summary: str = ""
    checks: tuple[Check, ...] = ()
    figures: Figures = NO_FIGURES


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeBlock(Block):
    """A sentence of the engine for the person."""

    text: str
    level: Literal["info", "warning", "error"] = "info"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionBlock(Block):
    """The model asks, and the goal ended to wait for the answer."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanBlock(Block):
    """A proposed plan and what became of it; `is_shown_above` when the answer was the plan.

    `is_edited`: what was approved is not what was proposed. `steps` are how far its build is.
    """

    text: str
    version: int = 1
    decision: Literal["", "approved", "revised", "left"] = ""
    note: str = ""
    is_shown_above: bool = False
    is_edited: bool = False
    steps: tuple[PlanStepState, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeBlock(Block):
    """How a goal ended that was no plain success."""

    outcome: str
    text: str = ""
    figures: Figures = NO_FIGURES
