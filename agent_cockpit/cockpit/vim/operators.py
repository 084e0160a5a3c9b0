"""What vim's operators do to a span of a text: cut, change, copy, put, shift, join, other case."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from agent_cockpit.cockpit.look.cells import start_of_character
from agent_cockpit.cockpit.vim.motions import (
    behind,
    end_of_line,
    first_word,
    on_character,
    start_of_line,
)
from agent_cockpit.cockpit.vim.state import Edit, Span, Step, Vim, Writing, Written

MOST_PUT_CHARS = 10_000
"""A count puts no more than this at once, unless once is more."""
SHIFT_CELLS = 4
_TAB_CELLS = 8


def operate(
    vim: Vim,
    operator: str,
    written: Written,
    span: Span,
    *,
    times: int = 1,
    here: int | None = None,
) -> Step:
    """Do what an operator does to a span; `times` is how far `<` and `>` shift, `here` where the
    cursor stands after lines were copied, if not at their start."""
    if operator in "<>":
        return _shift(vim, operator, written, span, times)
    if operator in "~uU":
        return _other_case(vim, operator, written, span)
    if span.lines:
        return _on_lines(vim, operator, written, span, here)
    return _on(vim, operator, written, span)


def whole(written: Written, start: int, end: int) -> tuple[int, int]:
    """The span, widened over what is only cut as one."""
    for first, last in written.wholes:
        if start < end and first < start < last:
            start = first
        if start < end and first < end < last:
            end = last
    return start, end


def put(vim: Vim, key: str, written: Written, times: int) -> Step:
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
        return Step(vim=after, edit=edit, cursor=first_word(edit.applied(text), begun))
    place = behind(text, at) if key == "p" else at
    for first, last in written.wholes:
        if first < place < last:
            place = last
    more = held * times
    cursor = place if "\n" in more else place + start_of_character(more, len(more))
    return Step(vim=after, edit=Edit(place, place, more), cursor=cursor)


def put_over(vim: Vim, written: Written, span: Span, times: int) -> Step:
    """Put what was cut or copied last in the place of a span, which is held from then on."""
    text, held = written.text, vim.register
    start, end = whole(written, span.start, span.end)
    after = replace(vim.at_rest("normal"), register=text[start:end], holds_lines=span.lines)
    times = min(times, max(1, MOST_PUT_CHARS // (len(held) + 1)))
    if vim.holds_lines:
        lines = "\n".join([held] * times)
        more = lines if span.lines else f"\n{lines}\n"
        begun = start if span.lines else start + 1
    else:
        more, begun = held * times, start
    edit = Edit(start, end, more)
    now = edit.applied(text)
    if vim.holds_lines or span.lines:
        return Step(vim=after, edit=edit, cursor=first_word(now, begun))
    last = start_of_character(more, len(more)) if more and "\n" not in more else 0
    return Step(vim=after, edit=edit, cursor=on_character(now, start + last))


def replace_characters(vim: Vim, char: str, written: Written, times: int) -> Step:
    """Write this in the place of so many characters of the line; fewer are left as they are."""
    text, at = written.text, on_character(written.text, written.cursor)
    end = at
    for _ in range(times):
        if end == end_of_line(text, end):
            return Step(vim=vim.at_rest())
        end = behind(text, end)
    start, end = whole(written, at, end)
    more = char if char == "\n" else char * times
    edit = Edit(start, end, more)
    cursor = start + len(more) - (char != "\n") * len(char)
    return Step(vim=vim.at_rest(), edit=edit, cursor=on_character(edit.applied(text), cursor))


def replace_all(vim: Vim, char: str, written: Written, span: Span) -> Step:
    """Write this in the place of every character of a span, its line ends left out."""
    start, end = whole(written, span.start, span.end)
    parts, at = [], start
    while at < end:
        is_end = written.text[at] == "\n"
        parts.append("\n" if is_end else char)
        at = at + 1 if is_end else behind(written.text, at)
    edit = Edit(start, end, "".join(parts))
    return Step(vim=vim.at_rest("normal"), edit=edit, cursor=start)


def join(vim: Vim, written: Written, start: int, lines: int) -> Step:
    """Make one line of so many, at least two, with one space between where that is wanted."""
    text = written.text
    begun, end, cursor = start_of_line(text, start), end_of_line(text, start), start
    line = text[begun:end]
    for _ in range(max(2, lines) - 1):
        if end == len(text):
            break
        following = text[end + 1 : end_of_line(text, end + 1)]
        end += 1 + len(following)
        rest = following.lstrip(" \t")
        gap = " " if rest and line and not line.endswith((" ", "\t")) and rest[0] != ")" else ""
        cursor = begun + len(line)
        line += gap + rest
    edit = Edit(begun, end, line)
    if edit.applied(text) == text:
        return Step(vim=vim.at_rest("normal"))
    cursor = on_character(edit.applied(text), cursor)
    return Step(vim=vim.at_rest("normal"), edit=edit, cursor=cursor)


def toggle_case(vim: Vim, written: Written, times: int) -> Step:
    """Small letters great and great ones small, from the cursor on within the line."""
    text, at = written.text, on_character(written.text, written.cursor)
    end = at
    for _ in range(times):
        end = behind(text, end)
    edit = Edit(at, end, _cased(written, at, end, str.swapcase))
    is_change = at < end and edit.text != text[at:end]
    cursor = on_character(text, min(end, at + len(edit.text)))
    return Step(vim=vim.at_rest(), edit=edit if is_change else None, cursor=cursor)


def _on(vim: Vim, operator: str, written: Written, span: Span) -> Step:
    """Cut, change or copy characters."""
    text = written.text
    start, end = whole(written, span.start, span.end)
    after = vim.at_rest("insert" if operator == "c" else "normal")
    if start < end:
        after = replace(after, register=text[start:end], holds_lines=False)
    if operator == "y":
        return Step(vim=after, cursor=on_character(text, start))
    edit = Edit(start, end)
    left = edit.applied(text)
    if operator == "c":
        after = replace(after, writing=Writing(left[:start], left[start:]))
    cursor = start if operator == "c" else on_character(left, start)
    return Step(vim=after, edit=edit if start < end else None, cursor=cursor)


def _on_lines(vim: Vim, operator: str, written: Written, span: Span, here: int | None) -> Step:
    """Cut, change or copy whole lines."""
    text = written.text
    start, end = span.start, span.end
    after = replace(vim.at_rest("normal"), register=text[start:end], holds_lines=True)
    if operator == "y":
        return Step(vim=after, cursor=start if here is None else on_character(text, here))
    if operator == "d" and not text:
        return Step(vim=vim.at_rest("normal"))
    if operator == "c":
        left = text[:start] + text[end:]
        after = replace(after, mode="insert", writing=Writing(left[:start], left[start:]))
        return Step(vim=after, edit=Edit(start, end) if start < end else None, cursor=start)
    edit = Edit(start, end + 1) if end < len(text) else Edit(max(0, start - 1), end)
    left = edit.applied(text)
    return Step(vim=after, edit=edit, cursor=first_word(left, min(start, len(left))))


def _shift(vim: Vim, operator: str, written: Written, span: Span, times: int) -> Step:
    """Lines further right or left by so many shifts; empty ones stay empty."""
    start = start_of_line(written.text, span.start)
    end = end_of_line(written.text, span.end if span.lines else max(start, span.end - 1))
    cells = SHIFT_CELLS * times if operator == ">" else -SHIFT_CELLS * times
    lines = written.text[start:end].split("\n")
    shifted = "\n".join(_indented(line, cells) for line in lines)
    edit = Edit(start, end, shifted)
    cursor = first_word(edit.applied(written.text), start)
    is_change = shifted != written.text[start:end]
    return Step(vim=vim.at_rest("normal"), edit=edit if is_change else None, cursor=cursor)


def _indented(line: str, cells: int) -> str:
    words = line.lstrip(" \t")
    lead = len(line[: len(line) - len(words)].expandtabs(_TAB_CELLS))
    return " " * max(0, lead + cells) + words if line else ""


def _other_case(vim: Vim, operator: str, written: Written, span: Span) -> Step:
    before = written.text[span.start : span.end]
    how = {"~": str.swapcase, "u": str.lower, "U": str.upper}[operator]
    cased = _cased(written, span.start, span.end, how)
    edit = Edit(span.start, span.end, cased) if cased != before else None
    cursor = first_word(written.text, span.start) if span.lines else span.start
    return Step(vim=vim.at_rest("normal"), edit=edit, cursor=cursor)


def _cased(written: Written, start: int, end: int, how: Callable[[str], str]) -> str:
    """A part of the text in another case, but for what is only cut as one: it would not be that
    any more."""
    text, parts, at = written.text, [], start
    for first, last in written.wholes:
        if at < last and first < end:
            begun, ended = max(at, first), min(last, end)
            parts += [how(text[at:begun]), text[begun:ended]]
            at = ended
    return "".join([*parts, how(text[at:end])])
