"""A unified diff as a page to read: each file under its path, without the header's letters."""

from __future__ import annotations

import re
from dataclasses import replace

from agent_cockpit.cockpit.consent.diff_body import diff_body
from agent_cockpit.cockpit.consent.question import Line
from agent_cockpit.text import reveal

LINE_CHARS = 4_000
"""A longer line keeps its beginning: nobody scrolls further to the right."""

_GIT = re.compile(r'diff --git "?a/.*? "?b/(.*?)"?')
_NOTES = {"new file mode ": "new file", "deleted file mode ": "deleted"}


def diff_page(diff: str) -> tuple[list[Line], list[int]]:
    """The lines of a diff, made safe, each with what it is; and the rows where files begin."""
    page = _Page()
    if diff.strip():
        for line in diff_body([_shown(raw) for raw in diff.rstrip("\n").split("\n")]):
            page.add(line)
    return page.lines, page.files


class _Page:
    """Grows line by line."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.files: list[int] = []
        self._is_named = False
        """Whether git's own line has named the file whose header this is."""
        self._old = ""

    def add(self, line: Line) -> None:
        """One more line of the diff; those that only repeat the path make none."""
        text = line.text
        if line.number >= 0 or line.tone != "muted":
            self._is_named = False
            self.lines.append(line)
        elif text.startswith("diff "):
            named = _GIT.fullmatch(text)
            self._begin(named[1] if named else text.removeprefix("diff "))
            self._is_named = True
        elif text.startswith("--- "):
            self._old = _name(text)
        elif text.startswith("+++ "):
            if not self._is_named:
                new = _name(text)
                self._begin(self._old if new == "/dev/null" else new)
        elif self._is_named and (note := _note(text)):
            self.lines[-1] = replace(self.lines[-1], text=f"{self.lines[-1].text} · {note}")
        elif not text.startswith("index "):
            self.lines.append(line)

    def _begin(self, path: str) -> None:
        if self.lines:
            self.lines.append(Line(""))
        self.files.append(len(self.lines))
        self.lines.append(Line(path, "strong"))


def _name(header: str) -> str:
    return re.sub(r"^[ab]/", "", header[4:].partition("\t")[0].strip())


def _note(header: str) -> str:
    return next((words for start, words in _NOTES.items() if header.startswith(start)), "")


def _shown(raw: str) -> str:
    return reveal(raw[:LINE_CHARS]) + ("…" if len(raw) > LINE_CHARS else "")
