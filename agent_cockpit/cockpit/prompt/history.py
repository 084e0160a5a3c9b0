"""Prompts that were sent, to walk through with ↑ and ↓, and the draft that waits meanwhile."""

from __future__ import annotations

from collections.abc import Iterable


class History:
    """Sent prompts, oldest first, and a walk through them; it owns both.

    The walk begins at what is written, which becomes the draft: it visits the prompts that
    begin with it, each once, or all prompts when none does. Walking forward past the newest
    gives the draft back. A remembered prompt that was changed on the way keeps its change
    until the walk ends. The same prompt twice in a row is kept once.
    """

    def __init__(self, prompts: Iterable[str] = (), *, limit: int = 1000) -> None:
        self._limit = limit
        self._prompts: list[str] = []
        for prompt in prompts:
            self.add(prompt)
        self._walk: list[str] = []
        """The prompts of the present walk, oldest first; empty while not walking."""
        self._place = 0
        self._written: dict[int, str] = {}

    def add(self, prompt: str) -> None:
        """Remember a prompt as the newest, and end the walk."""
        if prompt and (not self._prompts or self._prompts[-1] != prompt):
            self._prompts.append(prompt)
            del self._prompts[: -self._limit]
        self._walk = []
        self._written = {}

    def add_older(self, prompts: Iterable[str]) -> None:
        """Remember prompts of earlier sittings, oldest first, behind all that are known; a walk
        goes on as it began."""
        self._prompts = [*prompts, *self._prompts][-self._limit :]

    def newest_first(self) -> list[str]:
        """All prompts, each once, the newest of the same ones."""
        return list(dict.fromkeys(reversed(self._prompts)))

    def back(self, present: str) -> str | None:
        """The prompt before; None at the oldest. `present` is what is written now."""
        if not self._walk:
            known = self.newest_first()
            begun = [each for each in known if each.startswith(present) and each != present]
            self._walk = (begun or known)[::-1]
            self._place = len(self._walk)
        return self._go(self._place - 1, present)

    def forward(self, present: str) -> str | None:
        """The prompt after, past the newest the draft; None while not walking."""
        return self._go(self._place + 1, present) if self._walk else None

    def _go(self, there: int, present: str) -> str | None:
        newest = len(self._walk)
        if not 0 <= there <= newest:
            return None
        self._written[self._place] = present
        self._place = there
        shown = self._written.get(there, self._walk[there] if there < newest else "")
        if there == newest:
            self._walk = []
            self._written = {}
        return shown
