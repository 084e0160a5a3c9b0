"""What a terminal tells about itself is no key.

An answer may come late, or to a program that ran before: a shell, an editor, ssh. Textual's parser
knows few of them and types the others, letter by letter, into what has the keyboard.
"""

from __future__ import annotations

import re

_REPORTS = re.compile(
    r"\x1b\[[?>=][\d;:]*c"  # what it is: DA1, DA2, DA3
    r"|\x1b\[\??[\d;]*n"  # its state, its colour scheme
    r"|\x1b\[\?\d*u"  # the keyboard protocol in force
    r"|\x1b\[(?!48;)\d+(?:;\d+)*t"  # its size; 48 tells of a resize, and is read
    r"|\x1b\]\d+;[^\x07\x1b]*(?:\x07|\x1b\\)"  # colours, the clipboard
    r"|\x1bP[\d>!][^\x1b]*\x1b\\"  # its name, its abilities
    r"|\x1b_G[^\x1b]*\x1b\\"  # pictures
    r"|\x1b\[[?>=<]?[\d;:]+\$?(?=\x1b)"  # numbers that another sequence broke off
    r"|\x1b(?:\]\d|P[\d>!]|_G)[^\x07\x1b]*(?=\x1b(?!\\))"  # and texts
)
_BEGUN = re.compile(
    r"\x1b(?:"
    r"|\[[?>=<]?[\d;:]*\$?"  # keys, mouse, reports of numbers, the beginning of a paste
    r"|\](?:\d[^\x07\x1b]*\x1b?)?"
    r"|P(?:[\d>!][^\x1b]*\x1b?)?"
    r"|_(?:G[^\x1b]*\x1b?)?"
    r")\Z"
)
LONGEST_KEY = 2
"""So many characters of what is begun may be all of a key: Esc, and one with alt."""


def begun_at_end(typed: str) -> str:
    """What the input ends with that more may belong to."""
    found = _BEGUN.search(typed) if "\x1b" in typed else None
    return found[0] if found else ""


def without_reports(typed: str) -> str:
    """The same input but for the answers that are whole in it."""
    return _REPORTS.sub("", typed) if "\x1b" in typed else typed
