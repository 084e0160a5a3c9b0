"""A paste is a paste, whatever it holds.

Textual's parser reads escape sequences inside a bracketed paste as keys: pasted coloured output
would be typed, and its line ends would send it. So escapes inside a paste are hidden from the
parser, and put back into the paste that comes out. Sequences that are cut by the end of a read
are held back until the rest is there.
"""

from __future__ import annotations

import sys
from codecs import IncrementalDecoder, getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from time import monotonic
from typing import Any

from textual import constants, events
from textual.driver import Driver
from textual.message import Message

from agent_cockpit.cockpit.keys.alt_keys import AltParser, with_alt
from agent_cockpit.cockpit.keys.reports import LONGEST_KEY, begun_at_end, without_reports

BEGIN, END = "\x1b[200~", "\x1b[201~"
_ESCAPE, _STAND_IN = "\x1b", "\U0010fffe"
"""The stand-in is no character, so that no text holds it."""
REPORT_S = 1.0
"""What a terminal tells comes within this, whatever lies between; later it was broken off."""


class PasteParser(AltParser):
    """Textual's parser of what a terminal sends, in pieces that may end anywhere."""

    clock = staticmethod(monotonic)
    _is_pasting = False
    _seen = ""
    """How much of `END` the last piece ended with; it is held back."""
    _begun = ""
    """What the last piece ended with that more may belong to; held back too. Where it may be a
    key, that is pressed after a moment; of what can be none, nothing ever is."""
    _begun_at = 0.0

    def feed(self, data: str) -> Iterable[Message]:
        """The messages that `data` makes; the empty text is the end of the input."""
        begun, self._begun = self._begun, ""
        if not data:
            yield from self._press(begun)
            yield from super().feed("")
            return
        if begun == _ESCAPE == data[0]:
            yield from self._press(begun)
        elif len(begun) <= LONGEST_KEY or self._belongs(begun, data):
            data = begun + data
        if hidden := "".join(self._hide(data)):
            for message in super().feed(hidden):
                if isinstance(message, events.Paste):
                    message = events.Paste(message.text.replace(_STAND_IN, _ESCAPE))
                yield message

    def tick(self) -> Iterable[Message]:
        """Called at least ten times a second."""
        if 0 < len(self._begun) <= LONGEST_KEY and self._waited() >= constants.ESCAPE_DELAY:
            begun, self._begun = self._begun, ""
            yield from self._press(begun)
        yield from super().tick()

    def _press(self, begun: str) -> Iterator[Message]:
        """Nothing more came: what may be a key is one."""
        if 0 < len(begun) <= LONGEST_KEY:
            yield from super().feed(with_alt(begun))
            if self._timeout_time is not None:
                self._timeout_time = 0.0
                yield from super().tick()

    def _belongs(self, begun: str, data: str) -> bool:
        """Whether what came late goes on with what was begun."""
        return self._waited() < REPORT_S or f"{begun}{data}".startswith(BEGIN)

    def _waited(self) -> float:
        return self.clock() - self._begun_at

    def _hide(self, data: str) -> Iterator[str]:
        while data:
            mark = END if self._is_pasting else BEGIN
            before, found, data = (self._seen + data).partition(mark)
            self._seen = ""
            if self._is_pasting:
                self._seen = "" if found else _beginning_at_end(before, mark)
                yield before.removesuffix(self._seen).replace(_ESCAPE, _STAND_IN) + found
            else:
                if not found:
                    self._begun, self._begun_at = begun_at_end(before), self.clock()
                    before = before.removesuffix(self._begun)
                yield with_alt(without_reports(f"{before}{found}"))
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
