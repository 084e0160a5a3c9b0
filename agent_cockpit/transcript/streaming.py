"""Untrusted text that arrives in pieces, cleaned once, however it was cut.

Law: the text does not depend on where the pieces were cut, and never holds a character
that a terminal acts on.
"""

from __future__ import annotations

import re
from copy import copy

from agent_cockpit.text import clean, clean_output, joinable_end

_STRING_LIMIT = 4096
"""Longer terminal strings (OSC, DCS …) are shown as text: waiting for their end would hide
everything that follows."""

_OPENS_STRING = r"(?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])"
_STRING_BODY = rf"[^\x07\x1b\x90-\x9f]{{0,{_STRING_LIMIT}}}"
_OPENERS = ("\x90", "\x98", "\x9d", "\x9e", "\x9f")
"""Alone they open nothing, and are dropped as any control character is."""
_START = re.compile("[\r\x1b\x90\x98\x9b\x9d\x9e\x9f]")
_GROWING = re.compile(
    rf"(?:{_OPENS_STRING}{_STRING_BODY}\x1b?|(?:\x1b\[|\x9b)[0-?]*[ -/]*|\x1b[ -/]*|\r)\Z"
)
_COMPLETE = re.compile(
    rf"{_OPENS_STRING}{_STRING_BODY}(?:\x07|\x1b\\|\x9c)"
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|\x1b[ -/]*[0-~]?"
    r"|[\x90\x98\x9d\x9e\x9f]"
)


class StreamedClean:
    """Grows by `add`; `text` is the cleaned whole, or its last `keep` characters.

    `is_output`: a command printed it, and what it wrote over with carriage returns is gone.
    """

    def __init__(self, *, keep: int | None = None, is_output: bool = False) -> None:
        self._keep = keep
        self._is_output = is_output
        self._parts: list[str] = []
        self._size = 0
        self._joinable = ""
        self._is_returned = False
        self._pending = ""

    def add(self, piece: str) -> None:
        """Append a piece as it came; an escape that is cut in two waits for its rest."""
        raw = self._pending + piece
        at = 0
        while start := _START.search(raw, at):
            self._append(raw[at : start.start()])
            at = start.start()
            if _GROWING.match(raw, at):
                self._pending = raw[at:]
                return
            if raw[at] == "\r" and self._is_output:
                self._return()
                at += 1
            elif raw[at] == "\r":
                self._append("\n")
                at += 2 if raw.startswith("\r\n", at) else 1
            else:
                escape = _COMPLETE.match(raw, at)
                end = escape.end() if escape else at + 1
                if raw[at:end] in _OPENERS:
                    self._end_joinable()
                at = end
        self._append(raw[at:])
        self._pending = ""

    def copy(self) -> StreamedClean:
        """Another one that goes on from here by itself."""
        twin = copy(self)
        twin._parts = list(self._parts)
        return twin

    @property
    def text(self) -> str:
        """All of it so far, what still waits for its rest included as far as it is text."""
        whole = "".join(self._parts)
        self._parts = [whole]
        waits = self._joinable + self._pending
        whole = self._with_output(whole, waits) if self._is_output else whole + clean(waits)
        return whole if self._keep is None else whole[-self._keep :]

    def _return(self) -> None:
        """Go to the line's start: what comes next, if anything is seen of it, replaces it."""
        self._end_joinable()
        self._is_returned = True

    def _end_joinable(self) -> None:
        self._parts.append(clean(self._joinable))
        self._joinable = ""

    def _with_output(self, whole: str, new: str) -> str:
        """`whole` with `new` behind its last line, or in place of it after a return."""
        start = whole.rfind("\n") + 1
        return whole[:start] + clean_output(whole[start:] + "\r" * self._is_returned + new)

    def _append(self, raw: str) -> None:
        if not raw:
            return
        raw = self._joinable + raw
        end = joinable_end().search(raw, max(0, len(raw) - 30))
        self._joinable = end[0] if end else ""
        new = clean(raw[: len(raw) - len(self._joinable)])
        if self._is_returned and (new or self._joinable):
            whole = "".join(self._parts)
            if not new.startswith("\n"):
                whole = whole[: whole.rfind("\n") + 1]
            self._parts, self._size, self._is_returned = [whole], len(whole), False
        self._parts.append(new)
        self._size += len(self._parts[-1])
        if self._keep is not None and self._size > 2 * self._keep:
            self._parts = ["".join(self._parts)[-self._keep :]]
            self._size = len(self._parts[0])
