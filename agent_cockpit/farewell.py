"""The last words at a terminal: where the sitting is recorded, and how to go on with it."""

from __future__ import annotations

from pathlib import Path

_ID_CHARS = 12
"""As many of a sitting's id stand in its journal's name."""


def how_to_go_on(source: object) -> str:
    """Where this sitting is recorded, how to see it again and how to go on with it; by its id
    where its journal is named so. Empty where it is not recorded."""
    path = getattr(source, "journal_path", None)
    if path is None:
        return ""
    name = Path(path).stem.rpartition("-")[2]
    state = getattr(source, "state", None)
    known = len(name) == _ID_CHARS and getattr(state, "session_id", "").startswith(name)
    again = f"--resume {name if known else path}"
    return f"see it again: agent-cockpit replay {path} · go on: agent-cockpit {again}"
