"""The keys of what is read, listed or written in a panel; part of the table of keys."""

from __future__ import annotations

from collections.abc import Callable

from agent_cockpit.cockpit.keys.key import Key, Situation

DIGITS = ("1", "2", "3", "4", "5", "6", "7", "8", "9")


def reading(
    where: str, prefix: str, what: str, more: Callable[[Situation], bool] | None = None
) -> tuple[Key, ...]:
    """The keys that move through something that is read and select in it; the footer names the
    first two while there is `more`."""
    ways = {
        "up": ("↑", what),
        "down": ("↓", what),
        "pageup": ("pgup", "a page up or down"),
        "pagedown": ("pgdn", "a page up or down"),
        "home": ("home", "to the beginning or the end"),
        "end": ("end", "to the beginning or the end"),
    }
    selecting = tuple(
        Key(
            id=f"{prefix}_select_{name}",
            keys=(f"shift+{name}",),
            label=label,
            words=f"select the line {which} as well{more_words}",
            where=where,
            action=f"select_line({step})",
        )
        for name, label, which, step, more_words in (
            ("up", "⇧↑", "before", -1, "; ctrl+c copies what is selected"),
            ("down", "⇧↓", "after", 1, ""),
        )
    )
    moving = tuple(
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
    return (*moving, *selecting)


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
        for number in DIGITS
    ),
    Key(
        id="diff_hunk_before",
        keys=("left_square_bracket",),
        label="[",
        words="the hunk or file before, or the next one",
        where="diff",
        action="hunk(-1)",
    ),
    Key(
        id="diff_hunk_next",
        keys=("right_square_bracket",),
        label="]",
        words="the hunk or file before, or the next one",
        where="diff",
        action="hunk(1)",
    ),
    Key(
        id="diff_fold",
        keys=("space",),
        label="space",
        words="fold the hunk or file that is pointed at, or unfold it (also a click on it)",
        where="diff",
        action="fold",
    ),
    Key(
        id="diff_fold_all",
        keys=("ctrl+o",),
        label="ctrl+o",
        words="fold all files, or unfold everything",
        where="diff",
        action="fold_all",
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
    *reading("page", "read", "read further"),
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

_PALETTE = (
    Key(
        id="palette_up",
        keys=("up",),
        label="↑",
        words="another line; letters look for one",
        where="palette",
        action="screen.walk(-1)",
    ),
    Key(
        id="palette_down",
        keys=("down",),
        label="↓",
        words="another line; letters look for one",
        where="palette",
        action="screen.walk(1)",
    ),
    Key(
        id="palette_pageup",
        keys=("pageup",),
        label="pgup",
        words="a page up or down",
        where="palette",
        action="screen.page(-1)",
    ),
    Key(
        id="palette_pagedown",
        keys=("pagedown",),
        label="pgdn",
        words="a page up or down",
        where="palette",
        action="screen.page(1)",
    ),
    Key(
        id="palette_run",
        keys=("enter",),
        label="enter",
        words="do it",
        where="palette",
        action="screen.choose",
    ),
    Key(
        id="palette_leave",
        keys=("escape",),
        label="esc",
        words="close it, and do nothing",
        where="palette",
        action="screen.leave",
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

PAGE_KEYS: tuple[Key, ...] = (*_PAGES, *_THEME, *_PALETTE, *_WRITING)
