"""Keys that Textual's parser reads as others: alt with a sign or with Enter, and those of
terminals that name the key by xterm's own numbers.

Laws: alt with any key has that key's name: Esc and a key right behind it come as alt with the
key too, and who looks for an Esc must see it. However quickly keys with alt follow each other,
each stays itself. What names no key is none, and ends nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from textual import events
from textual._xterm_parser import XTermParser
from textual.keys import Keys, _character_to_key

_ESCAPE = "\x1b"
_NAMED = {
    "\x1b\r": "alt+enter",
    "\x1b\x7f": "alt+backspace",
    "\x1b\x08": "alt+backspace",
    "\x1bb": "alt+b",
    "\x1bf": "alt+f",
}
_LONGER = "[OP]_"
"""Behind Esc these may begin more than a key."""
_TOLD_NOTHING = re.compile(r"\x1b([\[P\]_])(?=\x1b|\Z)")
"""Behind these a terminal tells of itself; where nothing follows they are keys with alt."""
_BY_ESCAPE = re.compile(r"\x1b\x1b[\[O]([ABCD])")
"""An arrow with alt, as the Linux console and PuTTY write it."""
_BY_XTERM = re.compile(r"\x1b\[27;(\d+);(\d+)~")
"""Modifiers and character, as xterm writes them where it was asked for all keys."""
_BY_KITTY = re.compile(r"\x1b\[(\d*)(?::[\d:]*)?;(\d*)(?::(\d*))?((?:;[\d:]*)?[u~ABCDEFHPQRS])")
"""Key with its alternatives, modifiers with whether it was pressed or let go, and its text."""
_LET_GO = "3"


def with_alt(typed: str) -> str:
    """The same keys, where alt is written as an Esc before them in its longer form."""
    if _ESCAPE not in typed:
        return typed
    typed = _BY_ESCAPE.sub("\x1b[1;3\\1", typed)
    return _TOLD_NOTHING.sub(lambda key: f"\x1b[{ord(key[1])};3u", typed)


class AltParser(XTermParser):
    """Textual's parser of what a terminal sends, with alt as a part of each key's name."""

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        sequence = _BY_XTERM.sub("\x1b[\\2;\\1u", sequence)
        if kitty := _BY_KITTY.fullmatch(sequence):
            key, modifiers, what, rest = kitty.groups()
            if what == _LET_GO:
                return [_ignored(sequence)]
            sequence = f"\x1b[{key};{modifiers}{rest}"
        sign = sequence.removeprefix(_ESCAPE)
        has_alt = len(sign) == 1 and (alt or sign != sequence)
        if has_alt and (name := _NAMED.get(_ESCAPE + sign)):
            return [events.Key(name, sign if sign.isprintable() else None)]
        if has_alt and sign.isprintable() and sign not in _LONGER:
            sequence, alt = sign, True
        try:
            keys = list(super()._sequence_to_key_events(sequence, alt))
        except (ValueError, OverflowError):  # a number that is no character's
            return [_ignored(sequence)]
        return [_with_alt(key, sign) if has_alt else key for key in keys]


def _ignored(sequence: str) -> events.Key:
    return events.Key(Keys.Ignore.value, sequence)


def _with_alt(key: events.Key, sign: str) -> events.Key:
    if not key.is_printable or key.key.startswith("alt+"):
        return key
    return events.Key(f"alt+{_character_to_key(sign)}", key.character)
