"""Prompts as a person writes them in lines, kept from sitting to sitting."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from agent_cockpit.plain.reading import Lines
from agent_cockpit.prompt_files import Draft

if TYPE_CHECKING:
    from agent_cockpit.cockpit.prompt.prompt_keeper import Memory


class Prompts:
    """Reads them, and gives what was sent to the project's memory; `tell` says once why that
    cannot be had."""

    def __init__(self, lines: Lines, memory: Memory | None, tell: Callable[[str], None]) -> None:
        self._lines = lines
        self._memory = memory
        self._tell = tell
        self._draft = ""

    def recall(self) -> None:
        """Have the earlier ones at hand, for ↑, and what was not sent in the next line."""
        if self._memory is not None:
            try:
                self._lines.learn(self._memory.earlier())
                if self._lines.is_terminal and (drafts := self._memory.take_drafts()):
                    self._draft = drafts[-1].whole
            except OSError as problem:
                self._forget(problem)

    def take_draft(self) -> str:
        """What was not sent, for the next line; it is kept until something is sent."""
        draft, self._draft = self._draft, ""
        return draft

    def give_back(self, text: str) -> None:
        """Keep a prompt that was not sent, also for the next sitting."""
        self._draft = "\n\n".join(filter(None, (text, self._draft)))
        self._keep()

    def close(self) -> None:
        """Let the next sitting have what was not sent."""
        if self._memory is not None:
            try:
                self._memory.close()
            except OSError as problem:
                self._forget(problem)

    def _keep(self) -> None:
        if self._memory is not None:
            try:
                self._memory.keep(Draft(self._draft))
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
        self._keep()

    def _forget(self, problem: OSError) -> None:
        self._memory = None
        self._tell(f"the prompts of this project are not kept: {problem}")
