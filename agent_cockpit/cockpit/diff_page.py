"""A unified diff as a page to read: each file under its path, without the header's letters;
files and hunks can be folded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from agent_cockpit.cockpit.consent.diff_body import diff_body
from agent_cockpit.cockpit.consent.question import Line
from agent_cockpit.rules.diff_lines import header_path
from agent_cockpit.text import reveal, reveal_line
from agent_cockpit.transcript.diffs import header_words
from agent_cockpit.transcript.wording import count

LINE_CHARS = 4_000
"""A longer line keeps its beginning: nobody scrolls further to the right."""
OPEN, FOLDED = "▾", "▸"

_GIT = re.compile(r'diff --git "?a/.*?"? ("?b/.*)')
_BINARY = re.compile(r"Binary files (.*) and (.*) differ")


@dataclass(frozen=True, slots=True)
class Section:
    """A file of a diff or one of its hunks: from the line of its head to before `end`."""

    head: int
    end: int
    is_file: bool


class DiffPage:
    """The lines of a diff, made safe, each with what it is; `shown` has them as they are folded."""

    def __init__(self, diff: str) -> None:
        page = _Page()
        if diff.strip():
            for line in diff_body(
                [_safe(raw) for raw in diff.rstrip("\n").split("\n")], each_head=True
            ):
                page.add(line)
        self.lines: Sequence[Line] = page.lines
        self.sections: Sequence[Section] = tuple(page.sections())

    @property
    def files(self) -> list[int]:
        """Which of the sections are files."""
        return [place for place, section in enumerate(self.sections) if section.is_file]

    def shown(self, folded: Set[int]) -> tuple[list[Line], dict[int, int]]:
        """The lines in sight while these sections are folded; and of each section that is shown
        where its head is among them."""
        lines: list[Line] = []
        heads: dict[int, int] = {}
        at = 0
        for place, section in enumerate(self.sections):
            if section.head < at:
                continue
            lines += self.lines[at : section.head]
            heads[place] = len(lines)
            is_folded = place in folded
            lines.append(self._head(section, is_folded))
            at = section.end if is_folded else section.head + 1
        return [*lines, *self.lines[at:]], heads

    def _head(self, section: Section, is_folded: bool) -> Line:
        head = self.lines[section.head]
        inside = self.lines[section.head + 1 : section.end]
        if section.is_file and not inside:
            return replace(head, text=f"  {head.text}")
        words = [head.text] if head.text else []
        if is_folded:
            words += _summary(inside, section.is_file)
        return replace(head, text=f"{FOLDED if is_folded else OPEN} {' · '.join(words)}".rstrip())


def _summary(lines: Iterable[Line], is_file: bool) -> list[str]:
    """What a folded part holds."""
    numbered = [line for line in lines if line.number > 0]
    added = sum(line.text[:1] == "+" for line in numbered)
    removed = sum(line.text[:1] == "-" for line in numbered)
    where = [] if is_file or not numbered else [f"from line {numbered[0].number}"]
    return [*where, count(len(numbered), "line"), f"+{added} −{removed}"]


class _Page:
    """Grows line by line."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._files: list[tuple[int, list[int]]] = []
        """Where each begins, and where the heads of its hunks are."""
        self._has_hunks = False
        self._bare: int | None = None
        """Where the present file's first hunk begins, while its head says nothing: it has none
        unless there is a second one."""
        self._is_named = False
        """Whether git's own line has named the file whose header this is."""
        self._name, self._old = "", ""
        self._header: list[str] = []
        """What the header says of the file beside its name."""

    def add(self, line: Line) -> None:
        """One more line of the diff; those that only repeat the path make none."""
        text = line.text
        if line.tone == "place":
            self._is_named = False
            self._hunk(line)
        elif line.number >= 0 or line.tone != "muted":
            self._is_named = False
            self.lines.append(line)
        elif text.startswith("diff "):
            named = _GIT.fullmatch(text)
            self._begin(_path(named[1]) if named else text.removeprefix("diff "))
            self._is_named = True
        elif text.startswith("--- "):
            self._old = _path(text[4:])
        elif text.startswith("+++ "):
            if not self._is_named:
                self._begin(_path(text[4:]) or self._old)
        elif named := _BINARY.fullmatch(text):
            path = _path(named[2]) or _path(named[1])
            if not (self._is_named and path == self._name):
                self._begin(path)
            self._note(text)
            self._is_named = False
        elif self._is_named:
            self._note(text)
        else:
            self.lines.append(line)

    def sections(self) -> Iterable[Section]:
        """Its files and, of those that have several, their hunks, in order."""
        following = [*(head - 1 for head, _ in self._files[1:]), len(self.lines)]
        for (head, hunks), end in zip(self._files, following, strict=False):
            yield Section(head, end, is_file=True)
            for hunk, last in pairwise([*hunks, end]):
                yield Section(hunk, last, is_file=False)

    def _begin(self, path: str) -> None:
        if self.lines:
            self.lines.append(Line(""))
        self._files.append((len(self.lines), []))
        self._name, self._header, self._bare = path, [], None
        self._has_hunks = False
        self.lines.append(Line(path, "strong"))

    def _note(self, header: str) -> None:
        self._header.append(header)
        words = " · ".join([self._name, *header_words(self._header)])
        self.lines[-1] = replace(self.lines[-1], text=words)

    def _hunk(self, head: Line) -> None:
        hunks = self._files[-1][1] if self._files else []
        is_first, self._has_hunks = not self._has_hunks, True
        if is_first and not head.text:
            self._bare = len(self.lines)
            return
        if self._bare is not None:
            hunks.append(self._bare)
            self.lines.insert(self._bare, Line("", "muted", number=0))
            self._bare = None
        hunks.append(len(self.lines))
        self.lines.append(replace(head, tone="muted"))


def _path(header: str) -> str:
    return reveal_line(header_path(header))


def _safe(raw: str) -> str:
    return reveal(raw[:LINE_CHARS]) + ("…" if len(raw) > LINE_CHARS else "")
