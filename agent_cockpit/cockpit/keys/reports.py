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
)


def without_reports(typed: str) -> str:
    """The same input but for the answers that are whole in it."""
    return _REPORTS.sub("", typed) if "\x1b" in typed else typed
