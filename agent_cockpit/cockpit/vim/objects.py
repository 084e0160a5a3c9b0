"""Vim's text objects: what `iw`, `a"`, `i(` and their like stand for at a place in a text."""

from __future__ import annotations

from agent_cockpit.cockpit.vim.motions import (
    Kind,
    big_kind,
    end_of_line,
    partner,
    small_kind,
    start_of_line,
)
from agent_cockpit.cockpit.vim.state import Span

_QUOTES = "\"'`"
_OPENING = {"(": "(", ")": "(", "b": "(", "[": "[", "]": "[", "{": "{", "}": "{", "B": "{"}


def object_at(text: str, at: int, times: int, key: str, name: str) -> Span | None:
    """What `key` (`i` or `a`) and the name of an object stand for; None where there is none."""
    is_around = key == "a"
    if name in ("w", "W"):
        return _word(text, at, times, is_around, big_kind if name == "W" else small_kind)
    if name in _QUOTES:
        return _quoted(text, at, is_around, name)
    if name in _OPENING:
        return _bracketed(text, at, times, is_around, _OPENING[name])
    return _paragraph(text, at, times, is_around) if name == "p" else None


def _word(text: str, at: int, times: int, is_around: bool, word: Kind) -> Span | None:
    first, last = start_of_line(text, at), end_of_line(text, at)

    def run(place: int) -> tuple[int, int]:
        start = end = place
        while start > first and word(text, start - 1) == word(text, place):
            start -= 1
        while end < last and word(text, end) == word(text, place):
            end += 1
        return start, end

    def is_blank(place: int) -> bool:
        return word(text, place) == "blank"

    if first == last:
        return None if is_around else Span(at, at)
    start, end = run(at)
    if not is_around:
        for _ in range(times - 1):
            if end == last:
                return None
            end = run(end)[1]
        return Span(start, end)
    begins_blank, end = is_blank(start), start
    for _ in range(times):
        for wants_blank in (begins_blank, not begins_blank):
            if end < last and is_blank(end) == wants_blank:
                end = run(end)[1]
            elif begins_blank or not wants_blank:
                return None
    if not begins_blank and not is_blank(end - 1) and start > first and is_blank(start - 1):
        led = run(start - 1)[0]
        start = led if led > first else start
    return Span(start, end)


def _quoted(text: str, at: int, is_around: bool, quote: str) -> Span | None:
    first, last = start_of_line(text, at), end_of_line(text, at)
    signs = [
        place
        for place in range(first, last)
        if text[place] == quote and (place == first or text[place - 1] != "\\")
    ]
    pairs = list(zip(signs[::2], signs[1::2], strict=False))
    found = next((pair for pair in pairs if at <= pair[1]), None)
    if found is None or (at > first and found[0] > at and any(sign < at for sign in signs)):
        before = [sign for sign in signs if sign < at]
        after = [sign for sign in signs if sign >= at]
        if not (before and after):
            return None
        found = (before[-1], after[0])
    start, end = found
    if not is_around:
        return Span(start + 1, end)
    end += 1
    if text[end:last][:1].isspace():
        while end < last and text[end].isspace():
            end += 1
    else:
        while start > first and text[start - 1].isspace():
            start -= 1
    return Span(start, end)


def _bracketed(text: str, at: int, times: int, is_around: bool, opening: str) -> Span | None:
    start, place = None, at
    for _ in range(times):
        start = _opening_around(text, place, opening)
        if start is None:
            break
        place = start - 1
    if start is None and times == 1:
        start = text.find(opening, at, end_of_line(text, at))
    if start is None or start < 0:
        return None
    end = partner(text, start)
    if end is None:
        return None
    if is_around:
        return Span(start, end + 1)
    first_inner = start + 1
    is_own_line = not text[start_of_line(text, end) : end].strip()
    if text[first_inner : first_inner + 1] == "\n" and is_own_line:
        last_inner = start_of_line(text, end) - 1
        return Span(first_inner + 1, last_inner, True) if last_inner > first_inner else None
    return Span(first_inner, end)


def _opening_around(text: str, at: int, opening: str) -> int | None:
    """The bracket that opens the innermost pair around a place, the brackets included."""
    for place in range(min(at, len(text) - 1), -1, -1):
        if text[place] == opening:
            closing = partner(text, place)
            if closing is not None and closing >= at:
                return place
    return None


def _paragraph(text: str, at: int, times: int, is_around: bool) -> Span | None:
    lines = text.split("\n")
    row = text.count("\n", 0, at)

    def run_down(start: int) -> int:
        """The last line of the run of blank or of written lines that begins here."""
        last = start
        while last + 1 < len(lines) and bool(lines[last + 1].strip()) == bool(lines[start].strip()):
            last += 1
        return last

    top = row
    while top and bool(lines[top - 1].strip()) == bool(lines[row].strip()):
        top -= 1
    bottom = run_down(row)
    for _ in range(times - 1 + (is_around * times)):
        if bottom + 1 == len(lines):
            break
        bottom = run_down(bottom + 1)
    else:
        return _lines(lines, top, bottom)
    if is_around and not lines[row].strip():
        return None
    while is_around and top and not lines[top - 1].strip():
        top -= 1
    return _lines(lines, top, bottom)


def _lines(lines: list[str], top: int, bottom: int) -> Span:
    start = sum(len(line) + 1 for line in lines[:top])
    return Span(start, start + sum(len(line) + 1 for line in lines[top : bottom + 1]) - 1, True)
