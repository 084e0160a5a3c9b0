"""Ignored files that changed in a given time: no snapshot holds them, so they are only named.

Law: this looks at times and never into a file, and at no more entries than `LOOKED_AT`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from agent_cockpit.workspace.time_machine.file_facts import changed_at_ns

LOOKED_AT = 20_000
"""Entries of ignored folders; a folder of dependencies may hold far more, and this only serves
to name what cannot be taken back."""


def changed_ignored(
    root: Path,
    before: Collection[str],
    after: Collection[str],
    was_then: Callable[[int], bool],
    *,
    looked_at: int = LOOKED_AT,
) -> tuple[str, ...]:
    """Those of the places `after` in which something changed at a time that `was_then` says yes
    to, and those of `before` that are gone; a name that ends in a slash is a folder."""
    gone = [place for place in before if changed_at_ns(root / place) is None]
    budget = iter(range(looked_at))
    changed = [
        place
        for place in sorted(after)
        if any(at is not None and was_then(at) for at in _times(root / place, budget))
    ]
    return tuple(sorted({*gone, *changed}))


def _times(place: Path, budget: Iterator[int]) -> Iterator[int | None]:
    """When the place and all in it changed, as far as the budget goes; no link is followed."""
    if next(budget, None) is None:
        return
    yield changed_at_ns(place)
    if place.is_symlink() or not place.is_dir():
        return
    try:
        with os.scandir(place) as entries:
            names = [entry.name for entry in entries]
    except OSError:
        return
    for name in names:
        yield from _times(place / name, budget)
