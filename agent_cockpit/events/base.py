"""What every event carries. The bus stamps id, session and time; emitters fill the rest."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field


def _with_zone(at: datetime) -> datetime:
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)


def _now() -> datetime:
    return datetime.now(UTC)


class Event(BaseModel):
    """Base of both unions; frozen, unknown fields ignored (a newer writer may add some)."""

    model_config = ConfigDict(frozen=True)

    schema_version: Literal[1] = 1
    event_id: int = 0
    """Strictly increasing over a whole sitting, from 1; 0 until the bus stamps it."""
    session_id: str = ""
    task_id: str | None = None
    """The goal's `TaskState.task_id`."""
    turn: int | None = None
    ts: Annotated[datetime, AfterValidator(_with_zone)] = Field(default_factory=_now)
