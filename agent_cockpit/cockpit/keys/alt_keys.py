"""Keys that Textual's parser reads as others: alt with a sign or with Enter, and those of
terminals that name the key by xterm's own numbers.

Alt with any key has that key's name: Esc and a key right behind it come as alt with the key
too, and who looks for an Esc must see it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from textual import events
from textual._xterm_parser import XTermParser
from textual.keys import _character_to_key

_ESCAPE = "\x1b"
_NAMED = {
    "\x1b\r": "alt+enter",
    "\x1b\x7f": "alt+backspace",
    "\x1b\x08": "alt+backspace",
    "\x1bb": "alt+b",
    "\x1bf": "alt+f",
}
_BY_XTERM = re.compile(r"\x1b\[27;(\d+);(\d+)~")
"""Modifiers and character, as xterm writes them where it was asked for all keys."""


class AltParser(XTermParser):
    """Textual's parser of what a terminal sends, with alt as a part of each key's name."""

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        sequence = _BY_XTERM.sub("\x1b[\\2;\\1u", sequence)
        sign = sequence.removeprefix(_ESCAPE)
        has_alt = len(sign) == 1 and (alt or sign != sequence)
        if has_alt and (name := _NAMED.get(_ESCAPE + sign)):
            yield events.Key(name, sign if sign.isprintable() else None)
            return
        for key in super()._sequence_to_key_events(sequence, alt):
            if has_alt and key.is_printable and not key.key.startswith("alt+"):
                yield events.Key(f"alt+{_character_to_key(sign)}", key.character)
            else:
                yield key
