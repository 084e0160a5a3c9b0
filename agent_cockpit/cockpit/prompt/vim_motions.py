"""Where vim's motions lead in a text: from an offset and how often to an offset."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from agent_cockpit.cockpit.look.cells import end_of_character, start_of_character


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


def deleted_word(text: str, at: int, times: int) -> int:
    """How far `dw` reaches: to the next word, but not over the end of the last word's line."""
    before = _next_word(text, at, times - 1)
    there = _next_word(text, before, 1)
    end = text.find("\n", before, there)
    return there if end < 0 else end


def changed_word(text: str, at: int, times: int) -> int:
    """How far `cw` reaches: to the end of the word that the cursor is on, or of one further."""
    while _kind(text, at + 1) == _kind(text, at):
        at += 1
    return min(len(text), _end_of_word(text, at, times - 1) + 1)


def _kind(text: str, at: int) -> str:
    """What a character is to words: part of one, a sign, a blank, or no character at all."""
    if not 0 <= at < len(text):
        return ""
    if text[at].isspace():
        return "blank"
    return "word" if text[at].isalnum() or text[at] == "_" else "sign"


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


def _next_word(text: str, at: int, times: int) -> int:
    for _ in range(times):
        kind = _kind(text, at)
        if kind != "blank":
            while kind and _kind(text, at) == kind:
                at += 1
        elif _is_empty_line(text, at):
            at += 1
        while _kind(text, at) == "blank" and not _is_empty_line(text, at):
            at += 1
    return at


def _word_before(text: str, at: int, times: int) -> int:
    for _ in range(times):
        at = max(0, at - 1)
        while at and _kind(text, at) == "blank" and not _is_empty_line(text, at):
            at -= 1
        kind = _kind(text, at)
        while kind != "blank" and at and _kind(text, at - 1) == kind:
            at -= 1
    return at


def _end_of_word(text: str, at: int, times: int) -> int:
    last = max(at, len(text) - 1)
    for _ in range(times):
        at = min(last, at + 1)
        while at < last and _kind(text, at) == "blank":
            at += 1
        while at < last and _kind(text, at + 1) == _kind(text, at):
            at += 1
    return at


def _line_end(text: str, at: int, times: int) -> int:
    for _ in range(times - 1):
        at = min(len(text), end_of_line(text, at) + 1)
    return end_of_line(text, at)


MOTIONS: Mapping[str, Callable[[str, int, int], int]] = {
    "h": _left,
    "l": _right,
    "w": _next_word,
    "b": _word_before,
    "e": _end_of_word,
    "0": lambda text, at, times: start_of_line(text, at),
    "^": lambda text, at, times: first_word(text, at),
    "$": _line_end,
}

LINE_MOTIONS: Mapping[str, Callable[[str, int, int | None], int]] = {
    "gg": lambda text, at, number: line_at(text, (number or 1) - 1),
    "G": lambda text, at, number: line_at(text, (number or text.count("\n") + 1) - 1),
}
"""With a count they lead to the line of that number, from 1."""
