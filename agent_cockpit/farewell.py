"""The last words at a terminal: where the sitting is recorded, and how to go on with it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from agent_cockpit.settings import HarnessConfig
    from agent_cockpit.transcript.fold import Transcript

_ID_CHARS = 12
"""As many of a sitting's id stand in its journal's name."""


class Shown(Protocol):
    """What holds the transcript of the sitting."""

    @property
    def transcript(self) -> Transcript: ...


def what_stays(shown: Shown | None, config: HarnessConfig | None) -> str:
    """The text that stays in the terminal when the screen is gone, as the setting
    `leave_transcript` wants it; mostly none."""
    if shown is None or config is None or config.leave_transcript == "off":
        return ""
    from agent_cockpit.transcript.blocks import PromptBlock
    from agent_cockpit.transcript.plain import plain_lines

    blocks = shown.transcript.blocks
    if config.leave_transcript == "goal":
        goals = (b.key for b in blocks if isinstance(b, PromptBlock) and b.origin == "goal")
        blocks = blocks[max(goals, default=len(blocks)) :]
    return "".join("\n".join([*plain_lines(block), "\n"]) for block in blocks)


def how_to_go_on(source: object) -> str:
    """Where this sitting is recorded, how to see it again and how to go on with it, a line for
    each. Empty where it is not recorded."""
    path = getattr(source, "journal_path", None)
    if path is None:
        return ""
    return f"see it again: agent-cockpit replay {path}\ngo on: {how_to_resume(source)}"


def how_to_resume(source: object) -> str:
    """The command that goes on with this sitting, by its id where its journal is named so;
    empty where it is not recorded."""
    path = getattr(source, "journal_path", None)
    if path is None:
        return ""
    name = Path(path).stem.rpartition("-")[2]
    state = getattr(source, "state", None)
    known = len(name) == _ID_CHARS and getattr(state, "session_id", "").startswith(name)
    return f"agent-cockpit --resume {name if known else path}"
