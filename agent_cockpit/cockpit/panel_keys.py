"""The keys of the panel and of the screens that take a decision; part of the table of keys."""

from __future__ import annotations

from collections.abc import Callable

from agent_cockpit.cockpit.key import Key, Situation

_DIGITS = ("1", "2", "3", "4", "5", "6", "7", "8", "9")


def _reading(
    where: str, prefix: str, what: str, more: Callable[[Situation], bool] | None = None
) -> tuple[Key, ...]:
    """The six keys that move through something that is read; the footer names the first two
    while there is `more`."""
    ways = {
        "up": ("↑", what),
        "down": ("↓", what),
        "pageup": ("pgup", "a page up or down"),
        "pagedown": ("pgdn", "a page up or down"),
        "home": ("home", "to the beginning or the end"),
        "end": ("end", "to the beginning or the end"),
    }
    return tuple(
        Key(
            id=f"{prefix}_{name}",
            keys=(name,),
            label=label,
            words=words,
            where=where,
            action=f"read('{name}')",
            brief="read on",
            shown=more if name in ("up", "down") else None,
        )
        for name, (label, words) in ways.items()
    )


_APPROVAL = (
    Key(
        id="allow",
        keys=("y",),
        label="y",
        words="allow this call, once",
        where="approval",
        consents=True,
    ),
    Key(
        id="always",
        keys=("a",),
        label="a",
        words="allow this and all that the panel spells out",
        where="approval",
        consents=True,
    ),
    Key(
        id="narrower",
        keys=("left",),
        label="←",
        words="make what a allows narrower or wider; in other questions choose an answer",
        brief="scope",
        where="approval",
        shown=lambda now: now.asking and now.can_widen,
    ),
    Key(
        id="wider",
        keys=("right",),
        label="→",
        words="make what a allows narrower or wider; in other questions choose an answer",
        brief="scope",
        where="approval",
        shown=lambda now: now.asking and now.can_widen,
    ),
    Key(
        id="edit_call",
        keys=("e",),
        label="e",
        words="change the call; it is judged anew and shown before it may run",
        where="approval",
    ),
    Key(id="deny", keys=("n", "escape"), label="n", words="no (also esc)", where="approval"),
    Key(
        id="refuse",
        keys=("r",),
        label="r",
        words="no, with a reason that the model reads",
        where="approval",
    ),
    Key(
        id="whole",
        keys=("v",),
        label="v",
        words="all of the screen: parts, reasons, and every argument letter for letter",
        where="approval",
    ),
    Key(
        id="list_calls",
        keys=("l",),
        label="l",
        words="all calls that wait, to allow some of them: space marks, y allows",
        where="approval",
    ),
    Key(
        id="hunk",
        keys=("space",),
        label="space",
        words="drop the marked hunk of an edit, or keep it again",
        where="approval",
    ),
    Key(
        id="hunk_before",
        keys=("left_square_bracket",),
        label="[",
        words="mark the hunk before, or the next one",
        where="approval",
    ),
    Key(
        id="hunk_after",
        keys=("right_square_bracket",),
        label="]",
        words="mark the hunk before, or the next one",
        where="approval",
    ),
    Key(
        id="number",
        keys=_DIGITS,
        label="1-9",
        words="choose the answer at this place; enter gives it",
        where="approval",
        stays=True,
    ),
    Key(
        id="give",
        keys=("enter",),
        label="enter",
        words="give the answer that was chosen; nothing where none was",
        where="approval",
        stays=True,
    ),
    *_reading("approval", "call", "read the call further", lambda now: now.can_read_on),
)

