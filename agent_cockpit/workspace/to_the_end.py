"""Work that must not be left half done when the one who waits for it is cancelled."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def to_the_end(work: Coroutine[Any, Any, T], *, give_up: Callable[[], None]) -> T:
    """Await `work`. A cancellation of the waiter calls `give_up`, which should make the work
    end soon, waits for that end, and only then goes on, with what the work raised as cause."""
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError as cancelled:
        give_up()
        raise cancelled from await _failure_of(task)


async def in_thread(work: Callable[[Callable[[], bool]], T]) -> T:
    """Run blocking `work` in a thread. It is given a question that it asks before it takes
    effect: whether its waiter was cancelled. The thread is over when this returns or raises."""
    abandoned = threading.Event()
    return await to_the_end(asyncio.to_thread(work, abandoned.is_set), give_up=abandoned.set)


async def _failure_of(task: asyncio.Task[Any]) -> BaseException | None:
    """Wait for `task`, whatever else cancels the waiter, who raises afterwards."""
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            continue
    return None if task.cancelled() else task.exception()
