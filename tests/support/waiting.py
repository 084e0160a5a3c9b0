"""Waiting for a fact, with a deadline: never for a time.

The deadline only says that it will not happen any more: it costs nothing where it does, so it is
far above what the busiest machine takes.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator

WITHIN_S = 45.0
_POLL_S = 0.01


async def until(fact: Callable[[], object], *, within_s: float = WITHIN_S) -> None:
    """Return once `fact()` is true; fail the test when it does not become so in time."""
    for wait_s in _polls(fact, within_s):
        await asyncio.sleep(wait_s)


def wait_until(fact: Callable[[], object], *, within_s: float = WITHIN_S) -> None:
    """As `until`, for tests without a loop."""
    for wait_s in _polls(fact, within_s):
        time.sleep(wait_s)


def _polls(fact: Callable[[], object], within_s: float) -> Iterator[float]:
    deadline_s = time.monotonic() + within_s
    while not fact():
        if time.monotonic() > deadline_s:
            raise AssertionError(f"did not happen within {within_s:g} s")
        yield _POLL_S
