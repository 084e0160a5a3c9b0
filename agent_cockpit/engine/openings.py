"""How a goal begins: what it is, what was seen before it, and its first message."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from agent_cockpit.engine.bench import Surroundings
from agent_cockpit.engine.instructions import GoalFacts, goal_instructions
from agent_cockpit.engine.ports import Harness
from agent_cockpit.engine.state import TaskKind, TaskState
from agent_cockpit.events.messages import Message, TextBlock


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalSpec:
    """One goal before it is opened; `mode` names its prompt file."""

    prompt: str
    kind: TaskKind
    mode: str
    source: str
    constraints: tuple[str, ...] = ()

    def task(self) -> TaskState:
        """A fresh record for it."""
        return TaskState(
            goal=self.prompt,
            task_kind=self.kind,
            mode_source=self.source,
            constraints=list(self.constraints),
            is_plan=self.mode == "plan",
            is_build=self.mode == "build",
        )


class Openings:
    """Looks around before each goal and writes its first message.

    Owns what must be remembered between goals: whether a clean tree is still asked for (the
    first goal only), and which project instructions the model has seen already.
    """

    def __init__(self, harness: Harness, *, must_be_clean: bool) -> None:
        self.must_be_clean = must_be_clean
        self._harness = harness
        self._roots: list[Path] = []
        self._sent_instructions = ""
        self._offered_instructions = ""

    def add_root(self, root: Path) -> None:
        """One more folder whose instructions count."""
        self._roots.append(root)

    def look(self, prompt: str) -> Surroundings:
        """What there is before a goal; blocks. Raises `DirtyWorkspaceError` where the
        tree had to be clean."""
        return self._harness.look_around(
            prompt, must_be_clean=self.must_be_clean, roots=tuple(self._roots)
        )

    async def alook(self, prompt: str) -> Surroundings:
        """As `look`, in a thread."""
        return await asyncio.to_thread(self.look, prompt)

    def began(self) -> None:
        """A goal runs: from now on changes in the tree are the sitting's own work, and the
        model knows what its opening said."""
        self.must_be_clean = False
        self._sent_instructions = self._offered_instructions

    def message(self, spec: GoalSpec, seen: Surroundings, refused: list[str]) -> Message:
        """The goal's first message: instructions of the engine, then the person's words.

        Project instructions go in when they differ from what was sent before.
        """
        facts = GoalFacts(
            goal=spec.prompt,
            mode=spec.mode,
            workspace=self._harness.workspace_root,
            branch=seen.branch,
            checks=None if spec.kind == "investigate" and spec.mode != "plan" else seen.checks,
            constraints=spec.constraints,
            refused=tuple(refused),
            grounded=seen.grounded,
        )
        blocks = [TextBlock(text=goal_instructions(facts))]
        if seen.instructions and seen.instructions != self._sent_instructions:
            self._offered_instructions = seen.instructions
            blocks.append(TextBlock(text=seen.instructions))
        return Message(role="user", blocks=(*blocks, TextBlock(text=spec.prompt)))
