"""Small makings that the facts of several tools share."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from agent_cockpit.errors import ToolRefused
from agent_cockpit.rules.consent.scopes import every
from agent_cockpit.rules.facts import CallFacts, CommandPart
from agent_cockpit.settings import PROJECT_FILE
from agent_cockpit.text import reveal_line
from agent_cockpit.tools.protocol import RunDeps
from agent_cockpit.workspace.workspace import Located

ALL_PHASES = frozenset({"investigating", "editing", "verifying"})


def every_call(tool: str) -> str:
    """What `[a]` covers for a tool without a command, in the words of the panel."""
    return f"{every(tool)} in this sitting"


def reading(tool: str, reason: str, *reads: str) -> CallFacts:
    """The facts of a call that only looks."""
    return CallFacts(
        tool=tool,
        tier=0,
        reason=reason,
        mutates=False,
        reads=reads,
        prefix=tool,
        scope_words=every_call(tool),
    )


def never(tool: str, tier: int, refused: ToolRefused, *, mutates: bool) -> CallFacts:
    """The facts of a call that no approval allows, with the reason."""
    return CallFacts(
        tool=tool,
        tier=tier,
        reason=str(refused),
        mutates=mutates,
        grantable=False,
        refusal=str(refused),
    )


def asked_for_settings(facts: CallFacts) -> CallFacts:
    """The same, asked every time where it would change the settings that this program reads
    in the folder: they say what is denied, and which commands count as the project's checks."""
    names = {path.rpartition("/")[2].casefold() for path in facts.writes}
    if PROJECT_FILE not in names or facts.tier >= 4:
        return facts
    reason = f"changes `{PROJECT_FILE}`, the settings and rules of this program here"
    return replace(facts, tier=3, reason=reason, grantable=False, scope_words=None)


def wall(path: str, deps: RunDeps, *, write: bool) -> Located | ToolRefused:
    """The place that `path` names, or why no approval opens it; to be read it may also be
    what a person keeps elsewhere for the model."""
    try:
        if write:
            return deps.workspace.locate(path, write=True)
        return deps.workspace.locate_to_read(path)
    except ToolRefused as refused:
        return refused


def parts_preview(parts: tuple[CommandPart, ...]) -> str:
    """One line for each part of a command: its text, its tier, and why."""
    return "\n".join(
        f"{reveal_line(part.text)}\n    tier {part.tier} · {part.reason}" for part in parts
    )


def fingerprint(text: str) -> str:
    """What stands for exactly this text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
