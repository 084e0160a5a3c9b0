"""The table of keys as it is in force: its own keys, and those that the person moved.

Law: a value without a screen. Who shows a key or asks what one means asks here, so a moved
key is another one everywhere at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from agent_cockpit.cockpit.keys.key import Key, Situation
from agent_cockpit.cockpit.keys.key_table import KEYS, PLACES

RESERVED = ("escape", "ctrl+c")
"""The safe answer, and the way out: they stay where they are, whatever else is moved."""

_SHOWN = {
    "escape": "esc",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "pageup": "pgup",
    "pagedown": "pgdn",
    "delete": "del",
    "question_mark": "?",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "underscore": "_",
    "slash": "/",
    "comma": ",",
    "full_stop": ".",
    "minus": "-",
    "plus": "+",
}
_ARROWS = frozenset("←→↑↓")


def shown_key(key: str) -> str:
    """How a person reads one key, from Textual's name of it."""
    *modifiers, last = key.split("+")
    marks = "+".join(modifiers)
    name = _SHOWN.get(last, last)
    return f"⇧{name}" if marks == "shift" else f"{marks}+{name}" if marks else name


class Keymap:
    """`moved` holds, by the id of its line, the keys of each line that the person moved."""

    def __init__(self, moved: Mapping[str, tuple[str, ...]] | None = None) -> None:
        self.moved = moved or {}

    @property
    def lines(self) -> tuple[Key, ...]:
        """The whole table as it is in force."""
        return tuple(map(self._in_force, KEYS)) if self.moved else KEYS

    def line(self, key_id: str) -> Key:
        """The line with this id."""
        return self._in_force(next(line for line in KEYS if line.id == key_id))

    def label(self, key_id: str) -> str:
        """What a person presses for this line."""
        return self.line(key_id).label

    def meant(self, place: str, key: str) -> str:
        """The key that the table has for what `key` does in this place now; empty when it was
        moved away from there. For widgets that read keys themselves."""
        for line in KEYS if self.moved else ():
            keys = self.moved.get(line.id)
            if line.where == place and keys is not None and key in keys:
                return key if key in line.keys else line.keys[0]
        gone = any(
            line.where == place and key in line.keys for line in KEYS if line.id in self.moved
        )
        return "" if gone else key

    def letters(self, place: str) -> dict[str, str]:
        """By the table's own key, the first one that is pressed for it: of moved lines."""
        moved = (line for line in KEYS if line.where == place and line.id in self.moved)
        first = ((line, self.moved[line.id][:1]) for line in moved)
        return {shown_key(line.keys[0]): "".join(map(shown_key, key)) or "·" for line, key in first}

    def footer(self, now: Situation) -> list[tuple[str, str]]:
        """(label, words) of the keys that work now and are worth naming, most telling first."""
        lines = [line for line in self.lines if line.shown is not None and line.shown(now)]
        return [
            (label, lines[0].brief or words) for label, words, lines in _together(lines) if label
        ]

    def help(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """For each place its heading and its (label, words) lines, as the help page shows them."""
        return [(heading, list(self._rows(place))) for place, heading in PLACES.items()]

    def _rows(self, place: str) -> Iterator[tuple[str, str]]:
        lines = (line for line in self.lines if line.where == place)
        for label, words, _ in _together(lines):
            yield label, words

    def _in_force(self, line: Key) -> Key:
        keys = self.moved.get(line.of or line.id)
        if keys is None:
            return line
        label = joined([shown_key(key) for key in keys])
        return line._replace(keys=() if line.of else keys, label=label)


def _together(lines: Iterable[Key]) -> Iterator[tuple[str, str, list[Key]]]:
    """Label, words and lines of neighbours that say the same."""
    for words, same in groupby(lines, key=lambda line: line.words):
        found = list(same)
        yield joined([line.label for line in found]), words, found


def joined(labels: list[str]) -> str:
    """Several keys as one label: arrows close together, many digits as a range."""
    if len(labels) > 2 and all(label.isdecimal() for label in labels):
        return f"{labels[0]}-{labels[-1]}"
    gap = "" if all(label in _ARROWS for label in labels) else " "
    return gap.join(label for label in labels if label)
