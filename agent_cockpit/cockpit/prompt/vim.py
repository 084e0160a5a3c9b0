"""What vim's keys do to a text: from state, key and text to the next state and one step.

Law: values only. A place is an offset into the text, whose lines end with `\\n`; a text is
changed by no more than one edit a key, and whoever asked carries it out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from agent_cockpit.cockpit.look.cells import start_of_character
from agent_cockpit.cockpit.prompt.vim_motions import (
    LINE_MOTIONS,
    MOTIONS,
    before,
    behind,
    changed_word,
    deleted_word,
    end_of_line,
    first_word,
    line_at,
    on_character,
    start_of_line,
)

MOST_TIMES = 999
"""A greater count is this one: a slip on the digits must not cost a second."""
MOST_PUT_CHARS = 10_000
"""A count puts no more than this at once, unless once is more."""

Mode = Literal["insert", "normal"]
Order = Literal["up", "down", "undo"]

_SHORT = {
    "x": ("d", "l"),
    "X": ("d", "h"),
    "D": ("d", "$"),
    "C": ("c", "$"),
    "Y": ("y", "y"),
    "s": ("c", "l"),
    "S": ("c", "c"),
    "delete": ("d", "l"),
}
"""Keys that are an operator and its motion in one."""
_ALIKE = {"backspace": "h", " ": "l"}
_ORDERS: dict[str, Order] = {"k": "up", "j": "down", "u": "undo"}


@dataclass(frozen=True, slots=True)
class Written:
    """A text with its cursor; `wholes` are (start, end) of what is only cut as one."""

    text: str
    cursor: int
    wholes: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Edit:
    """Put `text` in the place of what lies between two offsets."""

    start: int
    end: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Vim:
    """The mode, what of a command was pressed so far, and what was cut or copied last."""

    mode: Mode = "insert"
    count: str = ""
    operator: str = ""
    times: int = 1
    """How often the operator was to be done: what was counted before it."""
    has_g: bool = False
    register: str = ""
    holds_lines: bool = False

    @property
    def is_pending(self) -> bool:
        """Whether a command was begun."""
        return bool(self.count or self.operator or self.has_g)

    def at_rest(self, mode: Mode | None = None) -> Vim:
        """With nothing begun."""
        return replace(self, mode=mode or self.mode, count="", operator="", times=1, has_g=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What follows from a key: first the edit, then the cursor, then the order, `times` times.

    Not `taken`: the key does what it does without vim's keys.
    """

    vim: Vim
    edit: Edit | None = None
    cursor: int | None = None
    order: Order | None = None
    times: int = 1
    taken: bool = True


def press(vim: Vim, key: str, written: Written) -> Step:
    """One key: a character, or Textual's name of another key."""
    text, cursor = written.text, written.cursor
    if vim.mode == "insert":
        if key != "escape":
            return Step(vim=vim, taken=False)
        return Step(vim=vim.at_rest("normal"), cursor=before(text, cursor))
    if key == "escape":
        return Step(vim=vim.at_rest(), taken=vim.is_pending)
    key = _ALIKE.get(key, key)
    if len(key) > 1 and key not in _SHORT:
        return Step(vim=vim.at_rest(), taken=False)
    if key.isdecimal() and key.isascii() and (key != "0" or vim.count):
        return Step(vim=replace(vim, count=vim.count + key, has_g=False))
    if vim.has_g or key == "g":
        if not (vim.has_g and key == "g"):
            return Step(vim=vim.at_rest() if vim.has_g else replace(vim, has_g=True))
        key = "gg"
    if vim.operator:
        return _operate(vim, vim.operator, key, written)
    if key in "dcy":
        return Step(vim=replace(vim, operator=key, times=_counted(vim) or 1, count=""))
    if key in _SHORT:
        return _operate(vim, *_SHORT[key], written)
    times = _counted(vim)
    if key in _ORDERS:
        return Step(vim=vim.at_rest(), order=_ORDERS[key], times=times or 1)
    if key in LINE_MOTIONS:
        line = LINE_MOTIONS[key](text, cursor, times)
        return Step(vim=vim.at_rest(), cursor=first_word(text, line))
    if key in MOTIONS:
        at = MOTIONS[key](text, on_character(text, cursor), times or 1)
        return Step(vim=vim.at_rest(), cursor=on_character(text, at))
    if key in "pP":
        return _put(vim, key, written, times or 1)
    return _begin_to_write(vim, key, written)


