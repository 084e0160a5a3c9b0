"""What happens around plans: proposed, decided, what planning changed, how far a build is."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from agent_cockpit.events.base import Event


class PlanProposed(Event):
    """A plan reached the person; `version` counts from 1 within the goal."""

    type: Literal["sitting.plan_proposed"] = "sitting.plan_proposed"
    text: str = ""
    version: int = 1


class PlanDecided(Event):
    """What the person did with the plan: approved (`text` is what gets built), revised, left.

    `edited`: what gets built is not what was proposed. `accepts_edits`: edits run without a
    question from here on. `outcome` is how the goal ends where this decision ends it.
    """

    type: Literal["sitting.plan_decided"] = "sitting.plan_decided"
    decision: Literal["approved", "revised", "left"] = "left"
    text: str = ""
    edited: bool = False
    accepts_edits: bool = False
    outcome: Literal["incomplete"] | None = None
    reason: str = ""
    """Why it ends the goal."""


class PlanLeaked(Event):
    """A command of a plan goal changed something although it was judged to only read.

    `call_ids` are the calls that ran when these paths changed and `commands` their lines;
    `restored` are as they were, `failed` could not be put back.
    """

    type: Literal["sitting.plan_leaked"] = "sitting.plan_leaked"
    call_ids: list[str] = Field(default_factory=list)
    commands: list[str] = Field(default_factory=list)
    restored: list[str] = Field(default_factory=list)
    failed: list[str] = Field(default_factory=list)
    error: str = ""


class PlanStepState(BaseModel):
    """One step of the plan that is built: `why` says what it was ticked by."""

    model_config = ConfigDict(frozen=True)

    number: int
    text: str
    state: Literal["open", "working", "done"] = "open"
    why: str = ""


class PlanProgressed(Event):
    """How far the build of an approved plan is, whole, each time that something of it changed.

    `strays` are files that were changed and that the plan does not name.
    """

    type: Literal["sitting.plan_progressed"] = "sitting.plan_progressed"
    steps: list[PlanStepState] = Field(default_factory=list)
    strays: list[str] = Field(default_factory=list)
