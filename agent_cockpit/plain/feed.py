"""What has happened so far, as driving and telling see it."""

from __future__ import annotations

from collections.abc import Iterable

from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import AgentStart
from agent_cockpit.events.sitting import PromptQueued, PromptsRecalled
from agent_cockpit.plain.telling import Telling
from agent_cockpit.transcript.advancing import advance
from agent_cockpit.transcript.blocks import VerdictBlock
from agent_cockpit.transcript.fold import Transcript
from agent_cockpit.transcript.status import Status


class Feed:
    """Owns the transcript and the status of one source."""

    def __init__(self) -> None:
        self.transcript = Transcript()
        self.status = Status()
        self.prompts_seen = 0
        self.telling = Telling(self.transcript)

    def recall(self, past: Iterable[Event]) -> None:
        """Take in what an earlier process recorded."""
        for event in past:
            self.status = advance(self.status, event)
            self.transcript.apply(event)

    def take(self, events: Iterable[Event]) -> list[str]:
        """Take in what happens now; the prompts that came back unsent."""
        recalled: list[str] = []
        for event in events:
            self.status = advance(self.status, event)
            self.transcript.apply(event)
            self.prompts_seen += isinstance(event, AgentStart | PromptQueued)
            if isinstance(event, PromptsRecalled) and event.to == "composer":
                recalled += event.texts
        return recalled

    def has_told_end(self, *, since: int) -> bool:
        """Whether a goal is over that was taken after so many prompts, or its verdict is told."""
        if self.prompts_seen > since and not self.status.is_running:
            return True
        newest = self.transcript.block(len(self.transcript) - 1) if len(self.transcript) else None
        return isinstance(newest, VerdictBlock) and newest.passed is True

    def flush(self) -> None:
        """Nothing waits here."""
