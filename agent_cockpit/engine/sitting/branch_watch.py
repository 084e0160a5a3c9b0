"""Says which branch the folder is on when that changed: by a command, or behind our back."""

from __future__ import annotations

from collections.abc import Callable

from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import AgentStart, ToolEnd
from agent_cockpit.events.sitting import BranchChanged


class BranchWatch:
    """Takes a sitting's events in order. `look` reads the branch, a small file: it is asked
    when a goal begins and when something that ran has ended."""

    def __init__(self, look: Callable[[], str]) -> None:
        self._look = look
        self._branch = ""

    def first(self) -> str:
        """The branch at the beginning, for the sitting's first event; blocks."""
        self._branch = self._look()
        return self._branch

    def __call__(self, event: Event) -> BranchChanged | None:
        """The news of it, if this event brings any."""
        has_run = isinstance(event, ToolEnd) and event.exit_code is not None
        if not (has_run or isinstance(event, AgentStart)):
            return None
        before, self._branch = self._branch, self._look()
        return BranchChanged(branch=self._branch) if self._branch != before else None
