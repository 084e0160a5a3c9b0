"""Prompts as a person writes them in lines, kept from sitting to sitting."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from agent_cockpit.plain.reading import Lines

if TYPE_CHECKING:
    from agent_cockpit.cockpit.prompt.prompt_keeper import Memory


class Prompts:
    """Reads them, and gives what was sent to the project's memory; `tell` says once why that
    cannot be had."""

    def __init__(self, lines: Lines, memory: Memory | None, tell: Callable[[str], None]) -> None:
        self._lines = lines
        self._memory = memory
        self._tell = tell

    def recall(self) -> None:
        """Have the earlier ones at hand, for ↑."""
        if self._memory is not None:
            try:
                self._lines.learn(self._memory.earlier())
            except OSError as problem:
                self._forget(problem)

    def next(self, head: str, *, draft: str = "") -> str | None:
        """What the person writes, None when they leave; a line that ends in a backslash goes on
        in the next. Blocks; raises `KeyboardInterrupt` for Ctrl+C."""
        written: list[str] = []
        while (line := self._lines.prompt(". " if written else head, draft=draft)) is not None:
            draft = ""
            if not line.endswith("\\"):
                return "\n".join([*written, line])
            written.append(line[:-1])
        return "\n".join(written) or None

    def sent(self, text: str) -> None:
        """Remember it."""
        if self._memory is not None:
            try:
                self._memory.remember(text)
            except OSError as problem:
                self._forget(problem)

    def _forget(self, problem: OSError) -> None:
        self._memory = None
        self._tell(f"the prompts of this project are not kept: {problem}")
