"""A terminal that takes nothing for a while, or was taken away, and an app that waits for neither.

Laws: writing never holds up the event loop, on which the engine runs: of the pictures that a
stalled terminal has no room for only the last one is written. However the process was stopped,
going on takes the terminal once.
"""

from __future__ import annotations

import os
from contextlib import suppress
from queue import Empty
from typing import Any

from rich.console import RenderableType
from textual._ansi_sequences import SYNC_START
from textual.app import App
from textual.driver import Driver
from textual.screen import Screen
from textual.timer import Timer
from textual.worker import WorkerFailed

from agent_cockpit.cockpit.look.patient_output import PatientOutput

_MOST_WAITING = 8
"""So many pictures wait for a terminal that is merely slow; a frame is seldom two behind."""
_LOOK_AGAIN_S = 0.1
_LEAVING_S = 2.0
"""A terminal that takes nothing for so long while it is left is left as it is."""


class PatientDriver(Driver):
    """Goes before a driver of Textual's."""

    _writer_thread: Any = None
    _file: Any = None
    _has_terminal = False
    _is_asleep = False

    @property
    def waiting(self) -> int:
        """How much is written that the terminal has not begun to take."""
        return 0 if self._writer_thread is None else int(self._writer_thread._queue.qsize())

    @property
    def is_lost(self) -> bool:
        """Whether the terminal was given up: what is written to it may never return."""
        return isinstance(self._file, PatientOutput) and self._file.is_lost

    def start_application_mode(self) -> None:
        self._has_terminal, self._is_asleep = True, False
        if isinstance(self._file, PatientOutput):
            self._file.wait_on()
        elif hasattr(os, "ttyname"):
            with suppress(OSError, ValueError, AttributeError):
                self._file = PatientOutput(self._file)
        super().start_application_mode()  # type: ignore[safe-super]
        if self._writer_thread is not None:
            self._writer_thread._queue.maxsize = 0  # who writes to a full queue waits

    def stop_application_mode(self) -> None:
        self._has_terminal = False
        self._drop_pictures()
        if isinstance(self._file, PatientOutput):
            self._file.give_up_in(_LEAVING_S)
        super().stop_application_mode()  # type: ignore[safe-super]

    def _drop_pictures(self) -> None:
        """Nobody will see those that wait, and how the terminal is left comes behind them."""
        waiting: list[str | None] = []
        with suppress(AttributeError, Empty):
            while True:
                waiting.append(self._writer_thread._queue.get_nowait())
        for text in waiting:
            if not (text or "").startswith(SYNC_START):
                self._writer_thread._queue.put(text)

    def suspend_application_mode(self) -> None:
        """Give the terminal to another program. What the app told it beside the screen is put
        back first: a signal from outside comes here, and says so to nobody else."""
        self._is_asleep = True
        self._app.app_suspend_signal.publish(self._app)
        super().suspend_application_mode()

    def _run_input_thread(self) -> None:
        try:
            self.run_input_thread()  # type: ignore[attr-defined]
        except Exception as error:
            self._app.call_later(self._app._handle_exception, error)

    def resume_application_mode(self) -> None:
        """Take the terminal anew. Who was stopped without a word never gave it back: a second
        reader and a second writer beside the first would tear keys and pictures apart. Who has
        left it for good is not to take it again."""
        if self._has_terminal:
            self.suspend_application_mode()
            self._must_signal_resume = True
        if self._is_asleep:
            super().resume_application_mode()


class InTime(App[None]):
    """The ground floor of the cockpit; only `CockpitApp` is made."""

    fault: Exception | None = None
    """What broke, and ended the app: whoever started it is to tell that."""
    _catching_up: Timer | None = None

    def _handle_exception(self, error: Exception) -> None:
        broken = error.error if isinstance(error, WorkerFailed) else error
        if self.fault is None and isinstance(broken, Exception):
            self.fault = broken
        super()._handle_exception(error)
        if not self.is_headless:
            self._exit_renderables.clear()  # pages of ours, with what a person wrote among them

    @property
    def has_lost_terminal(self) -> bool:
        """Whether the terminal was given up, so that nothing more is to be told there."""
        return isinstance(self._driver, PatientDriver) and self._driver.is_lost

    def end_soon(self) -> bool:
        """Let the app end in its own way, whatever it is doing; False when it does not run. For a
        handler of signals."""
        loop = self._loop
        if loop is None or not loop.is_running():
            return False
        loop.call_soon_threadsafe(self.exit)
        return True

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        driver = self._driver
        if isinstance(driver, PatientDriver) and driver.waiting >= _MOST_WAITING:
            if self._catching_up is None:
                self._catching_up = self.set_interval(_LOOK_AGAIN_S, self._catch_up)
            return
        super()._display(screen, renderable)

    def _catch_up(self) -> None:
        """Once the terminal took all that it was given: what the screen shows now, whole."""
        if isinstance(self._driver, PatientDriver) and self._driver.waiting:
            return
        if self._catching_up is not None:
            self._catching_up.stop()
            self._catching_up = None
        self.screen.refresh(repaint=True, layout=True)


def patient_driver(driver: type[Driver]) -> type[Driver]:
    """The same driver, but patient."""
    return type(f"Patient{driver.__name__}", (PatientDriver, driver), {})
