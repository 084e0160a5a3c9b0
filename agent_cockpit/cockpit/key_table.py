"""Every key of the cockpit, in one table: bindings, footer, help screen and `/help` read it.

Law: a key that does something stands here, with the words that a person reads about it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What decides which keys work now."""

    running: bool = False
    asking: bool = False
    """A panel waits for an answer, and keys count."""
    has_text: bool = False
    has_queue: bool = False
    has_blocks: bool = False
    read_only: bool = False
    is_blocked: bool = False
    """There is nothing to send a prompt to."""
    offers_demo: bool = False
    offers_to_go_on: bool = False
    """An earlier process was interrupted in a goal of this sitting."""
    quit_armed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One line of the table.

    `keys` are Textual's names, `label` is what a person reads; `where` is the part of the
    screen that listens; `action` is empty where a widget reads the key itself; `shown` says
    when the footer names it (never: only help does), with `brief` in place of `words`.
    """

    id: str
    keys: tuple[str, ...]
    label: str
    words: str
    where: str
    action: str = ""
    brief: str = ""
    shown: Callable[[Situation], bool] | None = None


def _typing(now: Situation) -> bool:
    return not now.asking and not now.read_only


def _offers_demo(now: Situation) -> bool:
    return _typing(now) and now.is_blocked and now.offers_demo


def _goes_on(now: Situation) -> bool:
    return now.offers_to_go_on and not now.has_text


KEYS: tuple[Key, ...] = (
    Key(
        id="interrupt",
        keys=("escape",),
        label="esc",
        words="interrupt the goal; in a panel, the safe answer",
        brief="interrupt",
        where="anywhere",
        action="app.interrupt",
        shown=lambda now: now.running and not now.asking and not now.read_only,
    ),
    Key(
        id="send",
        keys=("enter",),
        label="enter",
        words="send",
        brief="send",
        where="composer",
        action="send",
        shown=lambda now: (
            _typing(now) and not now.running and not now.is_blocked and not _goes_on(now)
        ),
    ),
    Key(
        id="steer",
        keys=(),
        label="enter",
        words="while a goal runs: join it after the present step",
        brief="steer",
        where="composer",
        shown=lambda now: _typing(now) and now.running and not now.is_blocked,
    ),
    Key(
        id="demo",
        keys=(),
        label="enter",
        words="with no model set and nothing typed: open the demo",
        brief="open the demo",
        where="composer",
        shown=lambda now: _offers_demo(now) and not now.has_text,
    ),
    Key(
        id="go_on",
        keys=(),
        label="enter",
        words="with nothing typed, when the sitting had broken off in a goal: go on with it",
        brief="go on",
        where="composer",
        shown=lambda now: _typing(now) and not now.running and not now.is_blocked and _goes_on(now),
    ),
    Key(
        id="follow_up",
        keys=("tab",),
        label="tab",
        words="while a goal runs: queue the prompt for after it",
        brief="queue",
        where="composer",
        action="send_later",
        shown=lambda now: _typing(now) and now.running and now.has_text,
    ),
    Key(
        id="newline",
        keys=("ctrl+j", "shift+enter", "alt+enter"),
        label="ctrl+j",
        words="new line (also shift+enter, alt+enter, and \\ before enter)",
        brief="new line",
        where="composer",
        action="newline",
        shown=lambda now: _typing(now) and now.has_text and not now.running,
    ),
    Key(
        id="history_back",
        keys=("up",),
        label="↑",
        words="in the first line: the prompt before",
        where="composer",
        action="history_back",
    ),
    Key(
        id="history_forward",
        keys=("down",),
        label="↓",
        words="in the last line: the prompt after, at last your draft",
        where="composer",
        action="history_forward",
    ),
    Key(
        id="take_back",
        keys=("alt+up",),
        label="alt+↑",
        words="take waiting prompts back into the composer",
        brief="take back",
        where="composer",
        action="app.take_back",
        shown=lambda now: _typing(now) and now.has_queue,
    ),
    Key(
        id="undo",
        keys=("ctrl+underscore", "ctrl+slash"),
        label="ctrl+_",
        words="undo the last change of the text",
        where="composer",
        action="undo",
    ),
    Key(
        id="editor",
        keys=("ctrl+g",),
        label="ctrl+g",
        words="write the prompt in $VISUAL or $EDITOR",
        where="composer",
        action="app.edit_outside",
    ),
    Key(
        id="copy_or_quit",
        keys=("ctrl+c", "super+c"),
        label="ctrl+c",
        words="copy what is selected; else interrupt; else, twice, quit",
        brief="again to quit",
        where="anywhere",
        action="app.copy_or_quit",
        shown=lambda now: now.quit_armed,
    ),
    Key(
        id="quit",
        keys=("ctrl+d",),
        label="ctrl+d",
        words="on an empty prompt: quit",
        where="composer",
        action="delete_or_quit",
    ),
    Key(
        id="quit_now",
        keys=("ctrl+q",),
        label="ctrl+q",
        words="quit; twice while a goal runs",
        brief="quit",
        where="anywhere",
        action="app.leave",
        shown=lambda now: now.read_only,
    ),
    Key(
        id="cycle",
        keys=("shift+tab",),
        label="⇧tab",
        words="next way of consent: ask, accept edits, plan",
        brief="mode",
        where="anywhere",
        action="app.cycle_consent",
        shown=lambda now: _typing(now) and not now.is_blocked,
    ),
    Key(
        id="fold",
        keys=("ctrl+o",),
        label="ctrl+o",
        words="unfold or fold all calls",
        brief="fold",
        where="anywhere",
        action="app.fold",
        shown=lambda now: now.has_blocks and not now.asking and not now.has_text,
    ),
    Key(
        id="page_up",
        keys=("pageup",),
        label="pgup",
        words="read further up",
        where="anywhere",
        action="app.page(-1)",
    ),
    Key(
        id="page_down",
        keys=("pagedown",),
        label="pgdn",
        words="read further down, at last follow the end again",
        where="anywhere",
        action="app.page(1)",
    ),
    Key(
        id="redraw",
        keys=("ctrl+l",),
        label="ctrl+l",
        words="draw the screen anew",
        where="anywhere",
        action="app.redraw",
    ),
    Key(
        id="suspend",
        keys=("ctrl+z",),
        label="ctrl+z",
        words="put the cockpit to sleep; `fg` brings it back",
        where="anywhere",
        action="app.suspend_process",
    ),
    Key(
        id="help",
        keys=("f1",),
        label="?",
        words="this page (? on an empty prompt, F1 everywhere)",
        brief="keys",
        where="anywhere",
        action="app.help",
        shown=lambda now: not now.asking and not now.has_text,
    ),
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

PLACES = {
    "composer": "while you type",
    "anywhere": "anywhere",
    "approval": "when a call asks",
    "plan": "on a plan",
    "diff": "on a diff",
}
"""The parts of the screen that listen, in the order of the help page, with their headings."""
