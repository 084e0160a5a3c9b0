"""What a journal tells of the changes of its goals, and of the one that it breaks off in.

Law: of a goal that was cut off, no call counts longer than the journal goes on: what was changed
afterwards is somebody else's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from agent_cockpit.events import harness as h
from agent_cockpit.events import sitting as s
from agent_cockpit.events.base import Event
from agent_cockpit.rules.undoing import ChangeHistory, Work
from agent_cockpit.transcript.diffs import diff_paths

_COMMAND = "run_command"


@dataclass(frozen=True, slots=True)
class CutWork:
    """A goal that was cut off: the snapshot that it began with, and its calls that may have
    changed something; `in_a_command`: one ran then, and how long it went on is not known."""

    task_id: str
    goal: str
    before: str
    began_ns: int
    work: tuple[Work, ...]
    in_a_command: bool = False


@dataclass(slots=True)
class _Goal:
    task_id: str
    goal: str
    began_ns: int
    before: str = ""
    work: list[Work] = field(default_factory=list)
    running: dict[str, h.ToolStart] = field(default_factory=dict)
    in_a_command: bool = False


class RecalledChanges:
    """Reads events in their order."""

    def __init__(self) -> None:
        self.history = ChangeHistory()
        self._goal: _Goal | None = None
        self._now_ns = 0

    @property
    def cut_work(self) -> CutWork | None:
        """Of the goal in which the events break off, where a snapshot of its beginning is kept."""
        goal = self._goal
        if goal is None or not goal.before:
            return None
        cut = (_work(call, self._now_ns, ()) for call in goal.running.values())
        work = (*goal.work, *(each for each in cut if each is not None))
        in_a_command = goal.in_a_command or any(
            call.tool == _COMMAND for call in goal.running.values()
        )
        return CutWork(goal.task_id, goal.goal, goal.before, goal.began_ns, work, in_a_command)

    def take(self, event: Event) -> None:
        """Take in the next event."""
        match event:
            case h.AgentStart():
                self._goal = _Goal(event.task_id or "", event.goal, _ns(event.ts))
            case s.ChangesKept():
                self.history, self._goal = self.history.kept(event), None
            case s.ChangesMoved():
                self.history = self.history.moved(event)
            case s.SittingResumed():
                self._cut_off()
            case h.AgentEnd(status="interrupted"):
                self._cut_off()
            case h.AgentEnd():
                self._goal = None
            case _ if self._goal is not None:
                self._take(event, self._goal)
        self._now_ns = _ns(event.ts)

    def _take(self, event: Event, goal: _Goal) -> None:
        match event:
            case s.TreeKept():
                goal.before = event.before
            case h.ToolStart():
                goal.running[event.call_id] = event
            case h.ToolEnd():
                started = goal.running.pop(event.call_id, None)
                work = _work(started, _ns(event.ts), diff_paths(event.diff)) if started else None
                goal.work += [work] if work is not None else []

    def _cut_off(self) -> None:
        """What ran then ran no longer than until the event before."""
        if self._goal is not None and (cut := self.cut_work) is not None:
            self._goal.work, self._goal.in_a_command = list(cut.work), cut.in_a_command
            self._goal.running = {}


def _work(call: h.ToolStart, ended_ns: int, paths: Iterable[str]) -> Work | None:
    """A call as the changes of its goal are told by it; None for one that changes nothing."""
    if call.tool == _COMMAND:
        return Work(_ns(call.ts), ended_ns)
    named: Any = call.input.get("path")
    writes = frozenset(paths) | ({named} if isinstance(named, str) else frozenset())
    return Work(_ns(call.ts), ended_ns, writes) if writes else None


def _ns(at: datetime) -> int:
    return round(at.timestamp() * 1_000_000) * 1_000
