"""Calls that wait for a person: one asked at a time, none lost, each answered exactly once.

Laws: an id that was settled decides nothing, ever again; an id that was never issued decides
the one call that waits; what ends the wait without a person is recorded as such.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from agent_cockpit.engine.execution import ExecutionCell
from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import ApprovalRequested, ApprovalResolved
from agent_cockpit.rules.consent.approval import ApprovalDecision, ToolApproval

Via = Literal["human", "grant", "auto"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """How one question was settled. `scope` is once, turn, session, grant, or None on a no;
    `edited` is the call's input as a person changed it, `shown_fingerprint` what it was shown
    to come to then; `kept` are the hunks of an edit that were allowed, None for all."""

    allowed: bool
    via: Via = "human"
    scope: str | None = None
    note: str = ""
    edited: dict[str, Any] | None = None
    kept: tuple[int, ...] | None = None
    shown_fingerprint: str = ""


class ApprovalBroker:
    """Owns the waiting questions of one goal, in front of the turn machine's single slot.

    Only the event loop calls it.
    """

    def __init__(
        self,
        execution: ExecutionCell,
        publish: Callable[[Event], Event],
        *,
        timeout_s: float | None = None,
    ) -> None:
        self._execution = execution
        self._publish = publish
        self._timeout_s = timeout_s
        self._turnstile = asyncio.Lock()
        self._waiting: dict[str, asyncio.Future[Answer]] = {}
        self._issued: set[str] = set()
        self._closed_with: str | None = None

    async def ask(self, question: ApprovalRequested) -> Answer:
        """Announce the question once those before it are settled, and wait for its answer."""
        self._issued.add(question.approval_id)
        async with self._turnstile:
            call = ToolApproval(
                question.approval_id, question.tool, question.input, question.preview
            )
            self._publish(question)
            if self._closed_with is not None:
                answer = Answer(allowed=False, via="auto", note=self._closed_with)
                return self._settled(question, answer)
            if self._execution.take(self._execution.value.request_approval(call)).tag == "rejected":
                note = "no goal is running"
                return self._settled(question, Answer(allowed=False, via="auto", note=note))
            return await self._wait(question)

    def announce(self, question: ApprovalRequested, answer: Answer) -> Answer:
        """A question that nobody will be asked, with its answer: both are recorded."""
        self._issued.add(question.approval_id)
        self._publish(question)
        return self._settled(question, answer)

    def record(self, question: ApprovalRequested, answer: Answer) -> Answer:
        """An answer by standing consent: recorded without a question."""
        self._issued.add(question.approval_id)
        return self._settled(question, answer)

    def resolve(self, approval_id: str, answer: Answer) -> bool:
        """Settle a waiting question; False when nothing waits under that id.

        A never-issued id settles the sole waiting question.
        """
        if approval_id not in self._issued and len(self._waiting) == 1:
            approval_id = next(iter(self._waiting))
        future = self._waiting.pop(approval_id, None)
        if future is None or future.done():
            return False
        future.set_result(answer)
        return True

    def deny_all(self, note: str, *, close: bool = False) -> None:
        """Answer no to what waits, in the engine's own name; `close`: also to all that comes."""
        if close:
            self._closed_with = note
        for approval_id in list(self._waiting):
            self.resolve(approval_id, Answer(allowed=False, via="auto", note=note))

    async def _wait(self, question: ApprovalRequested) -> Answer:
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[question.approval_id] = future
        try:
            async with asyncio.timeout(self._timeout_s):
                answer = await future
        except TimeoutError:
            note = f"nobody answered within {self._timeout_s:g} s"
            answer = Answer(allowed=False, via="auto", note=note)
        except asyncio.CancelledError:
            self._settled(question, Answer(allowed=False, via="auto", note="the run was stopped"))
            raise
        finally:
            self._waiting.pop(question.approval_id, None)
        return self._settled(question, answer)

    def _settled(self, question: ApprovalRequested, answer: Answer) -> Answer:
        execution = self._execution.value
        pending = execution.pending_approval
        if pending is not None and pending.tool_call_id == question.approval_id:
            self._execution.take(
                execution.resolve_approval(question.approval_id, _decision(answer))
            )
        self._publish(
            ApprovalResolved(
                task_id=question.task_id,
                approval_id=question.approval_id,
                allowed=answer.allowed,
                via=answer.via,
                scope=answer.scope,
                note=answer.note,
                edited=answer.edited,
                kept=None if answer.kept is None else list(answer.kept),
            )
        )
        return answer


def _decision(answer: Answer) -> ApprovalDecision:
    if not answer.allowed:
        return "reject"
    match answer.scope:
        case "turn":
            return "approve_turn"
        case "session":
            return "approve_session"
        case _:
            return "approve"
