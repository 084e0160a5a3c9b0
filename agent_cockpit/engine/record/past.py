"""What a journal says about its sitting so far, as plain values.

Law: a past holds no grants and no trust; they died with the process that they were given to.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from agent_cockpit.engine.record.recalled_changes import CutWork
from agent_cockpit.engine.state import TaskState, Turn
from agent_cockpit.events.base import Event
from agent_cockpit.events.messages import Message, ToolResultBlock, ToolUseBlock
from agent_cockpit.events.sitting import ContextCompacted
from agent_cockpit.rules.modes import Mode
from agent_cockpit.rules.turn_execution import TurnExecution
from agent_cockpit.rules.undoing import ChangeHistory
from agent_cockpit.text import head_and_tail, shorten

CallFate = Literal["proposed", "waiting", "allowed", "running"]

INTERRUPTED = "interrupted"
"""The status of a goal whose process ended before it did."""

REFUSALS_KEPT = 5
"""How many refusals later goals are told of: more would crowd out the work."""

_OUTPUT_SHOWN = 2_000
"""Characters of a cut call's output that the model is shown: enough for the last words."""


@dataclass(frozen=True, slots=True)
class CutCall:
    """A call that has no result: the process ended when the model had asked for it and nothing
    more, while it waited for a person, when it was allowed, or while it ran."""

    call: ToolUseBlock
    fate: CallFate = "proposed"
    output: str = ""

    def result(self) -> ToolResultBlock:
        """What the model is told about it."""
        text = _TOLD[self.fate]
        if self.output:
            text += f"\nIts output until then:\n{head_and_tail(self.output, _OUTPUT_SHOWN)}"
        return ToolResultBlock(call_id=self.call.call_id, content=text, is_error=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """A sitting as its journal tells it; the empty one is a new sitting's."""

    session_id: str = ""
    last_id: int = 0
    preamble: str = ""
    provider: str = ""
    model: str = ""
    workspace: str = ""
    snapshots: str = ""
    """Which store holds its snapshots; empty: the one that is called as the sitting is."""
    events: tuple[Event, ...] = ()
    """All of them, for a screen that shows what was; empty once it was handed over."""
    messages: tuple[Message, ...] = ()
    """The conversation after the preamble, every call with its result."""
    compacted: ContextCompacted | None = None
    """The last compaction: what the model is shown in place of the oldest messages, counted
    in these."""
    mending: Message | None = None
    """The last of the messages, where it was made up for calls that were cut off."""
    history: tuple[Turn, ...] = ()
    tasks: tuple[TaskState, ...] = ()
    """The goals, the one that was cut off included, as interrupted."""
    refused: tuple[str, ...] = ()
    """What a person said no to, as later goals are told."""
    unsent: tuple[str, ...] = ()
    """Prompts that reached no message, oldest first."""
    cut_calls: tuple[CutCall, ...] = ()
    is_goal_cut: bool = False
    """Whether the last of the tasks has no end in the journal."""
    is_turn_cut: bool = False
    plan: Literal["", "waiting", "decided", "told"] = ""
    """Whether a plan waited for a person, or for the goal that follows from the decision; and
    whether the person was told so already."""
    phase: str = "idle"
    """The turn machine's, as it was announced last."""
    is_planning: bool = False
    pin: Mode | None = None
    """The kind of goals that a person fixed, None: each prompt decides."""
    name: str = ""
    """What the person called the sitting."""
    page: int = 0
    """How many of the tasks stand before the page that the person began last."""
    changes: ChangeHistory = field(default_factory=ChangeHistory)
    """What the goals changed, and what of it was taken back."""
    cut_work: CutWork | None = None
    """What the last goal did to the files, where it was cut off."""
    boundaries: dict[str, tuple[int, int]] = field(default_factory=dict)
    """The lines that may be edited, by path."""

    def __bool__(self) -> bool:
        return bool(self.session_id)

    @property
    def execution(self) -> TurnExecution:
        """The turn machine at rest, with the walls that stood: plan mode and boundaries."""
        execution = TurnExecution.new("plan" if self.is_planning else "exec")
        for path, (start, end) in self.boundaries.items():
            execution = execution.set_boundary(path, start, end).state
        return execution

    @property
    def unfinished(self) -> str:
        """The prompt of the newest goal, when that was interrupted or its plan still waited;
        else empty."""
        newest = self.tasks[-1] if len(self.tasks) > self.page else None
        if newest is None or not (newest.status == INTERRUPTED or self.plan):
            return ""
        return newest.goal


_TOLD: dict[CallFate, str] = {
    "proposed": "Not run: the program ended before it came to this call.",
    "waiting": (
        "Not run: the program ended while this call waited for the person's answer. "
        "Ask for it again if it is still needed."
    ),
    "allowed": (
        "Cut off: the program ended just when this call was allowed. Whether it began is not "
        "known; look before you repeat it."
    ),
    "running": (
        "Cut off: the program ended while this call ran. What it has done is not known; look "
        "before you repeat it."
    ),
}


def refusal_words(tool: str, tool_input: dict[str, Any], why: str) -> str:
    """A refused call in one line, as later goals are told of it."""
    what = tool_input.get("command") or tool_input.get("path") or ""
    return f"{f'{tool} {shorten(str(what), 80)}'.rstrip()}: {shorten(why, 160)}"
