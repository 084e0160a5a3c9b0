"""What an approval request spells out beside the call itself: parts, and how far a yes reaches."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class ConsentScope(BaseModel):
    """One width that a yes may have. `seen` counts the earlier calls of the sitting that
    were asked about or let through, and that this width would have covered."""

    model_config = ConfigDict(frozen=True)

    scope: Literal["once", "turn", "session", "grant"]
    covers: str
    seen: int = 0


class AskedPart(BaseModel):
    """One simple command of a line: what it does, and why it weighs what it weighs."""

    model_config = ConfigDict(frozen=True)

    text: str
    tier: int
    reason: str = ""
    reads: list[str] = Field(default_factory=list)
    writes: list[str] = Field(default_factory=list)
    network: bool = False
