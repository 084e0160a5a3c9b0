"""Waiting for something while a person may stop it: stopping wins ties."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from agent_cockpit.workspace.cancellation import CancellationToken

T = TypeVar("T")


class RunCancelled(Exception):
    """The goal was cancelled while something of it was awaited."""


class OutOfTime(Exception):
    """The goal's wall clock ran out while something of it was awaited."""


def is_stopped_hard() -> bool:
    """Whether somebody cancelled the present task. A `CancelledError` without that leaked out
    of a part of the work, and is a fault like any other."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def unless_stopped(
    work: Coroutine[Any, Any, T], token: CancellationToken, *, time_left_s: float | None = None
) -> T:
    """The result of `work`, or `RunCancelled` / `OutOfTime` once it was ended and has ended.

    When the caller itself is cancelled, the work is ended too before that passes on.
    """
    task = asyncio.ensure_future(work)
    stop = asyncio.ensure_future(token.wait())
    try:
        await asyncio.wait({task, stop}, timeout=time_left_s, return_when=asyncio.FIRST_COMPLETED)
        if token.cancelled:
            raise RunCancelled(token.reason)
        if not task.done():
            raise OutOfTime
        if task.cancelled():
            raise RuntimeError("it was cancelled from within, and nobody had asked for that")
        return task.result()
    finally:
        for waiting in (task, stop):
            if not waiting.done():
                waiting.cancel()
        await asyncio.gather(task, stop, return_exceptions=True)
