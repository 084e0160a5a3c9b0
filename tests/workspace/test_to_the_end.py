"""Waiting for work that must come to its end, whoever stops waiting."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest

from agent_cockpit.workspace.to_the_end import in_thread, to_the_end
from tests.support.waiting import WITHIN_S


async def test_the_result_comes_back() -> None:
    async def work() -> int:
        return 7

    assert await to_the_end(work(), give_up=lambda: None) == 7
    assert await in_thread(lambda _: 8) == 8


async def test_a_failure_rises() -> None:
    def fail(_: Callable[[], bool]) -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await in_thread(fail)


async def test_a_cancelled_waiter_waits_for_the_thread_and_tells_it() -> None:
    started, told, may_end = threading.Event(), threading.Event(), threading.Event()
    effects: list[str] = []

    def work(abandoned: Callable[[], bool]) -> None:
        started.set()
        assert may_end.wait(WITHIN_S)
        if abandoned():
            told.set()
        else:
            effects.append("done")

    task = asyncio.create_task(in_thread(work))
    await asyncio.to_thread(started.wait, 5)
    for _ in range(3):
        task.cancel()
        await asyncio.sleep(0)
    assert not task.done()
    may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert told.is_set()
    assert effects == []


async def test_what_failed_after_a_cancellation_is_its_cause() -> None:
    stop = asyncio.Event()

    async def work() -> None:
        await stop.wait()
        raise OSError("too late")

    task = asyncio.create_task(to_the_end(work(), give_up=stop.set))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError) as caught:
        await task
    assert isinstance(caught.value.__cause__, OSError)
