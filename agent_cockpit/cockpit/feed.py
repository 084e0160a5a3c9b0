"""What driving knows of what happened; whatever front end tells this can drive a sitting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from agent_cockpit.transcript.fold import Transcript
    from agent_cockpit.transcript.status import Status


class Feed(Protocol):
    """The source's events so far."""

    @property
    def transcript(self) -> Transcript: ...
    @property
    def status(self) -> Status: ...
    @property
    def prompts_seen(self) -> int:
        """Prompts that the engine took: goals begun and prompts queued."""
        ...

    def flush(self) -> None:
        """Take in all that waits, now."""
        ...
