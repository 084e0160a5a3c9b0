"""What vim's keys do to a text: from state, key and text to the next state and one step.

Law: values only. A text is changed by no more than one edit a key, and whoever asked carries
it out. What was changed can be undone, whoever changed it.
"""

from __future__ import annotations

from dataclasses import replace

from agent_cockpit.cockpit.vim.commands import VISUAL, command
from agent_cockpit.cockpit.vim.motions import (
    before,
    end_of_line,
    first_word,
    on_character,
    start_of_line,
)
from agent_cockpit.cockpit.vim.operators import whole
from agent_cockpit.cockpit.vim.state import (
    MOST_TIMES,
    Change,
    Edit,
    Moment,
    Step,
    Vim,
    Written,
    Wrote,
    difference,
)
from agent_cockpit.cockpit.vim.visual import selected


def press(vim: Vim, key: str, written: Written) -> Step:
    """One key: a character, or Textual's name of another key."""
    if vim.mode == "insert":
        return _write_no_more(vim, written) if key == "escape" else Step(vim=vim, taken=False)
    if vim.seen != written.text:
        vim = _with_what_came(vim, written.text)
    is_fresh = vim.mode == "normal" and not (vim.operator or vim.begun)
    if is_fresh and key in ("u", "ctrl+r"):
        step = _travel(vim, written, vim.counted or 1, is_back=key == "u")
    elif is_fresh and key == ".":
        step = _repeat(vim, written)
    else:
        step = _remembered(vim, key, written, command(vim, key, written))
    return replace(step, vim=replace(step.vim, seen=step.applied(written).text))


def _with_what_came(vim: Vim, text: str) -> Vim:
    """Something else changed the text: that can be undone, and nothing is selected any more."""
    there = difference(vim.seen, text)
    vim = vim.knows(Moment(vim.seen, there.start if there else 0))
    return vim.at_rest("normal") if vim.is_visual else vim


def _remembered(vim: Vim, key: str, written: Written, step: Step) -> Step:
    """The step of a command, for undoing and repeating it when it is whole."""
    after = step.vim
    if not step.taken:
        return step
    if after.is_pending:
        is_count = len(after.count) > len(vim.count)
        keys = vim.keys if is_count else (*vim.keys, key)
        return replace(step, vim=replace(after, keys=keys))
    if step.edit is not None or after.mode == "insert":
        after = after.knows(Moment(written.text, _place_of_change(vim, step, key, written)))
        if not vim.is_visual:
            after = replace(after, change=Change((*vim.keys, key), vim.counted_all))
    return replace(step, vim=after)


def _place_of_change(vim: Vim, step: Step, key: str, written: Written) -> int:
    """Where the cursor comes to when this change is undone."""
    text, edit = written.text, step.edit
    if edit is None:
        return written.cursor if step.cursor is None else step.cursor
    if vim.is_visual:
        return selected(vim, written).start
    if key == "J" or edit.start == edit.end:
        return written.cursor
    is_last_line = edit.end == len(text) and text[edit.start] == "\n" and not edit.text
    start = edit.start + is_last_line
    is_whole = start == start_of_line(text, start) and edit.end >= end_of_line(text, start)
    return first_word(text, start) if is_whole else min(start, written.cursor)


def _write_no_more(vim: Vim, written: Written) -> Step:
    """Back to normal mode; what was typed is put as often as was wanted."""
    text, cursor = written.text, written.cursor
    edit: Edit | None = None
    after = replace(vim.at_rest("normal"), writing=None)
    if (writing := vim.writing) is None:
        if vim.seen != text:
            after = _with_what_came(after, text)
    else:
        wrote = writing.wrote(text)
        if writing.times > 1 and (more := writing.between + wrote.text):
            edit = Edit(cursor, cursor, more * (writing.times - 1))
            text, cursor = edit.applied(text), cursor + len(edit.text)
        change = after.change and replace(after.change, wrote=wrote)
        after = replace(after, change=change)
        if after.past and after.past[-1].text == text:
            after = replace(after, past=after.past[:-1])
    return Step(vim=replace(after, seen=text), edit=edit, cursor=before(text, cursor))


def _repeat(vim: Vim, written: Written) -> Step:
    """Do the last change again, here, with its count or the one that is typed now."""
    change = vim.change
    if change is None:
        return Step(vim=vim.at_rest())
    is_visual = change.keys[0] in VISUAL
    times = change.times if vim.counted is None or is_visual else vim.counted
    state, here = vim.at_rest(), written
    for key in (*(str(times) if times is not None else ""), *change.keys):
        step = command(state, key, here)
        state, here = step.vim, step.applied(here)
    if state.mode == "insert":
        back, more = change.wrote or Wrote(0, "")
        start, end = whole(here, max(0, here.cursor - back), here.cursor)
        typed = Step(vim=state, edit=Edit(start, end, more), cursor=start + len(more))
        here = typed.applied(here)
        step = _write_no_more(state, here)
        state, here = step.vim, step.applied(here)
    after = replace(
        state.at_rest("normal"),
        change=replace(change, times=times),
        past=vim.past,
        future=vim.future,
    )
    edit = difference(written.text, here.text)
    if edit is not None:
        place = Step(vim=after, edit=edit)
        after = after.knows(Moment(written.text, _place_of_change(vim, place, ".", written)))
    return Step(vim=after, edit=edit, cursor=here.cursor)


def _travel(vim: Vim, written: Written, times: int, *, is_back: bool) -> Step:
    """Undo changes, or redo what was undone."""
    text, cursor = written.text, written.cursor
    source, target = (vim.past, vim.future) if is_back else (vim.future, vim.past)
    for _ in range(min(times, len(source), MOST_TIMES)):
        moment, source = source[-1], source[:-1]
        target = (*target, Moment(text, moment.cursor))
        text, cursor = moment
    past, future = (source, target) if is_back else (target, source)
    after = replace(vim.at_rest(), past=past, future=future)
    return Step(vim=after, edit=difference(written.text, text), cursor=on_character(text, cursor))
