"""`/copy` where there is no screen: the terminal's clipboard, else a file."""

from __future__ import annotations

import base64
from collections.abc import Mapping

from agent_cockpit.cockpit.clipboard import clipboard_programs, copied_words, copy_by_program
from agent_cockpit.terminal_signals import has_window
from agent_cockpit.transcript.copy_command import COPY_USAGE, copied, nothing_copied
from agent_cockpit.transcript.fold import Transcript


class Clipboard:
    """What a text can be given to: the terminal, by a sequence that it prints nothing of, and
    programs of this machine."""

    def __init__(self, environ: Mapping[str, str], *, is_terminal: bool) -> None:
        self._programs = clipboard_programs(environ)
        self._is_shown = is_terminal and has_window(environ)

    async def take(self, text: str) -> tuple[str, str]:
        """(what is to be written to the terminal, what to say); both empty where no clipboard
        takes it."""
        taken = [await copy_by_program(text, command) for command in self._programs]
        sequence = f"\x1b]52;c;{_encoded(text)}\x07" if self._is_shown else ""
        return sequence, copied_words(text) if any(taken) or sequence else ""


def to_copy(transcript: Transcript, what: str) -> tuple[str, str]:
    """(the text that `/copy` takes, why there is none)."""
    text = copied(transcript, what.lower())
    if text is None:
        return "", COPY_USAGE
    return text, "" if text else nothing_copied(what.lower())


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode("utf-8", "replace")).decode("ascii")
