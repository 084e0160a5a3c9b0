"""What the person sees of the cockpit when they look elsewhere: the window's title, progress in
the task bar, a notification.

Laws: each is written when it changes and only then; a notification never while the terminal is
in front; at the end everything is as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import environ
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from textual.app import App

from agent_cockpit.terminal_signals import (
    POP_TITLE,
    PUSH_TITLE,
    Progress,
    channel_of,
    has_window,
    notification,
    progress,
    shows_progress,
    title,
)

if TYPE_CHECKING:
    from agent_cockpit.settings import HarnessConfig
    from agent_cockpit.transcript.status import Status

_ENDS = {"success": "done", "blocked": "needs you", "failed": "failed"}


def outside_of(app: App[Any]) -> Outside:
    """The window of this app; while the app sleeps it is as it was before."""

    def write(sequence: str) -> None:
        if app._driver is not None and not app.is_headless:
            app._driver.write(sequence)

    outside = Outside(write, lambda: app.app_focus, environ)
    app.app_suspend_signal.subscribe(app, lambda _: write(outside.leave()), immediate=True)
    app.app_resume_signal.subscribe(app, lambda _: outside.come_back())
    return outside


class Outside:
    """Owns what was told to the window last. `write` hands bytes to the terminal, `is_in_front`
    says whether it has the focus."""

    def __init__(
        self,
        write: Callable[[str], None],
        is_in_front: Callable[[], bool],
        environ: Mapping[str, str],
    ) -> None:
        self._write = write
        self._is_in_front = is_in_front
        self._environ = environ
        self._tmux = bool(environ.get("TMUX"))
        self._last: tuple[Status, HarnessConfig, bool] | None = None
        self._title = ""
        self._progress: Progress = "none"
        self._waited = False
        self._ran = False

    def follow(self, status: Status, config: HarnessConfig, *, asks: bool) -> None:
        """Tell what is so now; `asks`: something waits for the person, be it a call or not."""
        self._last = (status, config, asks)
        waits = asks or status.plan is not None
        self._name_window(status, config, waits=waits)
        self._show_progress(status, config, waits=waits)
        self._call(status, config, waits=waits)

    def come_back(self) -> None:
        """Tell again what was told last."""
        if self._last is not None:
            self.follow(*self._last[:2], asks=self._last[2])

    def leave(self) -> str:
        """What puts the window back; told anew by the next `follow`."""
        back = POP_TITLE if self._title else ""
        if self._progress != "none":
            back += progress("none", tmux=self._tmux)
        self._title, self._progress = "", "none"
        return back

    def _name_window(self, status: Status, config: HarnessConfig, *, waits: bool) -> None:
        is_known = bool(status.workspace)  # the sitting says so with its first event
        if not (is_known and config.terminal_title and has_window(self._environ)):
            return
        project = PurePath(status.workspace).name
        mode = "plan" if status.gate == "plan" else status.task_kind.replace("_", " ")
        state = "working" if status.is_running else status.outcome or "ready"
        words = " · ".join(filter(None, (project, mode, "waits for you" if waits else state)))
        words = f"! {words}" if waits else words
        if words != self._title:
            self._write(("" if self._title else PUSH_TITLE) + title(words))
            self._title = words

    def _show_progress(self, status: Status, config: HarnessConfig, *, waits: bool) -> None:
        if not (config.terminal_progress and shows_progress(self._environ)):
            return
        state: Progress = "none"
        if waits:
            state = "waiting"
        elif status.is_running:
            state = "busy"
        elif status.outcome == "failed":
            state = "failed"
        if state != self._progress:
            self._write(progress(state, tmux=self._tmux))
            self._progress = state

    def _call(self, status: Status, config: HarnessConfig, *, waits: bool) -> None:
        began, ended = waits and not self._waited, self._ran and not status.is_running
        self._waited, self._ran = waits, status.is_running
        if self._is_in_front() or not (began or ended):
            return
        project = PurePath(status.workspace).name
        words = "waits for your answer" if began else _ENDS.get(status.outcome or "", "stopped")
        channel = channel_of(config.notify, self._environ)
        told = notification(channel, f"{project}: {words}" if project else words, tmux=self._tmux)
        if told:
            self._write(told)
