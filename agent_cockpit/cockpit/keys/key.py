"""One line of the table of keys, and what decides which lines work now."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Situation(NamedTuple):
    """What decides which keys work now."""

    running: bool = False
    begins: bool = False
    """What was sent has not begun to run yet."""
    asking: bool = False
    """A panel waits for an answer, and keys count."""
    has_question: bool = False
    """Something waits for the person's answer, whether keys count or not."""
    can_widen: bool = False
    """What the panel asks has a yes that may reach less or more far."""
    can_read_on: bool = False
    """The panel has more than it shows."""
    has_text: bool = False
    has_queue: bool = False
    has_blocks: bool = False
    has_begun: bool = False
    read_only: bool = False
    is_blocked: bool = False
    """There is nothing to send a prompt to."""
    offers_demo: bool = False
    offers_to_go_on: bool = False
    """An earlier process was interrupted in a goal of this sitting."""
    quit_armed: bool = False
    inserts: bool = False
    """Vim's keys write now: Esc leads to normal mode first."""
    choosing: bool = False
    """A list above the prompt is open."""
    is_command: bool = False
    """What is written is a line for the shell."""
    shell_runs: bool = False
    """A command of the person's own runs."""
    replays: bool = False
    """What is shown was recorded, and can be moved about in."""
    plays: bool = False
    """It plays."""
    has_output: bool = False
    """The person's newest command has an output that no prompt has yet."""
    past_read: float | None = None
    """How much is read of a past that only the end is shown of, of 1."""
    selects: bool = False
    """Lines of the transcript are selected."""
    reading: str = ""
    """The part of the transcript's own that has the keyboard: `search`, `blocks`, `menu`."""


def always(now: Situation) -> bool:
    """Whatever is the case."""
    return True


class Key(NamedTuple):
    """One line of the table: one thing that a key does.

    `id` is what a person writes in keys.toml; `keys` are Textual's names, `label` is what a
    person reads; `where` is the part of the screen that listens; `action` is empty where a
    widget reads the key itself; `works` says when it does something, `shown` when the footer
    names it (never: only help does), with `brief` in place of `words`. `of` is the line whose
    key this is where one key does several things. `stays`: it cannot be moved. `consents`:
    what it does lets something happen. `listed`: the palette offers it. Neighbours with the
    same words are shown as one.
    """

    id: str
    keys: tuple[str, ...]
    label: str
    words: str
    where: str
    action: str = ""
    brief: str = ""
    works: Callable[[Situation], bool] = always
    shown: Callable[[Situation], bool] | None = None
    of: str = ""
    stays: bool = False
    consents: bool = False
    listed: bool = True
