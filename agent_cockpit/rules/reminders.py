"""Blocks that the engine puts beside a person's words, found again by how they begin.

Law: what the model was sent already is decided by the conversation that it sees, not by
memory: so it holds after a compaction and after a resume.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agent_cockpit.events.messages import Message, TextBlock

INSTRUCTIONS_MARK = "Instructions of this project, for how to work on it (not a question):"
SKILLS_MARK = "Skills that you may use (a list, not a question):"
MARKS = (INSTRUCTIONS_MARK, SKILLS_MARK)


def newest(messages: Sequence[Message], mark: str) -> str | None:
    """The last reminder of this kind that the conversation holds."""
    for message in reversed(messages):
        if message.role == "user":
            for block in reversed(message.blocks):
                if isinstance(block, TextBlock) and block.text.startswith(mark):
                    return block.text
    return None


def without_reminders(texts: Iterable[str]) -> tuple[str, ...]:
    """The texts that no reminder is."""
    return tuple(text for text in texts if not text.startswith(MARKS))
