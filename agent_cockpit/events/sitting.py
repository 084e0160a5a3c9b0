"""What a cockpit needs beyond the 19: the second union, versioned apart, same counter
and same journal (contracts 3)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from agent_cockpit.events.ahead import CallsAhead
from agent_cockpit.events.base import Event
from agent_cockpit.events.changes import ChangesKept as ChangesKept
from agent_cockpit.events.changes import ChangesMoved as ChangesMoved
from agent_cockpit.events.changes import TreeKept as TreeKept
from agent_cockpit.events.checks import CheckResult
from agent_cockpit.events.messages import Message
from agent_cockpit.events.plans import PlanDecided as PlanDecided
from agent_cockpit.events.plans import PlanLeaked as PlanLeaked
from agent_cockpit.events.plans import PlanProgressed as PlanProgressed
from agent_cockpit.events.plans import PlanProposed as PlanProposed


class SittingStarted(Event):
    """First line of a sitting's journal."""

    type: Literal["sitting.started"] = "sitting.started"
    preamble: str = ""
    provider: str = ""
    model: str = ""
    workspace: str = ""
    sandbox: str = ""
    """What holds commands; `none` when nothing does, empty when nobody said."""
    branch: str = ""


class SittingResumed(Event):
    """A later process took the sitting up again from its journal; what stands before it was
    recorded earlier. Grants and trust ended there."""

    type: Literal["sitting.resumed"] = "sitting.resumed"
    provider: str = ""
    model: str = ""
    workspace: str = ""
    sandbox: str = ""
    branch: str = ""
    snapshots: str = ""
    """Which store holds its snapshots; empty: the one that is called as the sitting is."""


class BranchChanged(Event):
    """The folder is on another branch than before: a short commit id where none is checked
    out, empty outside a repository."""

    type: Literal["sitting.branch_changed"] = "sitting.branch_changed"
    branch: str = ""


class SittingMessage(Event):
    """A whole message joined the conversation; the journal rebuilds it from these."""

    type: Literal["sitting.message"] = "sitting.message"
    message: Message


class PromptQueued(Event):
    """A prompt waits: steering joins the running goal, a follow-up comes after it."""

    type: Literal["sitting.prompt_queued"] = "sitting.prompt_queued"
    kind: Literal["steering", "follow_up"] = "steering"
    text: str = ""


class PromptDelivered(Event):
    """Queued texts reached the model inside the running goal, as one block."""

    type: Literal["sitting.prompt_delivered"] = "sitting.prompt_delivered"
    texts: list[str] = Field(default_factory=list)


class PromptsRecalled(Event):
    """Queued texts left the queue undelivered: `to` the composer, the next prompt, or dropped."""

    type: Literal["sitting.prompts_recalled"] = "sitting.prompts_recalled"
    texts: list[str] = Field(default_factory=list)
    to: Literal["composer", "next", "dropped"] = "composer"


class ModePinned(Event):
    """A person fixed the kind of later goals, or left it to each prompt again (None)."""

    type: Literal["sitting.mode_pinned"] = "sitting.mode_pinned"
    mode: Literal["edit", "investigate", "test_only", "plan"] | None = None


class SittingRenamed(Event):
    """What the person calls the sitting from here on; empty: nothing of its own any more."""

    type: Literal["sitting.renamed"] = "sitting.renamed"
    name: str = ""


class ExecutionChanged(Event):
    """The turn machine took another value; names of phases and modes before and after."""

    type: Literal["sitting.execution_changed"] = "sitting.execution_changed"
    phase: str = "idle"
    mode: str = "exec"
    steering: int = 0
    follow_up: int = 0
    error: str | None = None
    boundaries: dict[str, tuple[int, int]] = Field(default_factory=dict)
    """The lines that may be edited, by path; from 0, both ends included."""


class ToolProgress(Event):
    """A piece of a running call's output; sheddable."""

    type: Literal["sitting.tool_progress"] = "sitting.tool_progress"
    call_id: str = ""
    delta: str = ""


class CheckStarted(Event):
    """The verifier begins one command."""

    type: Literal["sitting.check_started"] = "sitting.check_started"
    name: str = ""
    command: str = ""


class CheckFinished(Event):
    """One check of the verification is over."""

    type: Literal["sitting.check_finished"] = "sitting.check_finished"
    result: CheckResult


