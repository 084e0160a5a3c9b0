"""A source that a test plays by hand: it records what the cockpit asks of it, and says only
what the test lets it say."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from agent_cockpit.engine.state import MetaResult, PlanDecision, TaskState
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import AgentEnd, AgentStart, ApprovalRequested
from agent_cockpit.events.sitting import PromptQueued, PromptsRecalled, SittingStarted


class WatchedSource:
    """The least that a cockpit can be put on: events, answers, cancel."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.said: asyncio.Queue[Event | None] = asyncio.Queue()
        self._ids = 0

    def say(self, *events: Event) -> None:
        """Let events happen, stamped with the next ids."""
        for event in events:
            self._ids += 1
            self.said.put_nowait(event.model_copy(update={"event_id": self._ids}))

    def end(self) -> None:
        """Let the source be over."""
        self.said.put_nowait(None)

    async def events(self) -> AsyncIterator[Event]:
        while (event := await self.said.get()) is not None:
            yield event

    async def resolve_approval(
        self,
        approval_id: str,
        *,
        allow: bool,
        remember: bool = False,
        reason: str = "",
        scope: str | None = None,
        edited: dict[str, Any] | None = None,
        kept: Sequence[int] | None = None,
    ) -> None:
        more = {"scope": scope, "edited": edited, "kept": kept}
        told = {name: value for name, value in more.items() if value is not None}
        self.calls.append(
            ("resolve", approval_id, allow, remember, reason, *([told] if told else []))
        )

    async def reconsider(self, approval_id: str, edited: dict[str, Any]) -> ApprovalRequested:
        self.calls.append(("reconsider", approval_id, edited))
        if "wrong" in str(edited):
            raise PersonCanAct("that is wrong")
        return asks(approval_id, input=edited, tier=4, grant_scope=None)

    async def cancel(self, reason: str = "cancelled") -> None:
        self.calls.append(("cancel", reason))


class ScriptedSource(WatchedSource):
    """A whole sitting: goals run until the test ends them with `finish`.

    `plan` makes the next goal a plan flow that proposes these versions; `fails` makes goals
    raise, each entry once.
    """

    def __init__(self) -> None:
        super().__init__()
        self.consent = "ask"
        self.is_compacting = False
        self.journal_path = "/state/sitting.jsonl"
        self.plan: list[str] = []
        self.decisions: list[PlanDecision | None] = []
        self.fails: list[BaseException] = []
        self.meta: dict[str, MetaResult] = {}
        self.queued: list[str] = []
        self._over = asyncio.Event()
        self._runs = False
        self.say(SittingStarted(model="scripted", provider="test", workspace="/w"))

    def finish(self) -> None:
        """Let the running goal end."""
        self._over.set()

    async def drive(
        self, text: str, *, kind: str = "steering", decide: Callable[[str], Any] | None = None
    ) -> TaskState | None:
        self.calls.append(("drive", text, kind))
        if self.fails:
            raise self.fails.pop(0)
        if self._runs:
            self.queued.append(text)
            self.say(PromptQueued.model_validate({"kind": kind, "text": text}))
            return None
        self._runs = True
        self._over.clear()
        self.say(AgentStart(goal=text, task_kind="edit"))
        outcome = "success"
        try:
            while self.plan and decide is not None:
                decision = await decide(self.plan.pop(0))
                self.decisions.append(decision)
                if decision is None or decision.approved:
                    break
            else:
                await self._over.wait()
        finally:
            self._runs = False
            self.say(AgentEnd(outcome=outcome, status="completed"))
        return TaskState(goal=text, outcome="success")

    async def cancel(self, reason: str = "cancelled") -> None:
        await super().cancel(reason)
        self.finish()

    async def arun_meta(self, text: str) -> MetaResult:
        self.calls.append(("meta", text))
        return self.meta.get(text) or MetaResult("message", f"answer to {text}")

    def recall(self) -> list[str]:
        self.calls.append(("recall",))
        texts, self.queued = self.queued, []
        if texts:
            self.say(PromptsRecalled(texts=texts, to="composer"))
        return texts

    def withdraw(self, kind: str, text: str) -> bool:
        self.calls.append(("withdraw", kind, text))
        if text not in self.queued:
            return False
        self.queued.remove(text)
        self.say(PromptsRecalled(texts=[text], to="composer"))
        return True

    def cycle_consent(self) -> str:
        names = ["ask", "accept_edits", "plan"]
        self.consent = names[(names.index(self.consent) + 1) % 3]
        self.calls.append(("cycle", self.consent))
        return self.consent

    def tolerate_dirt(self) -> None:
        self.calls.append(("tolerate",))

    async def aclose(self) -> None:
        self.calls.append(("aclose",))
        self.end()


def asks(approval_id: str = "call-1", **values: Any) -> ApprovalRequested:
    """A call that waits, a commit unless told otherwise."""
    given: dict[str, Any] = {
        "tool": "run_command",
        "reason": "writes the repository's history",
        "input": {"command": 'git commit -m "Divide by the count"'},
        "tier": 3,
        "grant_scope": "every `git commit …` in this sitting",
    }
    return ApprovalRequested(approval_id=approval_id, **(given | values))
