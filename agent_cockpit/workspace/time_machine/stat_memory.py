"""Remembers what the disk said of each file when its content was taken.

Git compares times in whole seconds. A tool that sets a file's time back within the second
in which it was recorded would go unseen; this compares nanoseconds and the time of the
last change of status, which nobody can set.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from agent_cockpit.workspace.time_machine.file_facts import facts_of

CLOCK_GRAIN_NS = 50_000_000
"""Kernels stamp files with a clock that moves every few milliseconds; two changes closer
than this may bear the same time."""


class StatMemory:
    """Owns one status a file; `now_ns` is the clock that stamps files."""

    def __init__(self, now_ns: Callable[[], int]) -> None:
        self._now_ns = now_ns
        self._known: dict[str, tuple[int, ...]] = {}
        self._noted_in_grain: set[str] = set()

    def suspects(self, top: Path) -> set[str]:
        """Names of known files whose content may not be what was taken."""
        return self._noted_in_grain | {
            name
            for name, known in self._known.items()
            if (about := facts_of(f"{top}/{name}")) is None or _digest(about) != known
        }

    def note(self, looked_at: Iterator[tuple[str, os.stat_result]]) -> None:
        """Remember statuses; each must be from before its content is read."""
        settled_before_ns = self._now_ns() - CLOCK_GRAIN_NS
        for name, about in looked_at:
            self._known[name] = _digest(about)
            if about.st_ctime_ns >= settled_before_ns:
                self._noted_in_grain.add(name)
            else:
                self._noted_in_grain.discard(name)

    def keep_only(self, names: Collection[str]) -> None:
        """Forget all but `names`."""
        for name in self._known.keys() - names:
            del self._known[name]
        self._noted_in_grain.intersection_update(names)

    def clear(self) -> None:
        """Forget all: after a capture that failed, nobody knows what was taken."""
        self._known.clear()
        self._noted_in_grain.clear()


def _digest(about: os.stat_result) -> tuple[int, ...]:
    return (about.st_mtime_ns, about.st_ctime_ns, about.st_size, about.st_ino, about.st_mode)
