"""Esc twice, with nothing to interrupt, puts what is written aside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from textual.timer import Timer

from agent_cockpit.cockpit.prompt.composer import Composer
from agent_cockpit.cockpit.widgets.status_line import StatusLine

ARMED_S = 1.5


class Desk(Protocol):
    """What clearing needs of the app."""

    composer: Composer
    status_line: StatusLine

    def set_timer(self, delay: float, callback: Callable[[], None]) -> Timer: ...


class Clearing:
    """Knows whether the next Esc clears the prompt: for a moment after the first, while nothing
    else is written."""

    def __init__(self, app: Desk) -> None:
        self.armed_s = ARMED_S
        self._app = app
        self._armed_for: str | None = None
        self._timer: Timer | None = None

    def press(self) -> None:
        """Esc was pressed and stopped nothing."""
        composer, armed_for = self._app.composer, self._armed_for
        self._disarm()
        if not composer.text:
            return
        if composer.text != armed_for:
            self._armed_for = composer.text
            self._timer = self._app.set_timer(self.armed_s, self._disarm)
            words = "esc again to put the prompt aside"
            self._app.status_line.flash(words, seconds=self.armed_s)
            return
        composer.put_aside()
        composer.put("")
        self._app.status_line.flash("↑ brings the prompt back")

    def _disarm(self) -> None:
        self._armed_for = None
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
