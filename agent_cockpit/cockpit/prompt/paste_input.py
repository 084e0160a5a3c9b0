"""A paste is a paste, whatever it holds.

Textual's parser reads escape sequences inside a bracketed paste as keys: pasted coloured output
would be typed, and its line ends would send it. So escapes inside a paste are hidden from the
parser, and put back into the paste that comes out.
"""

from __future__ import annotations

import sys
from codecs import IncrementalDecoder, getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from textual import events
from textual.driver import Driver
from textual.message import Message

from agent_cockpit.cockpit.keys.alt_keys import AltParser, with_alt
from agent_cockpit.cockpit.keys.reports import without_reports

BEGIN, END = "\x1b[200~", "\x1b[201~"
_ESCAPE, _STAND_IN = "\x1b", "\U0010fffe"
"""The stand-in is no character, so that no text holds it."""


class PasteParser(AltParser):
    """Textual's parser of what a terminal sends, in pieces that may end anywhere."""

    _is_pasting = False
    _seen = ""
    """How much of a mark the last piece ended with: of `BEGIN` it is passed on already, for a
    lone escape is a key; of `END` it is held back."""

    def feed(self, data: str) -> Iterable[Message]:
        """The messages that `data` makes; the empty text is the end of the input."""
        if not data:
            yield from super().feed("")
            return
        if hidden := "".join(self._hide(data)):
            for message in super().feed(hidden):
                if isinstance(message, events.Paste):
                    message = events.Paste(message.text.replace(_STAND_IN, _ESCAPE))
                yield message

    def _hide(self, data: str) -> Iterator[str]:
        while data:
            mark = END if self._is_pasting else BEGIN
            before, found, data = (self._seen + data).partition(mark)
            passed = 0 if self._is_pasting else len(self._seen)
            self._seen = "" if found else _beginning_at_end(before, mark)
            if self._is_pasting:
                yield before.removesuffix(self._seen).replace(_ESCAPE, _STAND_IN) + found
            else:
                yield with_alt(without_reports(f"{before}{found}"[passed:]))
            self._is_pasting = self._is_pasting != bool(found)


def _beginning_at_end(text: str, mark: str) -> str:
    """As much of the mark's beginning as the text ends with."""
    return next((mark[:n] for n in range(len(mark) - 1, 0, -1) if text.endswith(mark[:n])), "")


def guard_input(driver: type[Driver]) -> None:
    """Let the drivers of this kind read any bytes and parse with `PasteParser`; there is no other
    way to give them these than to take the place of theirs."""
    module: Any = sys.modules[driver.__module__]
    if hasattr(module, "XTermParser"):
        module.XTermParser = PasteParser
    if hasattr(module, "getincrementaldecoder"):
        module.getincrementaldecoder = _forgiving


def _forgiving(encoding: str) -> Callable[[], IncrementalDecoder]:
    """A decoder for which bytes of another encoding, as an old file or an eight-bit meta key
    has them, are signs that nobody can read and not the end of the cockpit."""
    return partial(getincrementaldecoder(encoding), errors="replace")