class RetryWaiting(Event):
    """The provider failed in a way that may pass; text of the failed attempt is void."""

    type: Literal["sitting.retry_waiting"] = "sitting.retry_waiting"
    attempt: int = 0
    attempts: int = 0
    wait_s: float = 0.0
    error: str = ""


class CallProposed(Event):
    """The model asked for a call; shown before it is judged, asked about or run."""

    type: Literal["sitting.call_proposed"] = "sitting.call_proposed"
    call_id: str = ""
    tool: str = ""
    input: dict[str, Any] = Field(default_factory=dict)


class GoalRecorded(Event):
    """The goal is over and recorded; `report` is its `Report` as JSON values."""

    type: Literal["sitting.goal_recorded"] = "sitting.goal_recorded"
    report: dict[str, Any] = Field(default_factory=dict)


class Notice(Event):
    """A sentence of the engine for the person (mode chosen, leak rolled back, journal lost…)."""

    type: Literal["sitting.notice"] = "sitting.notice"
    level: Literal["info", "warning", "error"] = "info"
    text: str = ""


class ContextEstimated(Event):
    """How full the model's window is; `window` 0 when unknown; `real` when the server said so."""

    type: Literal["sitting.context_estimated"] = "sitting.context_estimated"
    tokens: int = 0
    window: int = 0
    real: bool = False


class ContextCompacted(Event):
    """From here on `message` stands for the `stands_for` oldest messages after the preamble
    in what the model is shown; they stay in the conversation and in the journal.

    `kept` messages follow it, which says the same from the other end, for a journal that lost
    lines. `summarised` messages were shown until now. Tokens are the window's use.
    """

    type: Literal["sitting.compacted"] = "sitting.compacted"
    message: Message
    stands_for: int = 0
    kept: int = 0
    summarised: int = 0
    cause: Literal["threshold", "asked", "overflow", "page"] = "threshold"
    """`page`: the person began a new page, so nothing is summarised."""
    by: Literal["model", "rules"] = "rules"
    keep: str = ""
    tokens_before: int = 0
    tokens_after: int = 0
    window: int = 0


class StreamedText(Event):
    """Journal form of shed-able text: all deltas of events `first_id`…`last_id`, joined. A word
    that was held back follows in one of its own, with the last id once more."""

    type: Literal["sitting.streamed_text"] = "sitting.streamed_text"
    first_id: int = 0
    last_id: int = 0
    kind: Literal["answer", "thought", "output"] = "answer"
    call_id: str = ""
    text: str = ""


class UnknownEvent(Event):
    """A line of a newer version's journal, kept whole so that nothing is lost."""

    type: Literal["sitting.unknown"] = "sitting.unknown"
    raw: dict[str, Any] = Field(default_factory=dict)


class DamagedLines(Event):
    """Stands where a journal had lines that could not be read."""

    type: Literal["sitting.damaged_lines"] = "sitting.damaged_lines"
    count: int = 0
    first_line: int = 0
    torn_tail: bool = False


SITTING_EVENT_TYPES: tuple[type[Event], ...] = (
    SittingStarted,
    SittingResumed,
    SittingMessage,
    PromptQueued,
    PromptDelivered,
    PromptsRecalled,
    ModePinned,
    BranchChanged,
    SittingRenamed,
    ExecutionChanged,
    ToolProgress,
    CheckStarted,
    CheckFinished,
    RetryWaiting,
    CallProposed,
    PlanProposed,
    PlanDecided,
    PlanLeaked,
    PlanProgressed,
    TreeKept,
    ChangesKept,
    ChangesMoved,
    GoalRecorded,
    Notice,
    CallsAhead,
    ContextEstimated,
    ContextCompacted,
    StreamedText,
    UnknownEvent,
    DamagedLines,
)

SittingEvent = Annotated[
    SittingStarted
    | SittingResumed
    | SittingMessage
    | PromptQueued
    | PromptDelivered
    | PromptsRecalled
    | ModePinned
    | BranchChanged
    | SittingRenamed
    | ExecutionChanged
    | ToolProgress
    | CheckStarted
    | CheckFinished
    | RetryWaiting
    | CallProposed
    | PlanProposed
    | PlanDecided
    | PlanLeaked
    | PlanProgressed
    | TreeKept
    | ChangesKept
    | ChangesMoved
    | GoalRecorded
    | Notice
    | CallsAhead
    | ContextEstimated
    | ContextCompacted
    | StreamedText
    | UnknownEvent
    | DamagedLines,
    Field(discriminator="type"),
]
