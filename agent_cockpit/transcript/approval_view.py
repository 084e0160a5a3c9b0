"""A call that a person must decide, as a value for panels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from agent_cockpit.events.consent import AskedPart, ConsentScope
from agent_cockpit.events.harness import ApprovalRequested


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalView:
    """A call that a person must decide. Values as they came: show them through `reveal`."""

    approval_id: str
    tool: str
    input: dict[str, Any] = field(default_factory=dict)
    reason: str = ""
    tier: int | None = None
    grant_scope: str | None = None
    preview: str = ""
    fingerprint: str = ""
    scopes: tuple[ConsentScope, ...] = ()
    parts: tuple[AskedPart, ...] = ()
    hunks: int = 0
    confinement: str = ""


def view_of(event: ApprovalRequested) -> ApprovalView:
    """What a panel needs of the request."""
    return ApprovalView(
        approval_id=event.approval_id,
        tool=event.tool,
        input=event.input,
        reason=event.reason,
        tier=event.tier,
        grant_scope=event.grant_scope,
        preview=event.preview,
        fingerprint=event.fingerprint,
        scopes=tuple(event.scopes),
        parts=tuple(event.parts),
        hunks=event.hunks,
        confinement=event.confinement,
    )
