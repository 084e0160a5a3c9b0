"""How a goal begins: what it is, what was seen before it, and its first message."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from agent_cockpit.engine.model.instructions import GoalFacts, goal_instructions
from agent_cockpit.engine.ports import Harness
from agent_cockpit.engine.state import TaskState
from agent_cockpit.engine.surroundings import Discovered, Surroundings
from agent_cockpit.errors import NoSuchSkill
from agent_cockpit.events.messages import Message, TextBlock
from agent_cockpit.rules.model.context import CHARACTERS_PER_TOKEN
from agent_cockpit.rules.model.project_instructions import NO_INSTRUCTIONS
from agent_cockpit.rules.model.project_instructions import reminder as project_instructions
from agent_cockpit.rules.model.reminders import INSTRUCTIONS_MARK, SKILLS_MARK, newest, to_send
from agent_cockpit.rules.model.skills import NO_SKILLS, SKILL_CALL, Skill, call_text, called
from agent_cockpit.rules.model.skills import reminder as skill_list
from agent_cockpit.rules.modes import TaskKind
from agent_cockpit.text import clean_line

_LISTING_PART = 10
"""The list of skills takes at most a tenth of the window: the work needs the rest."""


@dataclass(frozen=True, slots=True)
class GoalSpec:
    """One goal before it is opened; `mode` names its prompt file. `asked` is the goal whose
    question it may answer, `goes_on` says that it does that goal's work."""

    prompt: str
    kind: TaskKind
    mode: str
    source: str
    constraints: tuple[str, ...] = ()
    asked: TaskState | None = None
    goes_on: bool = False

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
    first goal only), and which folders were added. `shown` gives what the model sees.
    """

    def __init__(
        self, harness: Harness, shown: Callable[[], Sequence[Message]], *, must_be_clean: bool
    ) -> None:
        self.must_be_clean = must_be_clean
        self._harness = harness
        self._shown = shown
        self._roots: list[Path] = []

    def add_root(self, root: Path) -> None:
        """One more folder whose instructions and skills count."""
        self._roots.append(root)

    def discover(self) -> Discovered:
        """The instructions and skills that there are now; blocks."""
        return self._harness.discover(tuple(self._roots))

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
        """A goal runs: from now on changes in the tree are the sitting's own work."""
        self.must_be_clean = False

    def message(self, spec: GoalSpec, seen: Surroundings, refused: list[str]) -> Message:
        """The goal's first message: instructions of the engine, then the person's words.

        Project instructions and the list of skills go in when they differ from what the
        model sees already. A prompt that calls a skill becomes its text.
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
        texts = [
            goal_instructions(facts),
            *self._reminders(seen.discovered),
            skill_prompt(spec.prompt, seen.discovered.skills),
        ]
        return Message(role="user", blocks=tuple(TextBlock(text=text) for text in texts))

    def _reminders(self, found: Discovered) -> list[str]:
        """What the model does not see yet of the instructions and skills that there are."""
        shown = self._shown()
        budget = self._harness.config.max_context_tokens * CHARACTERS_PER_TOKEN // _LISTING_PART
        reminders = [
            to_send(
                project_instructions(found.instructions),
                newest(shown, INSTRUCTIONS_MARK),
                gone=NO_INSTRUCTIONS,
            ),
            to_send(skill_list(found.skills, budget), newest(shown, SKILLS_MARK), gone=NO_SKILLS),
        ]
        return [text for text in reminders if text is not None]


def skill_or_words(text: str, skills: Sequence[Skill]) -> str:
    """As `skill_prompt`, for words that cannot come back: a skill that is gone is said."""
    try:
        return skill_prompt(text, skills)
    except NoSuchSkill as gone:
        return f"{text}\n({gone})"


def skill_prompt(prompt: str, skills: Sequence[Skill]) -> str:
    """The prompt as the model reads it: of a called skill its text, else as it is.

    Raises `NoSuchSkill` for a name that no skill has.
    """
    if not prompt.startswith(SKILL_CALL):
        return prompt
    word, *rest = prompt.removeprefix(SKILL_CALL).split(maxsplit=1) or [""]
    skill = called(word, skills)
    if skill is None:
        raise NoSuchSkill(f"there is no skill {clean_line(word)!r} to call; /skills lists them")
    return call_text(skill, "".join(rest))
