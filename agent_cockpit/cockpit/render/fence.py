"""Where a code block of Markdown begins and ends, told without parsing it: it may be long."""

from __future__ import annotations

import re
from typing import NamedTuple

from agent_cockpit.text import clean_line

_HEAD = re.compile(r" {0,3}(`{3,}(?![^\n]*`)|~{3,})([^\n]*)\n")
_BLANK_END = re.compile(r"^[ \t]+\Z", re.MULTILINE)
"""Blanks behind the last line break: Markdown knows no such line."""


class Fence(NamedTuple):
    """The code block that a text begins with."""

    head: str
    """Its first line."""
    language: str
    code: str
    """As far as it is there, without the line break at its end."""
    end: int | None
    """Where what follows it begins; None while it goes on."""
    may_end: bool
    """Whether the last line ends it as it stands, and may still become a line of it."""

    @property
    def is_open(self) -> bool:
        """Whether no end of it is in sight."""
        return self.end is None and not self.may_end


def fence_of(text: str) -> Fence | None:
    """The code block that `text` begins with, if it does."""
    head = _HEAD.match(text)
    if head is None:
        return None
    sign = head[1]
    closing = re.compile(rf"^ {{0,3}}{sign[0]}{{{len(sign)},}}[ \t]*(\n|\Z)", re.MULTILINE)
    found = closing.search(text, head.end())
    end = found.end() if found is not None and found[1] else None
    code = text[head.end() : found.start()] if found else _BLANK_END.sub("", text[head.end() :])
    language = clean_line(head[2].strip()).split(" ")[0]
    may_end = found is not None and end is None
    return Fence(head[0], language, code.removesuffix("\n"), end, may_end)
