"""Sittings on a real temporary repository, with a scripted model and, if wanted, a person."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from agent_cockpit.engine.goals.session import Session
from agent_cockpit.engine.ports import CheckTrust, ModeClassifier
from agent_cockpit.engine.record.journal import JsonlEventJournal
from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.engine.state import TaskState
from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import ApprovalRequested, ApprovalResolved, ToolEnd, ToolStart
from agent_cockpit.events.messages import TextBlock, ToolResultBlock
from agent_cockpit.harness import Harness
from agent_cockpit.providers.protocol import ModelRequest
from agent_cockpit.rules.consent.policy import ConfiguredRule
from agent_cockpit.settings import HarnessConfig
from tests.support.repositories import make_repository
from tests.support.scripted_provider import Reply, ScriptedProvider, calls
from tests.support.waiting import WITHIN_S

CHECK = "grep -q good a.txt"
"""The project's own check: passes once `a.txt` says good."""

FILES = {"a.txt": "bad\n", "notes.md": "one\ntwo\nthree\n"}

E = TypeVar("E", bound=Event)


class Folder:
    """A project under git, the state beside it, and the sittings that were opened on it."""

    def __init__(self, home: Path) -> None:
        self.root = make_repository(home / "project", FILES)
        self.state = home / "state"
        self.config_dir = home / "config"
        self.journal = home / "journal.jsonl"
        self.provider = ScriptedProvider([])
        """Of the sitting that was opened last."""
        self._sittings: list[ReplSession] = []

    def harness(
        self,
        *replies: Reply,
        rules: tuple[ConfiguredRule, ...] = (),
        unattended: bool = False,
        asks_edits: bool = False,
        check_trust: CheckTrust | None = None,
        context_window: int | None = None,
        **settings: Any,
    ) -> Harness:
        settings = {
            "test_command": CHECK,
            "retry_backoff_seconds": 0,
            "sandbox": "none",
            **settings,
        }
        self.provider = ScriptedProvider(replies, context_window=context_window)
        return Harness(
            config=HarnessConfig(workspace_root=str(self.root), **settings),
            provider=self.provider,
            rules=rules,
            unattended=unattended,
            asks_edits=asks_edits,
            check_trust=check_trust,
            state=self.state,
            config_dir=self.config_dir,
        )

    def sitting(
        self,
        *replies: Reply,
        auto: bool = False,
        allow_dirty: bool = False,
        recorded: bool = False,
        classifier: ModeClassifier | None = None,
        **parts: Any,
    ) -> ReplSession:
        repl = ReplSession(
            self.harness(*replies, **parts),
            auto=auto,
            allow_dirty=allow_dirty,
            journal=JsonlEventJournal(self.journal) if recorded else None,
            classifier=classifier,
        )
        self._sittings.append(repl)
        return repl

    def goal(self, *replies: Reply, mode: Any = "edit", **parts: Any) -> Session:
        """One goal of a fresh sitting, built and not yet run."""
        repl = self.sitting(*replies, **parts)
        repl.set_mode(mode)
        return repl.start("the goal")

    def text(self, name: str = "a.txt") -> str:
        return (self.root / name).read_text()

    async def close(self) -> None:
        for repl in self._sittings:
            await repl.aclose()


def writes(text: str = "good\n", path: str = "a.txt") -> Reply:
    """A reply that overwrites a file."""
    return calls(("write_file", {"path": path, "content": text, "overwrite": True}))


def runs(command: str) -> Reply:
    """A reply that asks for a shell command."""
    return calls(("run_command", {"command": command}))


Answering = Callable[[ApprovalRequested], Awaitable[None]]


async def run_with(session: Session, person: Answering) -> TaskState:
    """Run the goal, with a person who answers each question as it is announced."""
    stream = session.events()
    running = asyncio.create_task(session.run())
    async for event in stream:
        if isinstance(event, ApprovalRequested):
            await person(event)
    return await running


def yes(session: Session, **how: Any) -> Answering:
    """A person who allows everything, in the way that `how` says."""

    async def answer(question: ApprovalRequested) -> None:
        await session.resolve_approval(question.approval_id, allow=True, **how)

    return answer


def no(session: Session, reason: str = "") -> Answering:
    """A person who allows nothing."""

    async def answer(question: ApprovalRequested) -> None:
        await session.resolve_approval(question.approval_id, allow=False, reason=reason)

    return answer


async def next_of(stream: Any, kind: type[E]) -> E:
    """The next event of that type; the test fails in time when none comes."""
    async with asyncio.timeout(WITHIN_S):
        async for event in stream:
            if isinstance(event, kind):
                return event
    raise AssertionError(f"the stream ended without {kind.__name__}")


def of(events: list[Event], kind: type[E]) -> list[E]:
    """The events of that type."""
    return [event for event in events if isinstance(event, kind)]


def questions(session: Session) -> list[ApprovalRequested]:
    return of(session.history, ApprovalRequested)


def settled(session: Session) -> list[ApprovalResolved]:
    return of(session.history, ApprovalResolved)


def ends(session: Session) -> list[ToolEnd]:
    return of(session.history, ToolEnd)


def started(session: Session) -> list[ToolStart]:
    return of(session.history, ToolStart)


def told(request: ModelRequest) -> str:
    """All that the newest message of a request says to the model."""
    parts = []
    for block in request.messages[-1].blocks:
        match block:
            case TextBlock():
                parts.append(block.text)
            case ToolResultBlock():
                parts.append(block.content)
            case _:
                pass
    return "\n".join(parts)
