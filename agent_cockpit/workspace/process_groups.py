"""Ending a process together with everything that it started in its group."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from contextlib import suppress
from pathlib import Path

TERM_GRACE_S = 2.0
"""How long a group may take to end by itself before it is killed."""


async def end_group(group: int, *, but_leader: bool = False) -> None:
    """SIGTERM, then SIGKILL, to all that is left of the group.

    With `but_leader` its first process, which only watches over the others and would take
    them with it at once, gets the second signal only.
    """
    if _ask_to_end(group, but_leader=but_leader):
        await group_gone(group, TERM_GRACE_S)
        signal_group(group, signal.SIGKILL)


async def group_gone(group: int, timeout_s: float = TERM_GRACE_S) -> None:
    """Wait until nothing of the group runs, at most `timeout_s`."""
    deadline_s = time.monotonic() + timeout_s
    pause_s = 0.005
    while _is_alive(group) and time.monotonic() < deadline_s:
        await asyncio.sleep(pause_s)
        pause_s = min(pause_s * 2, 0.1)


def signal_group(group: int, number: int) -> bool:
    """Send a signal; False when the group has no member (or, on macOS, only dead ones)."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _ask_to_end(group: int, *, but_leader: bool) -> bool:
    if not but_leader:
        return signal_group(group, signal.SIGTERM)
    if not signal_group(group, 0):
        return False
    for stat in Path("/proc").glob("[0-9]*/stat"):
        pid = int(stat.parent.name)
        if pid != group and _runs_in(stat, group):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
    return True


def _is_alive(group: int) -> bool:
    """Whether a process of the group still runs; dead ones that nobody reaped do not count."""
    if not signal_group(group, 0):
        return False
    processes = Path("/proc")
    if not (processes / "self" / "stat").exists():
        return True
    return any(_runs_in(stat, group) for stat in processes.glob("[0-9]*/stat"))


def _runs_in(stat: Path, group: int) -> bool:
    try:
        state, _, group_of_it = stat.read_text(errors="replace").rpartition(")")[2].split()[:3]
    except (OSError, ValueError):
        return False  # it ended while we looked
    return group_of_it == str(group) and state not in "ZX"
