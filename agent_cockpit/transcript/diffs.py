"""Unified diffs as values: files, hunks, numbered lines, the words that changed.

Law: any text is accepted; what is no diff gives no hunks, never an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Literal

_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)")
_WORDS = re.compile(r"\w+|\s+|.")
_WORD_LINE_LIMIT = 400
"""Longer lines are marked whole: word marks in them help nobody and cost quadratic time."""

_MODE_WORDS = {
    ("100644", "100755"): "may be run now",
    ("100755", "100644"): "may be run no more",
}
_NOTED = ("rename ", "copy ", "new file", "deleted", "old mode", "new mode", "Binary", "GIT binary")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line; `number` counts from 1 in the new file, for a removed line in the old one."""

    kind: Literal["context", "added", "removed", "note"]
    number: int
    text: str
    marks: tuple[Span, ...] = ()
    """Character ranges that differ from the line's counterpart, once `with_marks` found them."""
    old: int = 0
    """Of a line that stayed: its number in the old file."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that belong together; `heading` is what git writes behind the `@@`."""

    lines: tuple[DiffLine, ...]
    heading: str = ""


@dataclass(frozen=True, slots=True)
class FileDiff:
    """What happened to one file; `old` or `new` is empty when it was made or deleted."""

    old: str
    new: str
    hunks: tuple[Hunk, ...] = ()
    notes: tuple[str, ...] = ()
    """What git says about it beside its lines: renames, modes, binary."""

    @property
    def path(self) -> str:
        """The name it goes by now."""
        return self.new or self.old


def parse_diff(text: str) -> tuple[FileDiff, ...]:
    """The files of a unified diff, in order, no line with marks yet: to find them is dear."""
    files: list[FileDiff] = []
    old, new, seen = "", "", False
    notes: list[str] = []
    hunks: list[Hunk] = []

    def flush() -> None:
        nonlocal old, new, notes, hunks, seen
        if seen:
            files.append(FileDiff(old, new, tuple(hunks), tuple(notes)))
        old, new, notes, hunks, seen = "", "", [], [], False

    lines = text.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.startswith("diff --git "):
            flush()
            seen = True
            names = re.fullmatch(r"diff --git a/(.*) b/(.*)", line)
            old, new = (names[1], names[2]) if names else ("", "")
        elif line.startswith("--- ") and at < len(lines) and lines[at].startswith("+++ "):
            if hunks:
                flush()
            seen = True
            old, new = _name(line[4:], "a/"), _name(lines[at][4:], "b/")
            at += 1
        elif match := _HUNK.fullmatch(line):
            seen = True
            hunk, at = _hunk(lines, at, match)
            hunks.append(hunk)
        elif seen and not hunks and line.startswith(_NOTED):
            notes.append(line)
    flush()
    return tuple(files)


def with_marks(lines: Sequence[DiffLine], most: int | None = None) -> list[DiffLine]:
    """Pair each run of removed lines with the added ones after it, be it behind a note, and mark
    what differs; of the first `most` lines where no more are wanted."""
    lines = list(lines)
    most = len(lines) if most is None else most
    marked: list[DiffLine] = []
    at = 0
    while at < len(lines):
        removed = _run(lines, at, "removed")
        notes = _run(lines, at + len(removed), "note") if removed else []
        added = _run(lines, at + len(removed) + len(notes), "added")
        if not removed and not added:
            marked.append(lines[at])
            at += 1
            continue
        if len(removed) == len(added):
            wanted = max(0, most - at)
            pairs = [_marked(a, b) for a, b in zip(removed[:wanted], added, strict=False)]
            removed[:wanted], added[:wanted] = [a for a, _ in pairs], [b for _, b in pairs]
        at += len(removed) + len(notes) + len(added)
        marked += removed + notes + added
    return marked[:most]


def header_words(header: Iterable[str]) -> list[str]:
    """What the lines of git's header say of a file beside its name, in a person's words."""
    words: list[str] = []
    mode = ""
    for line in header:
        if line.startswith("new file "):
            words.append("new file")
        elif line.startswith("deleted "):
            words.append("deleted")
        elif line.startswith("old mode "):
            mode = line.removeprefix("old mode ")
        elif line.startswith("new mode "):
            change = mode, line.removeprefix("new mode ")
            words.append(_MODE_WORDS.get(change, f"mode {change[0]} → {change[1]}"))
        elif line.startswith("rename from "):
            words.append(f"was {line.removeprefix('rename from ')}")
        elif line.startswith("copy from "):
            words.append(f"copied from {line.removeprefix('copy from ')}")
        elif line.startswith(("Binary ", "GIT binary ")):
            words.append("binary")
    return words


