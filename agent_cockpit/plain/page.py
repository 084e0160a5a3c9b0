"""What lines are written on: a terminal of some width, or a paper without one.

Law: only the breaks between words are ours to choose; a line whose own breaks matter, and what
does not go to a terminal, is written as it is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import TextIO

from agent_cockpit.text import cell_width

NARROWEST = 20
"""Below this a line is broken by the terminal: words would stand alone."""
_INDENTED, _TABLE = "    ", "|"
"""Diffs, outputs and code are told indented; they and tables keep their lines."""
_MARK = re.compile(r" *(?:[-*+>?!~]+ +|\d{1,2}[.)]? +)?")
_LONGEST_MARK = 8


class Verbatim(str):
    """A line that stays one line."""

    __slots__ = ()


class Page:
    """Owns the output; `say` and `write` raise what it raises."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self.is_terminal = out.isatty()

    def say(self, lines: Iterable[str]) -> None:
        """Add lines, folded between words where a terminal would break them inside one."""
        width = self._width()
        self.write("".join(f"{row}\n" for line in lines for row in _rows(line, width)))

    def write(self, text: str) -> None:
        """Add text as it is."""
        if text:
            self._out.write(text)
            self._out.flush()

    def _width(self) -> int:
        """The terminal's, as it is now; 0 without one."""
        if not self.is_terminal:
            return 0
        try:
            return os.get_terminal_size(self._out.fileno()).columns
        except (OSError, ValueError):
            return 0


def _rows(line: str, width: int) -> Iterator[str]:
    is_as_it_is = isinstance(line, Verbatim) or line.startswith((_INDENTED, _TABLE))
    if is_as_it_is or width < NARROWEST or cell_width(line) <= width:
        yield line
    else:
        yield from folded(line, width)


def folded(line: str, width: int) -> Iterator[str]:
    """The line in rows of at most `width` cells, broken at spaces, the later ones below its
    first word; a word that is longer stays whole."""
    match = _MARK.match(line)
    mark = match[0] if match and len(match[0]) <= _LONGEST_MARK else ""
    indent, row, has_word = " " * len(mark), mark, False
    for word in line[len(mark) :].split(" "):
        longer = f"{row} {word}" if has_word else f"{row}{word}"
        if has_word and cell_width(longer) > width:
            yield row.rstrip(" ")
            longer = f"{indent}{word}"
        row, has_word = longer, True
    yield row
