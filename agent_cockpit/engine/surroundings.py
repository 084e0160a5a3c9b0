"""What was seen before a goal began."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agent_cockpit.events.checks import PlannedCheck
from agent_cockpit.rules.grounding import Reference
from agent_cockpit.rules.model.project_instructions import InstructionFile
from agent_cockpit.rules.model.skills import BrokenSkill, Skill


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovered:
    """Words for the model that a project and a person keep, with those that are left out."""

    instructions: tuple[InstructionFile, ...] = ()
    skills: tuple[Skill, ...] = ()
    broken: tuple[BrokenSkill, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What was read before a goal: the branch, the checks that were found, whether there are
    tests, the files that the prompt refers to, and the instructions and skills that there are."""

    branch: str | None = None
    checks: tuple[PlannedCheck, ...] = ()
    had_tests: bool = False
    documents: Mapping[str, str] = field(default_factory=dict)
    """How the documents begin that a planner reads, by path; empty where none is needed."""
    grounded: tuple[tuple[Reference, str], ...] = ()
    discovered: Discovered = Discovered()
