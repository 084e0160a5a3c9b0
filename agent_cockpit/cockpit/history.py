"""Prompts that were sent, to walk through with ↑ and ↓, and the draft that waits meanwhile."""

from __future__ import annotations


class History:
    """Sent prompts, oldest first, and a place among them; it owns both.

    Walking back from the newest puts the present text aside as the draft; walking forward
    past the newest gives it back. A remembered prompt that was changed on the way keeps its
    change until the walk ends. The same prompt twice in a row is kept once.
    """

    def __init__(self, prompts: list[str] | None = None, *, limit: int = 1000) -> None:
        self._limit = limit
        self._prompts: list[str] = []
        for prompt in prompts or []:
            self.add(prompt)
        self._place: int | None = None
        self._written: dict[int, str] = {}

    def add(self, prompt: str) -> None:
        """Remember a prompt as the newest, and end the walk."""
        if prompt and (not self._prompts or self._prompts[-1] != prompt):
            self._prompts.append(prompt)
            del self._prompts[: -self._limit]
        self._place = None
        self._written = {}

    def back(self, present: str) -> str | None:
        """The prompt before; None at the oldest. `present` is what is written now."""
        place = len(self._prompts) if self._place is None else self._place
        return self._go(place, place - 1, present)

    def forward(self, present: str) -> str | None:
        """The prompt after, past the newest the draft; None while not walking."""
        return None if self._place is None else self._go(self._place, self._place + 1, present)

    def _go(self, here: int, there: int, present: str) -> str | None:
        newest = len(self._prompts)
        if not 0 <= there <= newest:
            return None
        self._written[here] = present
        self._place = there if there < newest else None
        stored = self._prompts[there] if there < newest else ""
        return self._written.get(there, stored)
