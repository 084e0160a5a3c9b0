"""`!` before a command: the person runs it themselves, and hands its output over or not.

Law: the model is told nothing of it, unless the output stands as a chip in a prompt.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Protocol

from agent_cockpit.cockpit.consent.answers import Level, words_of
from agent_cockpit.cockpit.driving import Driving
from agent_cockpit.cockpit.prompt.composer import Composer
from agent_cockpit.text import head_and_tail

if TYPE_CHECKING:
    from agent_cockpit.engine.sitting.person_commands import CommandOutput

SHELL_SIGN = "!"
ATTACHED_CHARS = 40_000
"""Of a longer output head and tail are attached; the transcript has it all."""


class Owner(Protocol):
    """What the shell needs of the app."""

    composer: Composer
    driving: Driving

    def start(self, work: Coroutine[Any, Any, None]) -> object: ...
    def tell(self, text: str, level: Level = "info") -> None: ...
    def note(self, text: str) -> None: ...
    def present(self) -> None: ...


class Shell:
    """Owns the newest output that can be attached; `!!` leaves none."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner
        self._output: CommandOutput | None = None
        self._running = 0

    @property
    def is_running(self) -> bool:
        """Whether a command of the person's runs."""
        return self._running > 0

    @property
    def can_attach(self) -> bool:
        """Whether there is an output that no prompt has yet."""
        return self._output is not None

    def run(self, text: str) -> None:
        """Run what stands behind the sign."""
        owner = self._owner
        command = text.lstrip(SHELL_SIGN).strip()
        if not command:
            owner.note(f"write a command behind the {SHELL_SIGN}")
        elif owner.driving.runs_later(text):
            return
        elif not hasattr(owner.driving.source, "run_for_person"):
            owner.composer.give_back(text)
            owner.note("there is no workspace to run it in yet")
        else:
            self._output = None
            owner.start(self._run(command, is_private=text.startswith(SHELL_SIGN * 2)))

    def attach(self) -> None:
        """Put the newest output into the prompt, as a chip."""
        output, self._output = self._output, None
        if output is None:
            self._owner.note("no output to attach")
            return
        said = head_and_tail(output.text, ATTACHED_CHARS) or "(no output)"
        text = f"$ {output.command}\n{said}\n[{output.end}]\n"
        self._owner.composer.insert_chip(text, "output")
        self._owner.present()

    async def _run(self, command: str, *, is_private: bool) -> None:
        owner = self._owner
        source: Any = owner.driving.source
        self._running += 1
        owner.present()
        try:
            output = await source.run_for_person(command)
        except Exception as problem:
            owner.tell(words_of(problem), "warning")
        else:
            self._output = None if is_private else output
            owner.note(output.untold)
        finally:
            self._running -= 1
            owner.present()
