"""Where vim's motions lead in a text: from an offset and how often to an offset."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from agent_cockpit.cockpit.look.cells import end_of_character, start_of_character

Kind = Callable[[str, int], str]
"""What a character is to words: the same for neighbours of one word, `blank`, or no character."""


def start_of_line(text: str, at: int) -> int:
    """Where the line of `at` begins."""
    return text.rfind("\n", 0, at) + 1


def end_of_line(text: str, at: int) -> int:
    """Where the line of `at` ends, its line end excluded."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def line_at(text: str, number: int) -> int:
    """Where a line begins, from 0; the last line for a greater number."""
    at = 0
    for _ in range(number):
        end = end_of_line(text, at)
        if end == len(text):
            break
        at = end + 1
    return at


def before(text: str, at: int) -> int:
    """A character as a person sees it further left, within the line."""
    start = start_of_line(text, at)
    return max(start, start_of_character(text, at)) if at > start else at


def behind(text: str, at: int) -> int:
    """A character as a person sees it further right, within the line."""
    end = end_of_line(text, at)
    return min(end, end_of_character(text, at)) if at < end else at


def first_word(text: str, at: int) -> int:
    """The first place of the line that is no blank; in a blank line its last character."""
    start, end = start_of_line(text, at), end_of_line(text, at)
    line = text[start:end]
    return on_character(text, start + len(line) - len(line.lstrip()))


def on_character(text: str, at: int) -> int:
    """`at`, or the last character of its line where `at` is behind that."""
    at = min(at, len(text))
    return before(text, at) if at == end_of_line(text, at) else at


def words_ahead(text: str, at: int, times: int, kind: Kind, *, stops: bool) -> int:
    """So many words further. `stops`: not over the end of the last word's line, as an operator
    wants it."""
    for left in range(times - 1, -1, -1):
        begun, at = at, min(len(text), at + 1)
        if stops and not left and (at == end_of_line(text, at) or text[at - 1 : at] == "\n"):
            return at
        word = kind(text, begun)
        while word != "blank" and word and kind(text, at) == word:
            at += 1
        if stops and not left and word != "blank" and at == end_of_line(text, at):
            return at
        while kind(text, at) == "blank" and not _is_empty_line(text, at):
            at += 1
    return at


def changed_word(text: str, at: int, times: int, kind: Kind) -> int:
    """How far `cw` reaches: to the end of the word that the cursor is on, or of one further."""
    while kind(text, at + 1) == kind(text, at):
        at += 1
    return min(len(text), _end_of_word(text, at, times - 1, kind) + 1)


def sought(text: str, at: int, times: int, key: str, char: str, *, again: bool) -> int | None:
    """Where `f F t T` and a character lead within the line; None where it is not found so often.

    `again`: a `t` or `T` that is repeated goes on from the character that it stands before.
    """
    start, end = start_of_line(text, at), end_of_line(text, at)
    is_forward = key in "ft"
    there = at + (1 if is_forward else -1) if again and key in "tT" else at
    for _ in range(times):
        there = text.find(char, there + 1, end) if is_forward else text.rfind(char, start, there)
        if there < 0:
            return None
    return there - 1 if key == "t" else there + 1 if key == "T" else there


def small_kind(text: str, at: int) -> str:
    """To a word: part of one, a sign, a blank, or no character at all."""
    if not 0 <= at < len(text):
        return ""
    if text[at].isspace():
        return "blank"
    return "word" if text[at].isalnum() or text[at] == "_" else "sign"


def big_kind(text: str, at: int) -> str:
    """To a WORD only blanks are no part of one."""
    kind = small_kind(text, at)
    return "word" if kind == "sign" else kind


def _is_empty_line(text: str, at: int) -> bool:
    return text[at : at + 1] == "\n" and (at == 0 or text[at - 1] == "\n")


def _left(text: str, at: int, times: int) -> int:
    for _ in range(times):
        at = before(text, at)
    return at


def _right(text: str, at: int, times: int) -> int:
    for _ in range(times):
        at = behind(text, at)
    return at


def _word_before(text: str, at: int, times: int, word: Kind) -> int:
    for _ in range(times):
        at = max(0, at - 1)
        while at and word(text, at) == "blank" and not _is_empty_line(text, at):
            at -= 1
        kind = word(text, at)
        while kind != "blank" and at and word(text, at - 1) == kind:
            at -= 1
    return at


def _end_of_word(text: str, at: int, times: int, word: Kind) -> int:
    last = max(at, len(text) - 1)
    for _ in range(times):
        at = min(last, at + 1)
        while at < last and word(text, at) == "blank":
            at += 1
        while at < last and word(text, at + 1) == word(text, at):
            at += 1
    return at


def _line_end(text: str, at: int, times: int) -> int:
    for _ in range(times - 1):
        at = min(len(text), end_of_line(text, at) + 1)
    return end_of_line(text, at)


def _paragraph_after(text: str, at: int, times: int) -> int:
    for _ in range(times):
        at = start_of_line(text, at)
        while at < len(text) and _is_empty_line(text, at):
            at += 1
        while at < len(text) and not _is_empty_line(text, at):
            at = min(len(text), end_of_line(text, at) + 1)
    return at


def _paragraph_before(text: str, at: int, times: int) -> int:
    for _ in range(times):
        at = start_of_line(text, at)
        while at and _is_empty_line(text, at):
            at = start_of_line(text, at - 1)
        while at and not _is_empty_line(text, at):
            at = start_of_line(text, at - 1)
    return at


_PAIRS = {"(": ")", "[": "]", "{": "}"}


def _partner(text: str, at: int, times: int) -> int:
    """The other of the two brackets of which the line has one from here on."""
    end = end_of_line(text, at)
    here = next((place for place in range(at, end) if text[place] in "()[]{}"), None)
    if here is None:
        return at
    there = partner(text, here)
    return at if there is None else there


def partner(text: str, at: int) -> int | None:
    """The bracket that belongs to the one at `at`."""
    own = text[at]
    is_opening = own in _PAIRS
    other = _PAIRS[own] if is_opening else next(key for key in _PAIRS if _PAIRS[key] == own)
    depth = 0
    for place in range(at, len(text)) if is_opening else range(at, -1, -1):
        depth += (text[place] == own) - (text[place] == other)
        if not depth:
            return place
    return None


MOTIONS: Mapping[str, Callable[[str, int, int], int]] = {
    "h": _left,
    "l": _right,
    "w": partial(words_ahead, kind=small_kind, stops=False),
    "b": partial(_word_before, word=small_kind),
    "e": partial(_end_of_word, word=small_kind),
    "W": partial(words_ahead, kind=big_kind, stops=False),
    "B": partial(_word_before, word=big_kind),
    "E": partial(_end_of_word, word=big_kind),
    "0": lambda text, at, times: start_of_line(text, at),
    "^": lambda text, at, times: first_word(text, at),
    "$": _line_end,
    "}": _paragraph_after,
    "{": _paragraph_before,
    "%": _partner,
}
INCLUSIVE = frozenset("eE%ft")
"""Motions whose last character an operator takes too."""

LINE_MOTIONS: Mapping[str, Callable[[str, int, int | None], int]] = {
    "gg": lambda text, at, number: line_at(text, (number or 1) - 1),
    "G": lambda text, at, number: line_at(text, (number or text.count("\n") + 1) - 1),
}
"""With a count they lead to the line of that number, from 1."""


def lines_on(text: str, at: int, lines: int) -> int:
    """The start of the line `lines` further down (or up), as far as there are lines."""
    return line_at(text, max(0, text.count("\n", 0, at) + lines))
