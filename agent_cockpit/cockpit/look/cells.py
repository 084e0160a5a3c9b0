"""Where a line may be cut: between characters as a person sees them, each in one piece."""

from __future__ import annotations

from functools import lru_cache

from rich.cells import cell_len, get_character_cell_size

_JOINER = "\u200d"
_FLAG_LETTERS = range(0x1F1E6, 0x1F200)


def end_of_character(text: str, at: int) -> int:
    """Where the character that begins at `at` ends, with its marks and all it is joined to."""
    end = at + 1
    if end < len(text) and ord(text[at]) in _FLAG_LETTERS and ord(text[end]) in _FLAG_LETTERS:
        end += 1
    while end < len(text) and (text[end - 1] == _JOINER or get_character_cell_size(text[end]) == 0):
        end += 1
    return end


def start_of_character(text: str, end: int) -> int:
    """Where the character that ends at `end` begins."""
    at = end - 1
    while at > 0 and (text[at - 1] == _JOINER or get_character_cell_size(text[at]) == 0):
        at -= 1
    letters = 0
    while letters <= at and ord(text[at - letters]) in _FLAG_LETTERS:
        letters += 1
    return at - 1 if letters and letters % 2 == 0 else at


def end_of_row(text: str, start: int, width: int) -> int:
    """Where a row of at most `width` cells that begins at `start` ends; at least one character
    on, even where that one is wider."""
    at = min(len(text), start + width)
    near = text[start : at + 1]
    if near.isascii() or all(map(_is_one_cell, near)):
        return at
    at, used = start, 0
    while at < len(text):
        end = end_of_character(text, at)
        used += cell_len(text[at:end])
        if used > width and at > start:
            return at
        at = end
    return at


@lru_cache(maxsize=4096)
def _is_one_cell(char: str) -> bool:
    """Whether it takes one cell wherever it stands, and joins nothing."""
    return get_character_cell_size(char) == 1 and ord(char) not in _FLAG_LETTERS
