"""What a goal came to, in figures."""

from __future__ import annotations

from dataclasses import dataclass

from agent_cockpit.text import money
from agent_cockpit.transcript.wording import compact, count


@dataclass(frozen=True, slots=True)
class Figures:
    """Of a goal so far: files changed, turns, tokens, and dollars where prices are set."""

    files: int = 0
    turns: int = 0
    tokens: int = 0
    cost: float = 0.0

    @property
    def words(self) -> str:
        """`1 file · 4 turns · 2.1k tokens · $0.012`, without what is zero."""
        parts = [count(self.files, "file")] if self.files else []
        parts += [count(self.turns, "turn")] if self.turns else []
        parts += [f"{compact(self.tokens)} tokens"] if self.tokens else []
        parts += [money(self.cost)] if self.cost else []
        return " · ".join(parts)


NO_FIGURES = Figures()
