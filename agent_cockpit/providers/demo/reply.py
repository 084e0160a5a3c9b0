"""One reply of the scripted demo model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

Asked = tuple[str, dict[str, Any]]


def call(name: str, **arguments: Any) -> Asked:
    """A tool call with its arguments."""
    return name, arguments


@dataclass(frozen=True, slots=True)
class Reply:
    """What to say and which tools to call; without calls it is a final answer."""

    text: str
    calls: tuple[Asked, ...] = ()
    thought: str = ""

    def after(self, opening: str) -> Reply:
        """The same reply with a sentence before it."""
        return replace(self, text=f"{opening}\n\n{self.text}".strip())
