"""Waiting for a fact, with a deadline: never for a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

_POLL_S = 0.01


async def until(fact: Callable[[], object], *, within_s: float = 8.0) -> None:
    """Return once `fact()` is true; fail the test when it does not become so in time."""
    deadline_s = time.monotonic() + within_s
    while not fact():
        if time.monotonic() > deadline_s:
            raise AssertionError(f"did not happen within {within_s:g} s")
        await asyncio.sleep(_POLL_S)
