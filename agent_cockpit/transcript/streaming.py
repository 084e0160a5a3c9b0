"""Untrusted text that arrives in pieces, cleaned once, however it was cut.

Law: the text does not depend on where the pieces were cut, and never holds a character
that a terminal acts on.
"""

from __future__ import annotations

import re

from agent_cockpit.text import JOINABLE_END, clean

_STRING_LIMIT = 4096
"""Longer terminal strings (OSC, DCS …) are shown as text: waiting for their end would hide
everything that follows."""

_OPENS_STRING = r"(?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])"
_STRING_BODY = rf"[^\x07\x1b\x90-\x9f]{{0,{_STRING_LIMIT}}}"
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
    """Grows by `add`; `text` is the cleaned whole, or its last `keep` characters."""

    def __init__(self, *, keep: int | None = None) -> None:
        self._keep = keep
        self._parts: list[str] = []
        self._size = 0
        self._joinable = ""
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
            if raw[at] == "\r":
                self._append("\n")
                at += 2 if raw.startswith("\r\n", at) else 1
            else:
                escape = _COMPLETE.match(raw, at)
                at = escape.end() if escape else at + 1
        self._append(raw[at:])
        self._pending = ""

    @property
    def text(self) -> str:
        """All of it so far, what still waits for its rest included as far as it is text."""
        whole = "".join(self._parts)
        self._parts = [whole]
        whole += clean(self._joinable + self._pending)
        return whole if self._keep is None else whole[-self._keep :]

    def _append(self, raw: str) -> None:
        if not raw:
            return
        raw = self._joinable + raw
        end = JOINABLE_END.search(raw, max(0, len(raw) - 3))
        self._joinable = end[0] if end else ""
        self._parts.append(clean(raw[: len(raw) - len(self._joinable)]))
        self._size += len(self._parts[-1])
        if self._keep is not None and self._size > 2 * self._keep:
            self._parts = ["".join(self._parts)[-self._keep :]]
            self._size = len(self._parts[0])
