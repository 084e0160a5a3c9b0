"""What the keys of vim's normal mode do to a text; in visual mode, its motions too."""

from __future__ import annotations

from dataclasses import replace

from agent_cockpit.cockpit.vim.motions import (
    INCLUSIVE,
    LINE_MOTIONS,
    MOTIONS,
    behind,
    big_kind,
    changed_word,
    end_of_line,
    first_word,
    lines_on,
    on_character,
    small_kind,
    sought,
    start_of_line,
    words_ahead,
)
from agent_cockpit.cockpit.vim.objects import object_at
from agent_cockpit.cockpit.vim.operators import (
    join,
    operate,
    put,
    replace_characters,
    toggle_case,
)
from agent_cockpit.cockpit.vim.state import (
    Edit,
    Mode,
    Order,
    Span,
    Step,
    Vim,
    Writing,
    Written,
)
from agent_cockpit.cockpit.vim.visual import press_visual

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
_ARROWS = {"left": "h", "right": "l", "up": "k", "down": "j", "home": "0", "end": "$"}
"""In visual mode, where these would end what is selected."""
_ORDERS: dict[str, Order] = {"k": "up", "j": "down"}
_OPERATORS = "dcy<>"
VISUAL: dict[str, Mode] = {"v": "visual", "V": "visual line"}


def command(vim: Vim, key: str, written: Written) -> Step:
    """A key of normal or visual mode; `.`, `u` and `ctrl+r` are not among them."""
    text, cursor = written.text, written.cursor
    if key == "escape":
        is_left = vim.is_pending or vim.is_visual
        at = on_character(text, cursor) if vim.is_visual else None
        return Step(vim=vim.at_rest("normal"), cursor=at, taken=is_left)
    takes_any = vim.begun in ("f", "F", "t", "T", "r", "i", "a")
    if key == "enter" and vim.is_pending:
        if vim.begun != "r":
            return Step(vim=vim.at_rest())
        key = "\n"
    elif not takes_any:
        key = _ALIKE.get(key, key)
        key = _ARROWS.get(key, key) if vim.is_visual else key
    if len(key) > 1 and key not in _SHORT:
        return Step(vim=vim.at_rest("normal"), taken=False)
    if not takes_any and key.isdecimal() and key.isascii() and (key != "0" or vim.count):
        return Step(vim=replace(vim, count=vim.count + key, begun=""))
    if vim.is_visual and (step := press_visual(vim, key, written)) is not None:
        return step
    if vim.begun == "r":
        return replace_characters(vim, key, written, vim.counted or 1)
    if vim.begun in ("f", "F", "t", "T"):
        vim = replace(vim, begun="", sought=(vim.begun, key))
        return _move(vim, ";", written, again=False)
    if vim.begun in ("i", "a"):
        found = object_at(text, on_character(text, cursor), vim.counted_all or 1, vim.begun, key)
        if found is None:
            return Step(vim=vim.at_rest())
        return operate(vim, vim.operator, written, found)
    if vim.begun == "g":
        if key in "uU~" and not vim.operator:
            return Step(vim=replace(vim, operator=key, times=vim.counted, count="", begun=""))
        return _move(vim, "gg", written) if key == "g" else Step(vim=vim.at_rest())
    if key in "gfFtT" or (key == "r" and not vim.operator) or (vim.operator and key in "ia"):
        return Step(vim=replace(vim, begun=key))
    if vim.operator or key in MOTIONS or key in LINE_MOTIONS or key in ";,":
        return _move(vim, key, written)
    if vim.is_visual:
        return _move(vim, key, written) if key in "jk" else Step(vim=vim.at_rest())
    return _normal(vim, key, written)


def _normal(vim: Vim, key: str, written: Written) -> Step:
    """A key in normal mode that is no motion, with nothing begun but a count."""
    times = vim.counted or 1
    if key in _OPERATORS:
        return Step(vim=replace(vim, operator=key, times=vim.counted, count=""))
    if key in _SHORT:
        operator, motion = _SHORT[key]
        return _operate(vim, operator, motion, written)
    if key in _ORDERS:
        return Step(vim=vim.at_rest(), order=_ORDERS[key], times=times)
    if key in VISUAL:
        anchor = on_character(written.text, written.cursor)
        return Step(vim=replace(vim.at_rest(VISUAL[key]), anchor=anchor), cursor=anchor)
    match key:
        case "p" | "P":
            return put(vim, key, written, times)
        case "J":
            return join(vim, written, written.cursor, times)
        case "~":
            return toggle_case(vim, written, times)
    return _begin_to_write(vim, key, written, times)


