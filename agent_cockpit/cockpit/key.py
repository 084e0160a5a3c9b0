"""One line of the table of keys, and what decides which lines work now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What decides which keys work now."""

    running: bool = False
    asking: bool = False
    """A panel waits for an answer, and keys count."""
    has_text: bool = False
    has_queue: bool = False
    has_blocks: bool = False
    read_only: bool = False
    is_blocked: bool = False
    """There is nothing to send a prompt to."""
    offers_demo: bool = False
    offers_to_go_on: bool = False
    """An earlier process was interrupted in a goal of this sitting."""
    quit_armed: bool = False
    choosing: bool = False
    """A list above the prompt is open."""
    reading: str = ""
    """The part of the transcript's own that has the keyboard: `search`, `blocks`, `menu`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One line of the table.

    `keys` are Textual's names, `label` is what a person reads; `where` is the part of the
    screen that listens; `action` is empty where a widget reads the key itself; `shown` says
    when the footer names it (never: only help does), with `brief` in place of `words`.
    """

    id: str
    keys: tuple[str, ...]
    label: str
    words: str
    where: str
    action: str = ""
    brief: str = ""
    shown: Callable[[Situation], bool] | None = None
