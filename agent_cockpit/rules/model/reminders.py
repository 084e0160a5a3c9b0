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


def told_by(message: Message) -> str:
    """Which reminders a message brings to the model, in words for the person; else empty."""
    brought = [
        words
        for mark, words in (
            (INSTRUCTIONS_MARK, "instructions (/instructions lists them)"),
            (SKILLS_MARK, "a list of skills (/skills shows it)"),
        )
        if newest([message], mark) is not None
    ]
    return f"The model is given {' and '.join(brought)}." if brought else ""


def to_send(now: str, sent: str | None, *, gone: str) -> str | None:
    """What to send where the conversation shows `sent`: all of `now` again when any of it
    differs, `gone` when there is none any more, None when nothing is to be said."""
    if not now:
        return gone if sent is not None and sent != gone else None
    return now if now != sent else None


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
