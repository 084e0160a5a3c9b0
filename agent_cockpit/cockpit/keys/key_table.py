"""Every key of the cockpit, in one table: bindings, footer, help screen and `/help` read it.

Law: a key that does something stands here, with the words that a person reads about it.
"""

from __future__ import annotations

from agent_cockpit.cockpit.keys.key import Key, Situation
from agent_cockpit.cockpit.keys.panel_keys import PANEL_KEYS
from agent_cockpit.cockpit.keys.reading_keys import READING_KEYS, copies_lines
from agent_cockpit.cockpit.keys.replay_keys import REPLAY_KEYS
from agent_cockpit.cockpit.keys.writing_keys import WRITING_KEYS


def _typing(now: Situation) -> bool:
    return not now.asking and not now.read_only and not now.reading


def _writing(now: Situation) -> bool:
    return _typing(now) and not now.choosing and not now.is_command


def _offers_demo(now: Situation) -> bool:
    return _typing(now) and now.is_blocked and now.offers_demo


def _goes_on(now: Situation) -> bool:
    return now.offers_to_go_on and not now.has_text


def _is_here(now: Situation) -> bool:
    return not now.read_only


KEYS: tuple[Key, ...] = (
    *REPLAY_KEYS,
    Key(
        id="interrupt",
        keys=("escape",),
        label="esc",
        words="interrupt the goal; in a panel, the safe answer",
        brief="interrupt",
        where="anywhere",
        action="app.interrupt",
        works=lambda now: now.running and not now.read_only,
        shown=lambda now: (now.running or now.shell_runs) and _writing(now) and not now.inserts,
    ),
    Key(
        id="send",
        keys=("enter",),
        label="enter",
        words="send",
        brief="send",
        where="composer",
        action="send",
        listed=False,
        shown=lambda now: (
            _writing(now) and not now.running and not now.is_blocked and not _goes_on(now)
        ),
    ),
    Key(
        id="steer",
        keys=(),
        of="send",
        label="enter",
        words="while a goal runs: join it after the present step",
        brief="steer",
        where="composer",
        shown=lambda now: _writing(now) and now.running and not now.is_blocked,
    ),
    Key(
        id="demo",
        keys=(),
        of="send",
        label="enter",
        words="with no model set and nothing typed: open the demo",
        brief="open the demo",
        where="composer",
        shown=lambda now: _offers_demo(now) and not now.has_text,
    ),
    Key(
        id="go_on",
        keys=(),
        of="send",
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
        works=lambda now: _typing(now) and now.running and now.has_text,
        shown=lambda now: _writing(now) and now.running and now.has_text,
    ),
    Key(
        id="newline",
        keys=("ctrl+j", "shift+enter", "alt+enter"),
        label="ctrl+j",
        words="new line (also shift+enter, alt+enter, and \\ before enter)",
        brief="new line",
        where="composer",
        action="newline",
        listed=False,
        shown=lambda now: _writing(now) and now.has_text and not now.running,
    ),
    Key(
        id="history_back",
        keys=("up",),
        label="↑",
        words="in the first line: the prompt before",
        where="composer",
        action="history_back",
        listed=False,
    ),
    Key(
        id="history_forward",
        keys=("down",),
        label="↓",
        words="in the last line: the prompt after, at last your draft",
        where="composer",
        action="history_forward",
        listed=False,
    ),
    Key(
        id="take_back",
        keys=(),
        label="↑",
        words="with nothing written: take the newest waiting prompt back, to change or drop it",
        brief="take back",
        where="composer",
        of="history_back",
        shown=lambda now: _typing(now) and now.has_queue and not now.has_text,
    ),
    Key(
        id="undo",
        keys=("ctrl+underscore", "ctrl+slash"),
        label="ctrl+_",
        words="undo the last change of the text",
        where="composer",
        action="undo",
        works=lambda now: now.has_text,
    ),
    Key(
        id="redo",
        keys=("alt+underscore",),
        label="alt+_",
        words="redo what was undone in the text",
        where="composer",
        action="redo",
    ),
    Key(
        id="put_back",
        keys=("ctrl+y",),
        label="ctrl+y",
        words="put back what ctrl+k, ctrl+u, ctrl+w or alt+d cut",
        where="composer",
        action="put_back",
    ),
    *WRITING_KEYS,
    Key(
        id="editor",
        keys=("ctrl+g",),
        label="ctrl+g",
        words="write the prompt in $VISUAL or $EDITOR (also ctrl+x ctrl+e)",
        where="composer",
        action="app.edit_outside",
        works=_is_here,
    ),
    Key(
        id="copy_or_quit",
        keys=("ctrl+c", "super+c"),
        label="ctrl+c",
        words="copy what is selected; else interrupt; else, twice, quit",
        brief="again to quit",
        where="anywhere",
        action="app.copy_or_quit",
        listed=False,
        shown=lambda now: now.quit_armed and not copies_lines(now),
    ),
    Key(
        id="quit",
        keys=("ctrl+d",),
        label="ctrl+d",
        words="on an empty prompt: quit",
        where="composer",
        action="delete_or_quit",
        listed=False,
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
        where="composer",
        action="app.cycle_consent",
        works=lambda now: not now.read_only and not now.is_blocked,
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
        works=lambda now: now.has_blocks,
        shown=lambda now: now.has_blocks and not (now.asking or now.has_text or now.reading),
    ),
    Key(
        id="page_up",
        keys=("pageup",),
        label="pgup",
        words="read further up",
        where="anywhere",
        action="app.page(-1)",
        listed=False,
    ),
    Key(
        id="page_down",
        keys=("pagedown",),
        label="pgdn",
        words="read further down, at last follow the end again",
        where="anywhere",
        action="app.page(1)",
        listed=False,
    ),
    Key(
        id="side_panel",
        keys=("ctrl+t",),
        label="ctrl+t",
        words="show or hide the side panel: plan, prompts that wait, what runs, changed files",
        where="anywhere",
        action="app.side_panel",
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
    *READING_KEYS,
    *PANEL_KEYS,
    Key(
        id="palette",
        keys=("ctrl+p",),
        label="ctrl+p",
        words="all that can be done now, found by a few letters",
        brief="all",
        where="anywhere",
        action="app.palette",
        listed=False,
    ),
    Key(
        id="help_here",
        keys=("question_mark",),
        label="?",
        words="on an empty prompt: this page",
        brief="keys",
        where="composer",
        shown=lambda now: _typing(now) and not (now.has_text or now.reading),
        stays=True,
        listed=False,
    ),
    Key(
        id="help",
        keys=("f1",),
        label="f1",
        words="all keys and commands",
        brief="keys",
        where="anywhere",
        action="app.help",
        shown=lambda now: now.asking or now.read_only or bool(now.reading),
    ),
)

PLACES = {
    "composer": "while you type",
    "anywhere": "anywhere",
    "list": "in a list above the prompt",
    "search": "in a search",
    "blocks": "on a block of the transcript",
    "menu": "in the menu of a block",
    "replay": "in a replay",
    "approval": "when a call asks",
    "plan": "on a plan",
    "diff": "on a diff",
    "theme": "in the list of themes",
    "palette": "in the list of all that can be done",
    "page": "on a page to read",
    "writing": "in a field of a panel",
}
"""The parts of the screen that listen, in the order of the help page, with their headings."""

PANELS = {
    "prompt": ("composer", "anywhere"),
    "approval": ("approval", "anywhere"),
    "plan": ("plan", "anywhere"),
    "diff": ("diff", "page", "anywhere"),
    "help": ("page", "anywhere"),
    "theme": ("theme",),
    "palette": ("palette",),
    "search": ("search", "anywhere"),
    "blocks": ("blocks", "anywhere"),
    "menu": ("menu", "anywhere"),
    "replay": ("replay", "blocks", "anywhere"),
    "list": ("list", "anywhere"),
    "field": ("writing",),
}
"""The parts that listen at the same time, the first before the others."""
