"""Where a line of Chinese or Japanese breaks: between any two characters, since no spaces stand
between its words, but for signs that no line begins or ends with. Korean has spaces."""

from __future__ import annotations

import re

from rich.cells import cell_len, chop_cells

_FREE = (
    "\u2e80-\u2fff\u3001-\u30ff\u31c0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uff01-\uff9f\U00020000-\U0003fffd"
)
_OPENS = "（［｛〈《「『【〔〖“‘"
_SMALL = "ゝゞ々ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ"
_ENDS = f"、。，．・：；？！）］｝〉》」』】〕〗”’…{_SMALL},.:;?!)\\]}}"
_MARKS = "\u0300-\u036f\u200d\u3099\u309a\ufe00-\ufe0f"
_FREE_CHARACTER = re.compile(f"[{_FREE}]")
_UNIT = re.compile(rf"\s*[{_OPENS}(\[{{]*(?:[{_FREE}]|[^\s{_FREE}{_OPENS}]+)?[{_ENDS}{_MARKS}]*\s*")
"""What no line breaks in: a word, or one character with the signs around it."""


def breaks_anywhere(text: str) -> bool:
    """Whether there are characters in it between which a line may break."""
    return _FREE_CHARACTER.search(text) is not None


def line_breaks(text: str, width: int) -> list[int]:
    """Where rows of at most `width` cells begin, but for the first; a word that is longer than a
    row is cut."""
    breaks: list[int] = []
    used = at = 0
    while at < len(text):
        unit = _UNIT.match(text, at)
        end = max(unit.end() if unit else 0, at + 1)
        wide = cell_len(text[at:end].rstrip())
        if used + wide > width and at:
            breaks.append(at)
            used = 0
        if wide > width:
            *rows, last = filter(None, chop_cells(text[at:end], width))
            for row in rows:
                at += len(row)
                breaks.append(at)
            used += cell_len(last)
        else:
            used += cell_len(text[at:end])
        at = end
    return breaks
