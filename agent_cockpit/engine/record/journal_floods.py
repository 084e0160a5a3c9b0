"""How much of a command's output the record takes: a flood must not fill the disk.

Nothing else is lost by it: the call's result brings head and tail of all that was printed.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from agent_cockpit.events.sitting import StreamedText

FREE_CHARS = 65_536
"""So much of a call's output is recorded whole."""
CHARS_A_SECOND = 2_048
"""And so much for each second that it ran; what is more leaves its head and tail."""
_LEAST_CHARS = 512


class Floods:
    """Owns how much was recorded of each running call; the journal's.

    `redact` frees a text of secrets before it is cut, since a cut one is not known any more.
    """

    def __init__(self, redact: Callable[[str], str]) -> None:
        self._redact = redact
        self._written: dict[str, tuple[datetime, int]] = {}

    def kept(self, output: StreamedText) -> StreamedText:
        """What is recorded of a piece of output, and in its place how much is left out."""
        began, written = self._written.setdefault(output.call_id, (output.ts, 0))
        ran_s = max(0.0, (output.ts - began).total_seconds())
        room = int(FREE_CHARS + CHARS_A_SECOND * ran_s) - written
        text = output.text
        if len(text) > room:
            text = _cut(self._redact(text), room)
        self._written[output.call_id] = (began, written + len(text))
        return output if text == output.text else output.model_copy(update={"text": text})

    def end(self, call_id: str) -> None:
        """The call is over."""
        self._written.pop(call_id, None)


def _cut(text: str, room: int) -> str:
    if len(text) <= room:
        return text
    kept = room if room >= _LEAST_CHARS else 0
    head, tail = text[: kept * 2 // 5], text[len(text) - (kept - kept * 2 // 5) :]
    left_out = len(text) - len(head) - len(tail)
    return f"{head}\n[… {left_out} of {len(text)} characters left out …]\n{tail}"
