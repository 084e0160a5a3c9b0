"""One goal's stop signal, seen by model calls, tools, children and the approval wait."""

from __future__ import annotations

import asyncio
import threading


def never() -> bool:
    """The cancel question of work that nobody cancels."""
    return False


class CancellationToken:
    """Set once, never reset; a second `cancel` changes nothing, a late one hits nobody.

    `cancel` may be called from any thread. `wait` belongs to the event loop; `cancelled`
    may be read anywhere.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cancelled = False
        self._waiters: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []
        self.reason = ""
        """Why, as given by the first `cancel`."""

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._cancelled

    def cancel(self, reason: str = "cancelled") -> None:
        """Trip the token and wake everybody who waits on it."""
        with self._lock:
            if self._cancelled:
                return
            self._cancelled, self.reason = True, reason
            waiters, self._waiters = self._waiters, []
        for loop, event in waiters:
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)

    async def wait(self) -> None:
        """Return once the token is tripped; at once when it already is."""
        with self._lock:
            if self._cancelled:
                return
            entry = (asyncio.get_running_loop(), asyncio.Event())
            self._waiters.append(entry)
        try:
            await entry[1].wait()
        finally:
            with self._lock:
                if entry in self._waiters:
                    self._waiters.remove(entry)
