"""What must hold after any sitting, whatever failed in it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import (
    AgentEnd,
    AgentStart,
    ApprovalRequested,
    ApprovalResolved,
    ToolEnd,
    ToolStart,
)
from agent_cockpit.events.messages import Message
from agent_cockpit.events.sitting import (
    GoalRecorded,
    Notice,
    PlanDecided,
    PlanProposed,
    PromptDelivered,
    PromptQueued,
    PromptsRecalled,
    SittingMessage,
)
from agent_cockpit.rules.model.pairing import repair
from tests.support.storm_parts import StormHarness


class Story:
    """What was seen of one sitting."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.faults: list[str] = []
        self.drives: list[asyncio.Task[Any]] = []
        self.stopped_hard: set[asyncio.Task[Any]] = set()
        self.taken: list[str] = []
        self.history: tuple[Message, ...] = ()
        self.still_queued: tuple[str, ...] = ()
        self._stream: Any = None

    def begin(self, repl: ReplSession) -> None:
        """Listen from now on."""
        self._stream = repl.events()

    async def listen(self, repl: ReplSession) -> AsyncIterator[Event]:
        """The sitting's events, kept."""
        async for event in self._stream:
            self.events.append(event)
            yield event

    @property
    def lost_lines(self) -> bool:
        """Whether the person was told that something is not recorded."""
        texts = [event.text for event in self.events if isinstance(event, Notice)]
        return any("no longer recorded" in text for text in texts)

    def ended(self, task: asyncio.Task[Any]) -> None:
        """A front end's call is over: it may have failed only in ways that it may."""
        if task.cancelled():
            if task not in self.stopped_hard:
                self.faults.append(f"cancelled, and nobody did that: {task.get_name()}")
            return
        error = task.exception()
        if task in self.stopped_hard and type(error).__name__ != "DeciderBroke":
            self.faults.append(f"a hard cancel was swallowed: {task.get_name()}, {error!r}")
        if error is None or isinstance(error, PersonCanAct):
            return
        known = isinstance(error, RuntimeError) and "another goal is running" in str(error)
        known = known or (isinstance(error, RuntimeError) and "is closed" in str(error))
        known = known or (isinstance(error, ValueError) and "plan mode needs" in str(error))
        known = known or type(error).__name__ == "DeciderBroke"
        known = known or (isinstance(error, OSError) and str(error) == "look")
        if not known:
            self.faults.append(f"raised {error!r}: {task.get_name()}")

    def check_rest(self, repl: ReplSession) -> None:
        """Between goals the machine rests, and holds nothing."""
        execution = repl.execution
        if execution.phase not in ("idle", "failure"):
            self.faults.append(f"at rest the phase is {execution.phase}")
        if execution.pending_approval is not None or execution.active_tools:
            self.faults.append("at rest something waits or runs")
        if execution.pending_auto_approvals:
            self.faults.append("at rest an auto-approval is left")

    def at_rest(self, repl: ReplSession, harness: StormHarness) -> None:
        """The last look before the close."""
        self.history = repl.history()
        self.still_queued = repl.input_queue().pending()
        if harness.voice.open_streams:
            self.faults.append("a model stream is open")
        if any(not tool.is_free for tool in harness.tools if hasattr(tool, "is_free")):
            self.faults.append("a thread holds a tool's lock")
        if children := _children():
            self.faults.append(f"child processes are left: {children}")


def broken_laws(story: Story, harness: StormHarness, recorded: list[Event] | None) -> list[str]:
    """The laws that the sitting's events break."""
    faults = [
        *_ids(story.events),
        *_goals(story.events),
        *_approvals(story.events),
        *_calls(story.events),
        *_queued(story),
        *_conversation(story.events, story.history),
    ]
    if harness.voice.broken_pairing:
        faults.append(f"pairing: {harness.voice.broken_pairing}")
    if harness.voice.was_idle:
        faults.append("the model was called while no run was active")
    if recorded is not None:
        faults += [f"recorded: {fault}" for fault in (*_ids(recorded), *_goals(recorded))]
        faults += [f"recorded: {f}" for f in _conversation(recorded, story.history)]
    return faults


def _ids(events: list[Event]) -> list[str]:
    ids = [event.event_id for event in events]
    return [] if ids == sorted(set(ids)) else ["ids do not grow"]