def _operate(vim: Vim, operator: str, motion: str, written: Written) -> Step:
    """Cut, change or copy what a motion passes over."""
    text, at = written.text, on_character(written.text, written.cursor)
    counted = _counted(vim)
    times = min(MOST_TIMES, vim.times * (counted or 1))
    if motion == operator:
        return _operate_on_lines(vim, operator, written, _lines_on(text, at, times - 1))
    if motion in "jk":
        there = _lines_on(text, at, times if motion == "j" else -times)
        if start_of_line(text, there) == start_of_line(text, at):
            return Step(vim=vim.at_rest())
        return _operate_on_lines(vim, operator, written, there)
    if motion in LINE_MOTIONS:
        wanted = times if counted or vim.times > 1 else None
        return _operate_on_lines(vim, operator, written, LINE_MOTIONS[motion](text, at, wanted))
    if motion not in MOTIONS:
        return Step(vim=vim.at_rest())
    if motion == "w":
        is_on_word = at < len(text) and not text[at].isspace()
        over = changed_word if operator == "c" and is_on_word else deleted_word
        start, end = at, over(text, at, times)
    else:
        there = MOTIONS[motion](text, at, times)
        start, end = min(at, there), max(at, there)
        if motion == "e":
            end = behind(text, end)
    for first, last in written.wholes:
        if start < end and first < start < last:
            start = first
        if start < end and first < end < last:
            end = last
    after = vim.at_rest("insert" if operator == "c" else "normal")
    if start < end:
        after = replace(after, register=text[start:end], holds_lines=False)
    if operator == "y":
        return Step(vim=after, cursor=start)
    left = text[:start] + text[end:]
    cursor = start if operator == "c" else on_character(left, start)
    return Step(vim=after, edit=Edit(start, end) if start < end else None, cursor=cursor)


def _operate_on_lines(vim: Vim, operator: str, written: Written, there: int) -> Step:
    """Cut, change or copy all lines from the cursor's to that of `there`."""
    text, at = written.text, on_character(written.text, written.cursor)
    start = start_of_line(text, min(at, there))
    end = end_of_line(text, max(at, there))
    after = replace(vim.at_rest(), register=text[start:end], holds_lines=True)
    if operator == "y":
        return Step(vim=after, cursor=min(at, there) if there < start_of_line(text, at) else at)
    if operator == "c":
        return Step(vim=replace(after, mode="insert"), edit=Edit(start, end), cursor=start)
    edit = Edit(start, end + 1) if end < len(text) else Edit(max(0, start - 1), end)
    left = text[: edit.start] + text[edit.end :]
    return Step(vim=after, edit=edit, cursor=first_word(left, min(start, len(left))))


def _put(vim: Vim, key: str, written: Written, times: int) -> Step:
    """Put what was cut or copied last behind the cursor (`p`) or before it."""
    text, at, held = written.text, written.cursor, vim.register
    after = vim.at_rest()
    if not (held or vim.holds_lines):
        return Step(vim=after)
    times = min(times, max(1, MOST_PUT_CHARS // (len(held) + 1)))
    if vim.holds_lines:
        lines = "\n".join([held] * times)
        if key == "P":
            place = start_of_line(text, at)
            edit, begun = Edit(place, place, f"{lines}\n"), place
        else:
            place = end_of_line(text, at)
            edit, begun = Edit(place, place, f"\n{lines}"), place + 1
        now = text[:place] + edit.text + text[place:]
        return Step(vim=after, edit=edit, cursor=first_word(now, begun))
    place = behind(text, at) if key == "p" else at
    for first, last in written.wholes:
        if first < place < last:
            place = last
    put = held * times
    cursor = place if "\n" in put else place + start_of_character(put, len(put))
    return Step(vim=after, edit=Edit(place, place, put), cursor=cursor)


def _begin_to_write(vim: Vim, key: str, written: Written) -> Step:
    """To insert mode by one of its keys; any other key does nothing."""
    text, at = written.text, written.cursor
    start, end = start_of_line(text, at), end_of_line(text, at)
    writes = vim.at_rest("insert")
    match key:
        case "i":
            return Step(vim=writes)
        case "a":
            return Step(vim=writes, cursor=behind(text, at))
        case "I":
            is_blank = not text[start:end].strip()
            return Step(vim=writes, cursor=end if is_blank else first_word(text, at))
        case "A":
            return Step(vim=writes, cursor=end)
        case "o":
            return Step(vim=writes, edit=Edit(end, end, "\n"), cursor=end + 1)
        case "O":
            return Step(vim=writes, edit=Edit(start, start, "\n"), cursor=start)
    return Step(vim=vim.at_rest())


def _counted(vim: Vim) -> int | None:
    """The count that was typed; None where there was none."""
    return min(MOST_TIMES, int(vim.count[:9])) if vim.count else None


def _lines_on(text: str, at: int, lines: int) -> int:
    """A place `lines` further down (or up), as far as there are lines."""
    number = text.count("\n", 0, at) + lines
    return line_at(text, max(0, number))
