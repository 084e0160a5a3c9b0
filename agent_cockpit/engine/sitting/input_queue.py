"""A handle for texts that join the running goal (turns B8), usable from any thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any


class InputQueue:
    """Texts for the running goal, or, while nothing runs, for the next one.

    `admit` is called on the event loop with each text once a goal runs; it is the sitting's
    way into the turn machine, which holds the queue from then on.
    """

    def __init__(
        self,
        is_active: Callable[[], bool],
        admit: Callable[[str], object],
        queued: Callable[[], tuple[str, ...]],
        clear_queued: Callable[[], tuple[str, ...]],
    ) -> None:
        self._is_active = is_active
        self._admit = admit
        self._queued = queued
        self._clear_queued = clear_queued
        self._idle: list[str] = []
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def push(self, text: str) -> None:
        """Add a text; in order of arrival, also from other threads."""
        with self._lock:
            self._idle.append(text)
            loop = self._loop
        if loop is not None and not loop.is_closed():
            if _running_loop() is loop:
                self.flush()
            else:
                loop.call_soon_threadsafe(self.flush)

    def pending(self) -> tuple[str, ...]:
        """What waits and is not delivered yet."""
        with self._lock:
            return (*self._queued(), *self._idle)

    def is_empty(self) -> bool:
        """Whether nothing waits."""
        return not self.pending()

    def take_all(self) -> tuple[str, ...]:
        """What waits, which leaves the queue."""
        with self._lock:
            idle, self._idle = self._idle, []
        return (*self._clear_queued(), *idle)

    def clear(self) -> None:
        """Drop what waits."""
        self.take_all()

    def flush(self) -> None:
        """Move what waits into the running goal; the sitting calls it when a goal begins."""
        self._loop = _running_loop() or self._loop
        if not self._is_active():
            return
        with self._lock:
            waiting, self._idle = self._idle, []
        for text in waiting:
            self._admit(text)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def queued_texts(contents: tuple[Any, ...]) -> tuple[str, ...]:
    """The plain texts among queued contents."""
    return tuple(content for content in contents if isinstance(content, str))
