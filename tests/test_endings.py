"""How a process that the system wants gone unwinds: whole where it can, at once where it cannot."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator

import pytest

from agent_cockpit.cli.endings import Ending, Terminated, asked_first
from tests.support.waiting import WITHIN_S

if sys.platform == "win32":
    pytest.skip("POSIX signals", allow_module_level=True)


def hear(number: int = signal.SIGTERM) -> None:
    os.kill(os.getpid(), number)


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """Whatever a test does, the handlers are as before."""
    before = [signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM)]
    yield
    after = [signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM)]
    assert after == before


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_tasks_that_wait_for_each_other_unwind_to_their_ends(number: int) -> None:
    left: list[str] = []
    over: list[Callable[[], object]] = []

    async def inner() -> None:
        try:
            await asyncio.sleep(0)
            hear(number)
            await asyncio.Event().wait()
        finally:
            left.append("inner")

    async def outer(task: asyncio.Task[None]) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            left.append("outer")

    async def main() -> None:
        loop, me = asyncio.get_running_loop(), asyncio.current_task()
        assert me is not None
        over.append(lambda: loop.call_soon_threadsafe(me.cancel))
        waiting = asyncio.create_task(outer(asyncio.create_task(inner())))
        try:
            await waiting
        finally:
            left.append("main")

    def stop() -> bool:
        over[0]()
        return True

    ending = Ending()
    with pytest.raises(Terminated), ending.heard(), asked_first(stop):
        asyncio.run(main())
    assert left == ["inner", "outer", "main"]
    assert ending.number == number


def at_once() -> None:
    hear()
    raise AssertionError("it went on")


def twice() -> None:
    hear()
    hear(signal.SIGHUP)
    raise AssertionError("it went on")


def for_too_long() -> None:
    hear()
    threading.Event().wait(WITHIN_S)
    raise AssertionError("it went on")


def into_a_fault() -> None:
    hear()
    raise ValueError("on the way out")


@pytest.mark.parametrize(
    ("goes", "can_stop", "within_s", "number"),
    [
        (at_once, False, WITHIN_S, signal.SIGTERM),
        (twice, True, WITHIN_S, signal.SIGHUP),
        (for_too_long, True, 0.01, signal.SIGTERM),
        (into_a_fault, True, WITHIN_S, signal.SIGTERM),
    ],
)
def test_what_does_not_end_in_its_own_way_is_ended(
    goes: Callable[[], None], can_stop: bool, within_s: float, number: int
) -> None:
    ending = Ending()
    with (
        pytest.raises(Terminated),
        ending.heard(),
        asked_first(lambda: can_stop, within_s=within_s),
    ):
        goes()
    assert ending.number == number


def test_without_a_signal_nothing_is_different() -> None:
    with Ending().heard(), asked_first(lambda: True):
        pass


def test_a_signal_that_was_ignored_from_the_start_stays_so() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Ending().heard(), asked_first(lambda: True):
            hear(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)
