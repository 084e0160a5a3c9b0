"""Acting at a chosen await: every suspension of every task of a loop is counted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any


class Moments:
    """Runs acts between two steps of a task, at the numbers of the suspensions they stand for.

    As a loop's task factory it sees the awaits of all tasks, in the order in which they happen.
    """

    def __init__(self, acts: dict[int, list[Callable[[], object]]]) -> None:
        self.count = 0
        self._acts = acts

    def watch(self, loop: asyncio.AbstractEventLoop) -> None:
        """Count from now on; tasks that were made before are not seen."""

        def make(
            loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any], **how: Any
        ) -> asyncio.Task[Any]:
            return asyncio.Task(_Counted(work, self.passed), loop=loop, **how)

        loop.set_task_factory(make)  # type: ignore[arg-type]

    def passed(self) -> None:
        """One more suspension; the acts that were planned for it happen now."""
        self.count += 1
        for act in self._acts.pop(self.count, ()):
            act()


class _Counted(Coroutine[Any, Any, Any]):
    """A coroutine that tells of each of its suspensions."""

    def __init__(self, work: Coroutine[Any, Any, Any], passed: Callable[[], None]) -> None:
        self._work = work
        self._passed = passed
        self.__qualname__ = getattr(work, "__qualname__", "a generator")

    def send(self, value: Any) -> Any:
        awaited = self._work.send(value)
        self._passed()
        return awaited

    def throw(self, *error: Any) -> Any:
        awaited = self._work.throw(*error)
        self._passed()
        return awaited

    def close(self) -> None:
        self._work.close()

    def __await__(self) -> Generator[Any, Any, Any]:
        raise NotImplementedError("a task steps it")


class AtOnce(ThreadPoolExecutor):
    """A loop's executor without threads: work is done when it is given, so that moments come in
    the same order in every run. For work that is short and waits for nothing."""

    def submit(self, work: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(work(*given, **named))
        except BaseException as error:
            done.set_exception(error)
        return done
