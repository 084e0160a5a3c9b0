"""What the engine needs from outside and what front ends bind to, as protocols met by shape."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol

from agent_cockpit.events.base import Event

if TYPE_CHECKING:
    from agent_cockpit.engine.state import PlanDecision

Decide = Callable[[str], "PlanDecision | Awaitable[PlanDecision | None] | None"]
"""Shown each proposed plan; returns the person's decision, None for leaving it."""


class SittingSource(Protocol):
    """The least that a cockpit can be put on: a live sitting, one goal's session wrapped, or
    a replayed journal."""

    def events(self) -> AsyncIterator[Event]:
        """All events from now on, in order, until the source is over; subscribed at the call."""
        ...

    async def resolve_approval(
        self,
        approval_id: str,
        *,
        allow: bool,
        remember: bool = False,
        reason: str = "",
        scope: str | None = None,
        edited: dict[str, Any] | None = None,
    ) -> None:
        """Decide the pending call `approval_id`; a settled id does nothing."""
        ...

    async def cancel(self, reason: str = "cancelled") -> None:
        """Stop the running goal, if there is one."""
        ...


class ModeClassifier(Protocol):
    """Routes a prompt to edit, investigate or test_only; None when it cannot tell."""

    async def classify(self, prompt: str, *, history: list[str]) -> str | None: ...


class Approver(Protocol):
    """One more veto, consulted for every call that nothing refused (contracts 4)."""

    async def decide(self, tool: str, tool_input: dict[str, Any]) -> str | None:
        """None allows (and skips no other question); a text refuses with that reason."""
        ...


class AllowAll:
    """The default approver: no veto."""

    async def decide(self, tool: str, tool_input: dict[str, Any]) -> str | None:
        """Always None."""
        return None
