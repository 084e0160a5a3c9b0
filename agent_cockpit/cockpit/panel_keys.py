"""The keys of the panel and of the screens that take a decision; part of the table of keys."""

from __future__ import annotations

from agent_cockpit.cockpit.key import Key

PANEL_KEYS: tuple[Key, ...] = (
    Key(id="allow", keys=("y",), label="y", words="allow this call, once", where="approval"),
    Key(
        id="always",
        keys=("a",),
        label="a",
        words="allow this and all that the panel spells out",
        where="approval",
    ),
    Key(
        id="widen",
        keys=("left", "right", "enter"),
        label="←→",
        words="make what a allows narrower or wider; in other questions choose, enter gives it",
        brief="scope",
        where="approval",
        shown=lambda now: now.asking,
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
        id="hunk",
        keys=("space",),
        label="space",
        words="drop the marked hunk of an edit, or keep it again",
        where="approval",
    ),
    Key(
        id="next_hunk",
        keys=("left_square_bracket", "right_square_bracket"),
        label="[ ]",
        words="mark the hunk before, or the next one",
        where="approval",
    ),
    Key(
        id="scroll",
        keys=("up", "down", "pageup", "pagedown", "home", "end"),
        label="↑↓",
        words="read the call further",
        brief="read on",
        where="approval",
        shown=lambda now: now.asking,
    ),
    Key(
        id="plan_approve",
        keys=("a",),
        label="a",
        words="approve: the plan becomes the goal's constraint",
        where="plan",
    ),
    Key(
        id="plan_revise",
        keys=("r",),
        label="r",
        words="ask for another version, with a note; enter sends it",
        where="plan",
    ),
    Key(id="plan_edit", keys=("e",), label="e", words="change the plan's text", where="plan"),
    Key(
        id="plan_leave",
        keys=("escape",),
        label="esc",
        words="leave the plan; nothing is built",
        where="plan",
    ),
    Key(id="diff_next", keys=("n",), label="n", words="next file", where="diff"),
    Key(id="diff_previous", keys=("p",), label="p", words="file before", where="diff"),
    Key(id="diff_close", keys=("escape", "q"), label="esc", words="close", where="diff"),
)
