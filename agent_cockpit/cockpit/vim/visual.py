"""Vim's visual modes: what is selected, and what keys do to it."""

from __future__ import annotations

from dataclasses import replace

from agent_cockpit.cockpit.vim.motions import (
    behind,
    end_of_line,
    on_character,
    start_of_line,
)
from agent_cockpit.cockpit.vim.objects import object_at
from agent_cockpit.cockpit.vim.operators import (
    join,
    operate,
    put_over,
    replace_all,
)
from agent_cockpit.cockpit.vim.state import Change, Mode, Span, Step, Vim, Written

_SHORT = {"x": "d", "delete": "d", "s": "c"}
_ON_LINES = {"D": "d", "X": "d", "Y": "y", "C": "c", "S": "c", "R": "c"}
"""Keys that take the whole lines whatever is selected."""


def selected(vim: Vim, written: Written) -> Span:
    """What is selected: from the anchor to the cursor, both included."""
    text, ends = written.text, sorted((min(vim.anchor, len(written.text)), written.cursor))
    if vim.mode == "visual line":
        return Span(start_of_line(text, ends[0]), end_of_line(text, ends[1]), True)
    end = behind(text, ends[1])
    is_line_end = end == ends[1] and end < len(text)
    return Span(ends[0], end + is_line_end)


def press_visual(vim: Vim, key: str, written: Written) -> Step | None:
    """What a key does to what is selected; None where it is a motion, or nothing here."""
    text, at = written.text, written.cursor
    if vim.begun == "r":
        return _done(
            vim, ("r", key), written, replace_all(vim, key, written, selected(vim, written))
        )
    if vim.begun in ("i", "a"):
        return _object(vim, key, written)
    if vim.begun:
        return None
    modes: dict[str, Mode] = {"v": "visual", "V": "visual line"}
    if key in modes:
        mode: Mode = "normal" if vim.mode == modes[key] else modes[key]
        return Step(vim=vim.at_rest(mode), cursor=on_character(text, at))
    if key in "ia" or key == "r":
        return Step(vim=replace(vim, begun=key))
    if key in "oO":
        return Step(vim=replace(vim.at_rest(), anchor=at), cursor=min(vim.anchor, len(text)))
    times = vim.counted or 1
    span = selected(vim, written)
    if key in ("p", "P"):
        return _done(vim, (key,), written, put_over(vim, written, span, times))
    if key == "J":
        lines = text.count("\n", span.start, max(vim.anchor, at)) + 1
        return _done(vim, (key,), written, join(vim, written, span.start, lines))
    if key in _ON_LINES:
        vim = replace(vim, mode="visual line")
        span = selected(vim, written)
    operator = _ON_LINES.get(key) or _SHORT.get(key, key)
    if operator not in "dcy<>~uU":
        return None
    here = at if at < vim.anchor else None
    step = operate(vim, operator, written, span, times=times, here=here)
    counted = tuple(vim.count) if operator in "<>" else ()
    return _done(vim, (*counted, operator), written, step)


def _object(vim: Vim, name: str, written: Written) -> Step:
    """Select a text object."""
    found = object_at(written.text, written.cursor, vim.counted or 1, vim.begun, name)
    if found is None or found.start == found.end:
        return Step(vim=vim.at_rest())
    mode: Mode = "visual line" if found.lines else vim.mode if name == "p" else "visual"
    last = found.end if found.lines else found.end - 1
    last = on_character(written.text, max(found.start, last))
    return Step(vim=replace(vim.at_rest(mode), anchor=found.start), cursor=last)


def _done(vim: Vim, keys: tuple[str, ...], written: Written, step: Step) -> Step:
    """The step, and how `.` does the same to as much text again."""
    if step.edit is None and step.vim.mode != "insert":
        return step
    text, span = written.text, selected(vim, written)
    down = text.count("\n", span.start, max(vim.anchor, written.cursor))
    if span.lines:
        over = ("V", *(f"{down}j" if down else ""))
    elif down:
        last = written.cursor if written.cursor > vim.anchor else vim.anchor
        column = last - start_of_line(text, last)
        over = ("v", *f"{down}j0", *(f"{column}l" if column else ""))
    else:
        further = len(text[span.start : span.end]) - 1
        over = ("v", *(f"{further}l" if further else ""))
    return replace(step, vim=replace(step.vim, change=Change((*over, *keys))))