def _move(vim: Vim, key: str, written: Written, *, again: bool = True) -> Step:
    """A motion: of the cursor, or of the operator that waits for it."""
    if vim.operator:
        return _operate(vim, vim.operator, key, written, again=again)
    text, at = written.text, written.cursor
    if not vim.is_visual:
        at = on_character(text, at)
    times = vim.counted
    if key in LINE_MOTIONS:
        there = first_word(text, LINE_MOTIONS[key](text, at, times))
    elif key in "jk":
        column = at - start_of_line(text, at) if vim.column is None else vim.column
        there = _on_line(text, at, (times or 1) * (1 if key == "j" else -1), column)
        return Step(vim=replace(vim.at_rest(), column=column), cursor=there)
    elif key in ";,":
        found = _sought(vim, key, text, at, times or 1, again=again)
        there = at if found is None else found
    else:
        there = MOTIONS[key](text, at, times or 1)
    may_pass = vim.is_visual and key in "l$"
    return Step(vim=vim.at_rest(), cursor=there if may_pass else on_character(text, there))


def _sought(vim: Vim, key: str, text: str, at: int, times: int, *, again: bool) -> int | None:
    way, char = vim.sought
    if not way:
        return None
    way = way.swapcase() if key == "," else way
    return sought(text, at, times, way, char, again=again)


def _operate(vim: Vim, operator: str, motion: str, written: Written, *, again: bool = True) -> Step:
    """Do to a text what an operator does, as far as a motion leads."""
    text, at = written.text, on_character(written.text, written.cursor)
    counted = vim.counted_all
    times = counted or 1
    nothing = Step(vim=vim.at_rest())
    if motion == operator or motion in "jk":
        lines = times - 1 if motion == operator else times if motion == "j" else -times
        there = _on_line(text, at, lines)
        if lines and start_of_line(text, there) == start_of_line(text, at):
            return nothing
        span = _whole_lines(text, at, there)
        return operate(vim, operator, written, span, here=min(at, there))
    if motion in LINE_MOTIONS:
        there = first_word(text, LINE_MOTIONS[motion](text, at, counted))
        span = _whole_lines(text, at, there)
        return operate(vim, operator, written, span, here=min(at, there))
    if motion in ";,":
        found = _sought(vim, motion, text, at, times, again=again)
        if found is None:
            return nothing
        way = vim.sought[0].swapcase() if motion == "," else vim.sought[0]
        return operate(vim, operator, written, _span(text, at, found, way, operator))
    if motion in ("w", "W"):
        kind = big_kind if motion == "W" else small_kind
        is_on_word = at < len(text) and not text[at].isspace()
        if operator == "c" and is_on_word:
            return operate(vim, operator, written, Span(at, changed_word(text, at, times, kind)))
        there = words_ahead(text, at, times, kind, stops=True)
        return operate(vim, operator, written, _span(text, at, there, motion, operator))
    if motion not in MOTIONS:
        return nothing
    there = MOTIONS[motion](text, at, times)
    if motion in "bB%{}" and there == at:
        return nothing
    span = _span(text, at, there, motion, operator)
    return operate(vim, operator, written, span, here=min(at, there))


def _on_line(text: str, at: int, lines: int, column: int | None = None) -> int:
    """The place `lines` further down (or up), in the same column as far as the line reaches."""
    column = at - start_of_line(text, at) if column is None else column
    there = lines_on(text, at, lines)
    return min(there + column, end_of_line(text, there))


def _whole_lines(text: str, at: int, there: int) -> Span:
    first, last = sorted((at, there))
    return Span(start_of_line(text, first), end_of_line(text, last), True)


def _span(text: str, at: int, there: int, motion: str, operator: str) -> Span:
    """What a motion passes over. Where it ends before the first character of a line, that line
    end is left out; lines of which nothing but blanks would be left are taken whole."""
    start, end = min(at, there), max(at, there)
    if motion in INCLUSIVE:
        end = behind(text, end)
    is_inside = bool(text[start_of_line(text, start) : start].strip())
    if motion not in INCLUSIVE and "\n" in text[start:end] and end == start_of_line(text, end):
        end -= 1
        if not is_inside:
            return Span(start_of_line(text, start), end, True)
    rest = text[end : end_of_line(text, end)].strip()
    if operator == "d" and "\n" in text[start:end] and not is_inside and not rest:
        return Span(start_of_line(text, start), end_of_line(text, end), True)
    return Span(start, end)


def _begin_to_write(vim: Vim, key: str, written: Written, times: int) -> Step:
    """To insert mode by one of its keys; any other key does nothing."""
    text, at = written.text, written.cursor
    start, end = start_of_line(text, at), end_of_line(text, at)
    edit: Edit | None = None
    between = ""
    match key:
        case "i":
            cursor = at
        case "a":
            cursor = behind(text, at)
        case "I":
            is_blank = not text[start:end].strip()
            cursor = end if is_blank else first_word(text, at)
        case "A":
            cursor = end
        case "o":
            edit, cursor, between = Edit(end, end, "\n"), end + 1, "\n"
        case "O":
            edit, cursor, between = Edit(start, start, "\n"), start, "\n"
        case _:
            return Step(vim=vim.at_rest())
    now = edit.applied(text) if edit is not None else text
    writing = Writing(now[:cursor], now[cursor:], times, between)
    return Step(vim=replace(vim.at_rest("insert"), writing=writing), edit=edit, cursor=cursor)
