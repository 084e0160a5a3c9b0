"""The last words at a terminal: where the sitting is recorded, and how to go on with it."""

from __future__ import annotations

from pathlib import Path

_ID_CHARS = 12
"""As many of a sitting's id stand in its journal's name."""


def how_to_go_on(source: object) -> str:
    """Where this sitting is recorded, how to see it again and how to go on with it. Empty where
    it is not recorded."""
    path = getattr(source, "journal_path", None)
    if path is None:
        return ""
    return f"see it again: agent-cockpit replay {path} · go on: {how_to_resume(source)}"


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
