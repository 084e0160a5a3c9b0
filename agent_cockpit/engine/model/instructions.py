"""What the model is told: one prompt file a mode, filled with the facts of this goal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template

from agent_cockpit.events.checks import PlannedCheck
from agent_cockpit.rules.grounding import Reference

_FOLDER = Path(__file__).parent / "prompts"

STEERING_MARK = "While you were working, the person wrote:"
"""Stands before text that joined a running goal, so that it is not taken for a result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalFacts:
    """What a prompt file is filled with. `grounded` pairs references with what they hold."""

    goal: str
    mode: str
    workspace: str
    branch: str | None = None
    checks: tuple[PlannedCheck, ...] | None = None
    constraints: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    grounded: tuple[tuple[Reference, str], ...] = ()


def preamble() -> str:
    """The words that open every conversation; the same for all goals, so that a provider may
    cache them."""
    return _file("base")


def summary_preamble() -> str:
    """The words that open a request for a summary."""
    return _file("summary")


def goal_instructions(facts: GoalFacts) -> str:
    """The block that stands before the person's own words in a goal's first message."""
    filled = Template(_file(facts.mode)).substitute(
        workspace=_workspace(facts),
        checks=_checks(facts.checks),
        constraints=_listed("Hold to this:", facts.constraints),
        refused=_listed("Refused earlier in this conversation, with the reason:", facts.refused),
    )
    parts = ["\n".join(line for line in filled.splitlines() if line.strip())]
    for reference, text in facts.grounded:
        parts.append(f"The prompt refers to {reference.path}:\n{text}")
    return "\n\n".join(parts)


def planning_revision(previous_plan: str, note: str) -> str:
    """The constraint of a plan goal that is sent back: the plan as it was, and the note."""
    asked = note.strip() or "Make it better; no particular wish was given."
    return f"The plan so far:\n{previous_plan}\n\nThe person sends it back with this note:\n{asked}"


def approved_plan(plan: str) -> str:
    """The constraint of a build."""
    return f"The approved plan:\n{plan}"


@cache
def _file(name: str) -> str:
    return (_FOLDER / f"{name}.md").read_text(encoding="utf-8").strip()


def _workspace(facts: GoalFacts) -> str:
    branch = f", branch {facts.branch}" if facts.branch else ""
    return f"Workspace: {facts.workspace}{branch}. Paths are relative to it."


def _checks(checks: Sequence[PlannedCheck] | None) -> str:
    if checks is None:
        return ""
    if not checks:
        return (
            "No way of checking this workspace is known. Before the first edit, say with "
            "declare_verification which commands will prove the change."
        )
    return _listed("Checks that decide:", [f"{check.name}: {check.command}" for check in checks])


def _listed(head: str, lines: Sequence[str]) -> str:
    return "\n".join([head, *(f"- {line}" for line in lines)]) if lines else ""
