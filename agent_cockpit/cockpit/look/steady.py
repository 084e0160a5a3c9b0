"""Characters whose width terminals dispute, written so that all behind them keeps its place.

One terminal draws a family as one person wide, another as three people side by side; a heart
takes one cell here and two there. So the cells of such a character are blanked, it is drawn
from the first one, and the cursor is put behind them, whatever the terminal thought.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from rich.cells import cell_len
from textual._ansi_sequences import SYNC_END, SYNC_START
from textual.driver import Driver

_EMOJI = "\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
_FLAG_LETTER = "[\U0001f1e6-\U0001f1ff]"
_PART = f"(?:\ufe0f|\u20e3|[\U0001f3fb-\U0001f3ff]|\u200d[{_EMOJI}])"


@cache
def _disputed() -> re.Pattern[str]:
    """Made when a frame may hold one: the first frames of most sittings hold none."""
    return re.compile(
        rf"\x1b\][^\x07\x1b]*|\x1b[PX^_].*?\x1b\\"  # titles, links: no place on the screen
        rf"|{_FLAG_LETTER}{{2}}"
        rf"|[\U0001f000-\U0001faff]{_PART}*"
        rf"|[#*0-9\u00a9\u00ae\u203c\u2049\u2122\u2139{_EMOJI}]{_PART}+",
    )


def steadied(written: str) -> str:
    """What is sent to the terminal in place of `written`."""
    if not _may_hold_disputed(written):
        return written
    return "\n".join(
        _disputed().sub(lambda found: _held(found[0]), row) if _may_hold_disputed(row) else row
        for row in written.split("\n")
    )


def _may_hold_disputed(text: str) -> bool:
    """Quickly, since every frame comes here: few hold anything above the first plane."""
    if text.isascii():
        return False
    has_part = "\ufe0f" in text or "\u20e3" in text
    return has_part or len(text.encode("utf-16-le", "surrogatepass")) > 2 * len(text)


@lru_cache(maxsize=512)
def _held(character: str) -> str:
    cells = cell_len(character)
    if character[0] == "\x1b" or not cells:
        return character
    return f"\x1b7{' ' * cells}\x1b8\x1b7{character}\x1b8\x1b[{cells}C"


class _Steady:
    """Goes before a driver; everything that is written passes here.

    A picture between its marks is handed over as one: each piece would wake the thread that
    writes, and the echo of a key would wait for it.
    """

    _picture: tuple[str, ...] = ()

    def write(self, data: str) -> None:
        if data == SYNC_START or self._picture:
            self._picture += (data,)
            if data != SYNC_END:
                return
            data, self._picture = "".join(self._picture), ()
        super().write(steadied(data))  # type: ignore[misc]

    def stop_application_mode(self) -> None:
        self._picture = ()  # broken off by what ends us; of it nothing was written
        super().stop_application_mode()  # type: ignore[misc]

    def suspend_application_mode(self) -> None:
        self._picture = ()
        super().suspend_application_mode()  # type: ignore[misc]


def steady_driver(driver: type[Driver]) -> type[Driver]:
    """The same driver, but for characters of disputed width."""
    return type(f"Steady{driver.__name__}", (_Steady, driver), {})