def _goals(events: list[Event]) -> list[str]:
    faults = []
    begun = [event.task_id for event in events if isinstance(event, AgentStart)]
    ended = Counter(event.task_id for event in events if isinstance(event, AgentEnd))
    reports = Counter(event.task_id for event in events if isinstance(event, GoalRecorded))
    for task_id in {*begun, *ended, *reports}:
        if (ended[task_id], reports[task_id]) != (1, 1):
            faults.append(f"a goal has {ended[task_id]} ends and {reports[task_id]} reports")
        mine = [event for event in events if event.task_id == task_id]
        mine = [event for event in mine if not isinstance(event, PlanProposed | PlanDecided)]
        if not isinstance(mine[-1], AgentEnd):
            faults.append(f"the last of a goal is {type(mine[-1]).__name__}")
        end = mine[-1]
        if isinstance(end, AgentEnd) and (end.outcome is None or end.status is None):
            faults.append("a goal ended without saying how")
    running: set[str | None] = set()
    for event in events:
        if isinstance(event, AgentStart):
            faults += ["two goals ran at once"] if running else []
            running.add(event.task_id)
        if isinstance(event, AgentEnd):
            running.discard(event.task_id)
    if len(set(begun)) != len(begun):
        faults.append("a goal began twice")
    return faults


def _approvals(events: list[Event]) -> list[str]:
    faults = []
    asked = Counter(e.approval_id for e in events if isinstance(e, ApprovalRequested))
    settled = Counter(e.approval_id for e in events if isinstance(e, ApprovalResolved))
    for approval_id, times in asked.items():
        if times != 1 or settled[approval_id] != 1:
            faults.append(f"a question was asked {times} times, settled {settled[approval_id]}")
    waiting: set[str] = set()
    for event in events:
        if isinstance(event, ApprovalRequested):
            waiting.add(event.approval_id)
            if len(waiting) > 1:
                faults.append("two questions at once")
        if isinstance(event, ApprovalResolved):
            waiting.discard(event.approval_id)
    return faults


def _calls(events: list[Event]) -> list[str]:
    started = Counter(event.call_id for event in events if isinstance(event, ToolStart))
    ended = Counter(event.call_id for event in events if isinstance(event, ToolEnd))
    faults = [f"a call started {n} times" for n in started.values() if n != 1]
    faults += [f"a call ended {n} times" for n in ended.values() if n != 1]
    faults += ["a call that started never ended" for call_id in started - ended]
    denied = {
        event.approval_id
        for event in events
        if isinstance(event, ApprovalResolved) and not event.allowed
    }
    faults += ["a denied call ran" for call_id in started if call_id in denied]
    return faults


def _queued(story: Story) -> list[str]:
    """Every text that was queued has one fate: delivered, next, composer, dropped, waiting."""
    faults = []
    queued = [event.text for event in story.events if isinstance(event, PromptQueued)]
    fates: dict[str, list[str]] = {text: [] for text in queued}
    said = "\n\n".join(message.text for message in story.history if message.role == "user")
    for event in story.events:
        if isinstance(event, PromptDelivered):
            for text in event.texts:
                fates.setdefault(text, []).append("delivered")
        if isinstance(event, PromptsRecalled):
            for text in event.texts:
                fates.setdefault(text, []).append(event.to)
    for text, fate in fates.items():
        if text not in queued:
            continue
        if text in story.still_queued and not fate:
            continue
        if len(fate) != 1:
            faults.append(f"{text} came to {fate or 'nothing'}")
        elif fate[0] in ("delivered", "next") and text not in said.split("\n\n"):
            faults.append(f"{text} was {fate[0]}, and the model never read it")
    return faults


def _conversation(events: list[Event], history: tuple[Message, ...]) -> list[str]:
    """The messages that were announced are the conversation, up to mended pairing."""
    told = [event.message for event in events if isinstance(event, SittingMessage)]
    same = repair(told)[0] == repair(history[1:])[0]
    return [] if same else ["the messages that were told are not the conversation"]


def _children() -> list[str]:
    listings = Path("/proc/self/task").glob("*/children")
    pids = [pid for listing in listings for pid in _read(listing).decode().split()]
    return [pid for pid in pids if b"sleep" in _read(Path(f"/proc/{pid}/cmdline"))]


def _read(path: Path) -> bytes:
    """Empty where the thread or the process has ended meanwhile."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""
