"""The slash commands that the cockpit carries out itself; the engine's go to the source."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from textual.screen import Screen

from agent_cockpit.cockpit.driving import Driving
from agent_cockpit.cockpit.look.looks import Looks
from agent_cockpit.cockpit.opening import Opening
from agent_cockpit.cockpit.quitting import Quitting
from agent_cockpit.text import clean_line
from agent_cockpit.transcript.copy_command import COPY_USAGE, copied, nothing_copied

if TYPE_CHECKING:
    from agent_cockpit.cockpit.consent.answers import Level


class Cockpit(Protocol):
    """What the commands need of the app."""

    looks: Looks
    quitting: Quitting
    opening: Opening
    driving: Driving

    def action_help(self, commands_first: bool = False) -> None: ...
    def show_keys(self) -> None: ...
    def action_side_panel(self) -> None: ...
    def action_times(self) -> None: ...
    def copy(self, text: str, *, keep: bool = False) -> None: ...
    def note(self, text: str) -> None: ...
    def tell(self, text: str, level: Level = "info") -> None: ...
    def show(self, screen: Screen[Any], done: Callable[[Any], object] | None = None) -> None: ...


class OwnCommands:
    """Answers `/commands` of the screen. Loaded with the first of them."""

    def __init__(self, cockpit: Cockpit) -> None:
        self._cockpit = cockpit
        self._commands: dict[str, Callable[[str], None]] = {
            "quit": lambda _: cockpit.quitting.leave(),
            "help": lambda _: cockpit.action_help(commands_first=True),
            "keys": lambda _: cockpit.show_keys(),
            "theme": self._theme,
            "panel": lambda _: cockpit.action_side_panel(),
            "times": lambda _: cockpit.action_times(),
            "new": self._new,
            "resume": self._resume,
            "copy": self._copy,
        }

    def run(self, name: str, argument: str) -> bool:
        """Carry a command out; False: it is not one of these."""
        command = self._commands.get(name)
        if command is not None:
            command(argument)
        return command is not None

    def _new(self, _: str) -> None:
        if why_not := self._cockpit.opening.change_sitting():
            self._cockpit.note(why_not)

    def _resume(self, name: str) -> None:
        if why_not := self._cockpit.opening.resume(name):
            self._cockpit.note(why_not)

    def _copy(self, what: str) -> None:
        bridge = self._cockpit.driving.bridge
        text = copied(bridge.transcript, what.lower()) if bridge is not None else ""
        if text is None:
            self._cockpit.note(COPY_USAGE)
        elif text:
            self._cockpit.copy(text)
        else:
            self._cockpit.note(nothing_copied(what.lower()))

    def _theme(self, name: str) -> None:
        from agent_cockpit.cockpit.look.theme import theme_names

        looks = self._cockpit.looks
        if not name:
            from agent_cockpit.cockpit.screens.theme_screen import ThemeScreen

            self._cockpit.show(ThemeScreen(looks))
        elif looks.keep(name.lower()):
            self._cockpit.note(looks.problem or f"theme {looks.chosen}")
        else:
            there_are = ", ".join(theme_names())
            text = f"there is no theme {clean_line(name)!r}; there are {there_are}"
            self._cockpit.tell(text, "warning")
