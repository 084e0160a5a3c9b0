"""The lines that the front end carries out itself: `/copy`, and a command behind `!`.

Law: a command of the person's runs only where they type it; a pipe may hold anybody's words.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from agent_cockpit.cockpit.consent.answers import Level, words_of
from agent_cockpit.cockpit.driving import Driving
from agent_cockpit.plain.copying import Clipboard, to_copy
from agent_cockpit.plain.feed import Feed
from agent_cockpit.plain.page import Page, Verbatim
from agent_cockpit.plain.reading import Lines
from agent_cockpit.rules.meta_commands import is_meta, parse

SHELL_SIGN = "!"
_ONLY_TYPED = "not run: a command of yours runs where you type it; behind a blank this is a prompt"


class Desk(Protocol):
    """What these lines need of the front end."""

    driving: Driving
    feed: Feed
    lines: Lines
    page: Page

    def start(self, work: Coroutine[Any, Any, None]) -> object: ...
    def put(self, onto_the_page: Callable[[], None]) -> None: ...
    def tell(self, text: str, level: Level = "info") -> None: ...


class OwnLines:
    """Carries them out on `desk`."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def take(self, text: str) -> bool:
        """Do what the line says; False: it is for the source."""
        if is_meta(text) and (call := parse(text)).name == "copy":
            self._desk.start(self._copy(call.argument))
        elif not text.startswith(SHELL_SIGN):
            return False
        elif not self._desk.lines.is_terminal:
            self._desk.tell(_ONLY_TYPED, "warning")
        elif command := text.lstrip(SHELL_SIGN).strip():
            self._desk.start(self._run(command))
        else:
            self._desk.tell(f"write a command behind the {SHELL_SIGN}")
        return True

    async def _copy(self, what: str) -> None:
        desk = self._desk
        text, why_not = to_copy(desk.feed.transcript, what)
        if why_not:
            desk.tell(why_not)
            return
        clipboard = Clipboard(os.environ, is_terminal=desk.page.is_terminal)
        sequence, words = await clipboard.take(text)
        desk.put(lambda: desk.page.write(sequence))
        desk.tell(words or "there is no clipboard here; the sitting goes into a file instead")
        if not words:
            desk.driving.meta("/export")

    async def _run(self, command: str) -> None:
        source: Any = self._desk.driving.source
        try:
            output = await source.run_for_person(command)
        except Exception as problem:
            self._desk.tell(words_of(problem), "warning")
            return
        lines = output.text.split("\n") if output.text else []
        self._desk.put(lambda: self._desk.page.say(map(Verbatim, lines)))
        self._desk.tell(output.untold)
