"""Calls of one reply that will be asked about, told before their turn comes."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import ApprovalRequested


class CallsAhead(Event):
    """These calls come behind the one that is asked about now, as they are now. They may be
    answered ahead; each is asked about by an `approval_requested` of its own all the same."""

    type: Literal["sitting.calls_ahead"] = "sitting.calls_ahead"
    questions: list[ApprovalRequested] = Field(default_factory=list)
