"""What stands on the screen of an xterm, as rows of text: pyte's screen, made quick for one that is
looked at after each picture. A line keeps its text until something is written in it.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pyte
from pyte import modes
from pyte.screens import Char, StaticDefaultDict
from wcwidth import wcwidth


class Xterm(pyte.Screen):
    """Knows every character by itself: of joined emoji it draws each, of flags both letters."""

    def __init__(self, columns: int, lines: int) -> None:
        super().__init__(columns, lines)
        self._lines = defaultdict[int, _Line](lambda: _Line(self.default_char))
        self.buffer = self._lines  # type: ignore[assignment]

    def draw(self, data: str) -> None:
        """Write these characters where the cursor stands."""
        at = self.cursor.x
        cells = _one_column_cells(data, self.cursor.attrs)
        if cells and at + len(cells) <= self.columns and modes.IRM not in self.mode:
            self._lines[self.cursor.y].write(at, cells)
            self.cursor.x = at + len(cells)
        else:
            known = (char for char in data if wcwidth(char) or unicodedata.combining(char))
            super().draw("".join(known))

    @property
    def display(self) -> list[str]:
        """The rows as text; of a wide character that is half written over nothing is left."""
        return [self._lines[y].text(self.columns) for y in range(self.lines)]


class _Line(StaticDefaultDict[int, Char]):
    """The cells of a line by their column."""

    def __init__(self, default: Char) -> None:
        super().__init__(default)
        self._text = ""
        self._columns = 0

    def __setitem__(self, x: int, cell: Char) -> None:
        self._text = ""
        super().__setitem__(x, cell)

    def pop(self, *args: Any) -> Any:
        self._text = ""
        return super().pop(*args)

    def write(self, at: int, cells: tuple[Char, ...]) -> None:
        """Write cells of one column each from this column on."""
        self._text = ""
        self.update(zip(range(at, at + len(cells)), cells, strict=True))

    def text(self, columns: int) -> str:
        """The first `columns` of it."""
        if self._text and self._columns == columns:
            return self._text
        self._columns = columns
        self._text = text_of([self[x].data for x in range(columns)])
        return self._text


def text_of(cells: list[str]) -> str:
    """A row of cells as text; the second cell of a wide character is empty."""
    text = "".join(cells)
    if "" not in cells and not any(wcwidth(char) == 2 for char in set(text)):
        return text
    return "".join(whole_characters(cells))


def whole_characters(cells: list[str]) -> Iterator[str]:
    """What is seen in each cell: a blank where half of a wide character is left."""
    following = [*cells[1:], " "]
    x = 0
    while x < len(cells):
        is_whole = cells[x] and wcwidth(cells[x][0]) == 2 and not following[x]
        is_torn = not cells[x] or (wcwidth(cells[x][0]) == 2 and not is_whole)
        yield " " if is_torn else cells[x]
        x += 2 if is_whole else 1


@lru_cache(maxsize=4096)
def _one_column_cells(text: str, attributes: Char) -> tuple[Char, ...] | None:
    """A cell for each character, where each takes one column."""
    if any(wcwidth(char) != 1 for char in text):
        return None
    return tuple(_cell(char, attributes) for char in text)


@lru_cache(maxsize=4096)
def _cell(char: str, attributes: Char) -> Char:
    cell: Char = attributes._replace(data=char)
    return cell
