"""Leaving the cockpit: twice where something would be lost, and never without a last word."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from textual.timer import Timer

from agent_cockpit.cockpit.driving import Driving
from agent_cockpit.cockpit.prompt.prompt_keeper import PromptKeeper
from agent_cockpit.cockpit.widgets.status_line import StatusLine
from agent_cockpit.farewell import how_to_go_on, what_stays

QUIT_ARMED_S = 1.5
QUIT_KEYS = ("ctrl+c", "ctrl+d", "ctrl+q")


class Door(Protocol):
    """What quitting needs of the app."""

    farewell: str
    driving: Driving
    prompt_keeper: PromptKeeper
    status_line: StatusLine

    def set_timer(self, delay: float, callback: Callable[[], None]) -> Timer: ...
    def start(self, work: Coroutine[Any, Any, None]) -> object: ...
    def present(self) -> None: ...
    def exit(self) -> None: ...


class Quitting:
    """Knows whether the next press quits, and closes the source before the app ends."""

    def __init__(self, app: Door) -> None:
        self.is_leaving = False
        self._app = app
        self._timer: Timer | None = None

    @property
    def is_armed(self) -> bool:
        """Whether a person asked to quit a moment ago."""
        return self._timer is not None

    def arm(self) -> None:
        """The next press quits, for a moment."""
        self._timer = self._app.set_timer(QUIT_ARMED_S, self._disarm)
        self._app.status_line.flash("ctrl+c again to quit", seconds=QUIT_ARMED_S)
        self._app.present()

    def key_pressed(self, key: str) -> None:
        """Any other key says that the person stays."""
        if key not in QUIT_KEYS:
            self._disarm()

    def leave(self) -> None:
        """Close and exit, once."""
        if not self.is_leaving:
            self.is_leaving = True
            self._app.start(self._close())

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
            self._app.present()

    async def _close(self) -> None:
        app = self._app
        app.status_line.flash("closing…", seconds=60)
        again = how_to_go_on(app.driving.source)
        left = what_stays(app.driving.bridge, app.driving.config)
        await app.prompt_keeper.close([text for _, text in app.driving.waiting()])
        problem = await app.driving.close()
        app.farewell = "\n".join(part for part in (left, again, problem) if part)
        app.exit()