_PLAN = (
    Key(
        id="plan_approve",
        keys=("a",),
        label="a",
        words="approve: the plan becomes the goal's constraint",
        where="plan",
        consents=True,
    ),
    Key(
        id="plan_accept",
        keys=("A",),
        label="A",
        words="approve, and let edits run unasked for the rest of this sitting",
        where="plan",
        consents=True,
    ),
    Key(
        id="plan_revise",
        keys=("r",),
        label="r",
        words="ask for another version, with a note and all notes on lines; enter sends them",
        where="plan",
    ),
    Key(
        id="plan_comment",
        keys=("c",),
        label="c",
        words="write a note on the marked line (also a double click on a line)",
        where="plan",
    ),
    Key(id="plan_edit", keys=("e",), label="e", words="change the plan's text", where="plan"),
    Key(
        id="plan_edit_outside",
        keys=("ctrl+g",),
        label="ctrl+g",
        words="change the plan's text in $VISUAL or $EDITOR",
        where="plan",
    ),
    Key(
        id="plan_compare",
        keys=("d",),
        label="d",
        words="what changed: since each earlier version, and by your own hand",
        where="plan",
    ),
    *_reading("plan", "plan", "mark another line"),
    Key(id="plan_before", keys=("left",), label="←", words="choose an answer", where="plan"),
    Key(id="plan_after", keys=("right",), label="→", words="choose an answer", where="plan"),
    Key(
        id="plan_number",
        keys=_DIGITS,
        label="1-9",
        words="choose the answer at this place; enter gives it",
        where="plan",
        stays=True,
    ),
    Key(
        id="plan_give",
        keys=("enter",),
        label="enter",
        words="give the answer that was chosen; nothing where none was",
        where="plan",
        stays=True,
    ),
    Key(
        id="plan_leave",
        keys=("escape",),
        label="esc",
        words="leave the plan; nothing is built",
        where="plan",
    ),
)

_PAGES = (
    Key(id="diff_next", keys=("n",), label="n", words="next file", where="diff", action="file(1)"),
    Key(
        id="diff_previous",
        keys=("p",),
        label="p",
        words="file before",
        where="diff",
        action="file(-1)",
    ),
    *(
        Key(
            id=f"diff_file_{number}",
            keys=(number,),
            label=number,
            words="the file at this place",
            where="diff",
            action=f"file_at({number})",
            stays=True,
        )
        for number in _DIGITS
    ),
    Key(
        id="diff_left",
        keys=("left",),
        label="←",
        words="read long lines further",
        where="diff",
        action="sideways(-1)",
    ),
    Key(
        id="diff_right",
        keys=("right",),
        label="→",
        words="read long lines further",
        where="diff",
        action="sideways(1)",
    ),
    *_reading("page", "read", "read further"),
    Key(
        id="page_close",
        keys=("escape", "q", "enter"),
        label="esc",
        words="close (also q, enter)",
        where="page",
        action="close",
    ),
)

_THEME = (
    Key(
        id="theme_try",
        keys=("up", "down"),
        label="↑↓",
        words="show the next one",
        where="theme",
        stays=True,
    ),
    Key(
        id="theme_keep",
        keys=("enter",),
        label="enter",
        words="keep it",
        where="theme",
        stays=True,
    ),
    Key(
        id="theme_restore",
        keys=("escape", "q", "ctrl+c"),
        label="esc",
        words="go back to the one before",
        where="theme",
        action="restore",
    ),
)

_WRITING = (
    Key(
        id="note_give",
        keys=("enter",),
        label="enter",
        words="give what is written; in a text of many lines a new line",
        where="writing",
        action="give",
    ),
    Key(
        id="note_hand_over",
        keys=("ctrl+s",),
        label="ctrl+s",
        words="give what is written, also a text of many lines",
        where="writing",
        action="hand_over",
    ),
    Key(
        id="note_newline",
        keys=("ctrl+j", "shift+enter", "alt+enter"),
        label="ctrl+j",
        words="new line",
        where="writing",
        action="newline",
    ),
    Key(
        id="note_leave",
        keys=("escape",),
        label="esc",
        words="back to the panel; what is written of a plan's text stays",
        where="writing",
        action="leave",
    ),
)

PANEL_KEYS: tuple[Key, ...] = (*_APPROVAL, *_PLAN, *_PAGES, *_THEME, *_WRITING)
