"""What there is to complete to: files, commands, and the things that commands take."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Protocol

from agent_cockpit.cockpit.driving import Driving
from agent_cockpit.cockpit.prompt.file_names import FileNames
from agent_cockpit.rules.meta_commands import COMMANDS
from agent_cockpit.text import clean_line

if TYPE_CHECKING:
    from agent_cockpit.engine.ports import Harness

Named = tuple[str, str]
"""A name and a few words about it."""


class Owner(Protocol):
    """What offers need of the app."""

    driving: Driving

    @property
    def has_question(self) -> bool: ...
    def start(self, work: Coroutine[Any, Any, None]) -> object: ...
    def present(self) -> None: ...


class Offers:
    """Owns what was looked up; `changed` is called when there is more than before."""

    def __init__(self, owner: Owner, changed: Callable[[], object]) -> None:
        self._owner = owner
        self._changed = changed
        self._files: FileNames | None = None
        self._skills: list[Named] | None = None

    def files(self) -> FileNames | None:
        """The file names of the workspace; None while there is none."""
        harness: Harness | None = getattr(self._owner.driving.source, "harness", None)
        if self._files is None and harness is not None:
            rules = harness.base_policy.rules
            start = self._owner.start
            self._files = FileNames(harness.workspace, rules, start, self._changed)
        if self._files is not None:
            self._files.look()
        return self._files

    def commands(self) -> list[Named]:
        """Commands and skills, each once."""
        known = {name: each.words for each in COMMANDS for name in (each.name, *each.aliases)}
        first = {each.name: each.words for each in reversed(COMMANDS)}
        return list((known | first | dict(self._known_skills())).items())

    def things(self, kind: str, command: str) -> list[Named]:
        """The things of a kind that a usage names in capitals, other than files."""
        if kind == "NAME" and command == "skill":
            return self._known_skills()
        if kind == "NAME" and command == "theme":
            from agent_cockpit.cockpit.look.theme import theme_names

            return [(name, "") for name in theme_names()]
        return []

    def _known_skills(self) -> list[Named]:
        discover = getattr(self._owner.driving.source, "discover", None)
        if self._skills is None and discover is not None:
            self._skills = []
            self._owner.start(self._find_skills(discover))
        return self._skills or []

    async def _find_skills(self, discover: Callable[[], Any]) -> None:
        found = await asyncio.to_thread(discover)
        self._skills = [
            (skill.name, f"skill · {clean_line(skill.description)}") for skill in found.skills
        ]
        self._changed()
