"""The keys of a person who moved some of theirs."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

from agent_cockpit.cockpit.keys.key_table import KEYS
from agent_cockpit.cockpit.keys.keymap import Keymap

_ENDING = {"ctrl+q", "ctrl+d", "ctrl+z"}
"""Keys that end the app or put it to sleep."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_FREE = (
    *(f"f{number}" for number in range(1, 13)),
    *(f"ctrl+{letter}" for letter in _LETTERS),
    *(f"alt+{letter}" for letter in _LETTERS),
    *_LETTERS,
    *("home", "end", "tab", "space", "enter", "?"),
)


def write_moved_keys(path: Path, dice: random.Random) -> None:
    """A file with entries for some of the table, many of which collide or are refused."""
    lines = [line for line in KEYS if dice.random() < 0.3]
    path.write_text("".join(f"{line.id} = {_some(dice)}\n" for line in lines))


def _some(dice: random.Random) -> str:
    keys = [f'"{dice.choice(_FREE)}"' for _ in range(dice.choice([1, 1, 1, 2, 0]))]
    return f"[{', '.join(keys)}]"


@cache
def keys_in_force(keymap: Keymap) -> tuple[str, ...]:
    """All keys that do something, but for those that end the app or put it to sleep."""
    ending = {line.id for line in KEYS if _ENDING & set(line.keys)}
    known = {key for line in (*keymap.lines, *KEYS) for key in line.keys}
    ends = {key for line in keymap.lines if line.id in ending for key in line.keys}
    return tuple(sorted(known - ends - _ENDING))