def facing(kinds: Sequence[str]) -> list[tuple[int | None, int | None]]:
    """Which of a hunk's lines stand beside each other, by their places, the old one first: one
    that stayed faces itself, a run of removed lines the added ones behind it. A note goes below
    what it is about."""
    rows: list[tuple[int | None, int | None]] = []
    removed: list[int] = []
    added: list[int] = []

    def flush() -> None:
        rows.extend(zip_longest(removed, added))
        removed.clear()
        added.clear()

    for place, kind in enumerate(kinds):
        is_note = kind == "note"
        if kind == "added" or (is_note and added):
            added.append(place)
        elif kind == "removed" or (is_note and removed):
            if added:
                flush()
            removed.append(place)
        else:
            flush()
            rows.append((place, None if is_note else place))
    flush()
    return rows


def diff_counts(text: str) -> tuple[int, int]:
    """How many lines a diff adds and removes."""
    kinds = [line.kind for line in _all_lines(parse_diff(text))]
    return kinds.count("added"), kinds.count("removed")


def diff_paths(text: str) -> tuple[str, ...]:
    """The files that a diff touches, by their present names."""
    return tuple(file.path for file in parse_diff(text) if file.path)


def _all_lines(files: tuple[FileDiff, ...]) -> Iterator[DiffLine]:
    for file in files:
        for hunk in file.hunks:
            yield from hunk.lines


def _name(raw: str, prefix: str) -> str:
    name = raw.split("\t")[0].strip()
    return "" if name == "/dev/null" else name.removeprefix(prefix)


def _hunk(lines: list[str], at: int, head: re.Match[str]) -> tuple[Hunk, int]:
    """The hunk whose first line is `lines[at]`, and where the next thing begins."""
    old, new = int(head[1]), int(head[3])
    old_left = int(head[2]) if head[2] is not None else 1
    new_left = int(head[4]) if head[4] is not None else 1
    found: list[DiffLine] = []
    while at < len(lines) and (old_left > 0 or new_left > 0 or lines[at].startswith("\\")):
        line = lines[at]
        sign, body = line[:1], line[1:]
        if sign == "+":
            found.append(DiffLine("added", new, body))
            new, new_left = new + 1, new_left - 1
        elif sign == "-":
            found.append(DiffLine("removed", old, body))
            old, old_left = old + 1, old_left - 1
        elif sign == " " or (sign == "" and at < len(lines) - 1):
            found.append(DiffLine("context", new, body, old=old))
            old, new, old_left, new_left = old + 1, new + 1, old_left - 1, new_left - 1
        elif sign == "\\":
            found.append(DiffLine("note", new, body.strip()))
        else:
            break
        at += 1
    return Hunk(tuple(found), head[5]), at


def _run(lines: list[DiffLine], at: int, kind: str) -> list[DiffLine]:
    end = at
    while end < len(lines) and lines[end].kind == kind:
        end += 1
    return lines[at:end]


def _marked(old: DiffLine, new: DiffLine) -> tuple[DiffLine, DiffLine]:
    if max(len(old.text), len(new.text)) > _WORD_LINE_LIMIT:
        return old, new
    a, b = _WORDS.findall(old.text), _WORDS.findall(new.text)
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    if matcher.ratio() < 0.4:
        return old, new
    old_marks: list[Span] = []
    new_marks: list[Span] = []
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        if tag == "equal":
            continue
        if a2 > a1:
            old_marks.append((len("".join(a[:a1])), len("".join(a[:a2]))))
        if b2 > b1:
            new_marks.append((len("".join(b[:b1])), len("".join(b[:b2]))))
    return (
        DiffLine(old.kind, old.number, old.text, _joined(old_marks, old.text)),
        DiffLine(new.kind, new.number, new.text, _joined(new_marks, new.text)),
    )


def _joined(marks: list[Span], text: str) -> tuple[Span, ...]:
    """Marks with nothing but white space between them as one."""
    joined: list[Span] = []
    for start, end in marks:
        if joined and not text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return tuple(joined)
