"""A unified diff as a page to read: each file under its path, without the header's letters."""

from __future__ import annotations

import re

from agent_cockpit.cockpit.consent.question import Line, Tone, diff_tones
from agent_cockpit.text import reveal

LINE_CELLS = 4_000
"""A longer line keeps its beginning: nobody scrolls further to the right."""

_GIT = re.compile(r'diff --git "?a/.*? "?b/(.*?)"?')


def diff_page(diff: str) -> tuple[list[Line], list[int]]:
    """The lines of a diff, made safe, each with what it is; and the rows where files begin."""
    page = _Page()
    if diff.strip():
        raw_lines = diff.rstrip("\n").split("\n")
        for raw, tone in zip(raw_lines, diff_tones(raw_lines), strict=True):
            page.add(raw, tone)
    return page.lines, page.files


class _Page:
    """Grows line by line."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.files: list[int] = []
        self._is_named = False
        """Whether git's own line has named the file whose header this is."""
        self._old = ""

    def add(self, raw: str, tone: Tone) -> None:
        """One more line of the diff; those that only repeat the path make none."""
        if tone != "muted":
            self._is_named = False
        elif raw.startswith("diff "):
            named = _GIT.fullmatch(raw)
            self._begin(named[1] if named else raw.removeprefix("diff "))
            self._is_named = True
            return
        elif raw.startswith("index "):
            return
        elif raw.startswith("--- "):
            self._old = _name(raw)
            return
        elif raw.startswith("+++ "):
            if not self._is_named:
                new = _name(raw)
                self._begin(self._old if new == "/dev/null" else new)
            return
        self.lines.append(_line(raw, tone))

    def _begin(self, path: str) -> None:
        if self.lines:
            self.lines.append(Line(""))
        self.files.append(len(self.lines))
        self.lines.append(_line(path, "strong"))


def _name(raw: str) -> str:
    return re.sub(r"^[ab]/", "", raw[4:].partition("\t")[0].strip())


def _line(raw: str, tone: Tone) -> Line:
    text = reveal(raw[:LINE_CELLS]).expandtabs(4)
    return Line(text + ("…" if len(raw) > LINE_CELLS else ""), tone)
