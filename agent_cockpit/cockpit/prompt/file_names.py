"""The file names that a mention can be completed to, looked up when one is first written."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.rules.grounding import mention
from agent_cockpit.rules.path_index import PathIndex
from agent_cockpit.workspace.finding.names import file_names, is_there

if TYPE_CHECKING:
    from agent_cockpit.rules.consent.policy import RuleBook
    from agent_cockpit.workspace.workspace import Workspace

FRESH_S = 5.0
_TIMES_AS_LONG = 10
"""A tree that takes long to list is listed as much more seldom."""


class FileNames:
    """Owns the index of one workspace; it is made in a thread, and anew when it has grown old."""

    def __init__(
        self,
        workspace: Workspace,
        rules: RuleBook,
        start: Callable[[Coroutine[Any, Any, None]], object],
        changed: Callable[[], object],
    ) -> None:
        self.index: PathIndex | None = None
        self._workspace = workspace
        self._rules = rules
        self._start = start
        self._changed = changed
        self._is_looking = False
        self._fresh_until = float("-inf")

    def look(self) -> None:
        """Look the names up, unless they are known well enough; `changed` tells of the end."""
        if not self._is_looking and time.monotonic() > self._fresh_until:
            self._is_looking = True
            self._start(self._look())

    def is_there(self, name: str) -> bool:
        """Whether a name is still one that may be mentioned, and no rule denies reading it."""
        facts = CallFacts(tool="read_file", tier=0, mutates=False, reads=(name.rstrip("/"),))
        return is_there(self._workspace, name) and self._rules.find("deny", facts) is None

    async def _look(self) -> None:
        began = time.monotonic()
        self.index = await asyncio.to_thread(_index, self._workspace)
        now = time.monotonic()
        self._fresh_until = now + max(FRESH_S, _TIMES_AS_LONG * (now - began))
        self._is_looking = False
        self._changed()


def _index(workspace: Workspace) -> PathIndex:
    return PathIndex(name for name in file_names(workspace) if mention(name) is not None)
