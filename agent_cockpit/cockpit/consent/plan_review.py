"""What a person does to a plan before they decide: notes on lines, other words, a look at what
changed since an earlier version.

Law: every text here is safe to show, and nothing that the person wrote is lost when the text
under it changes.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agent_cockpit.cockpit.consent.question import Line, Tone
from agent_cockpit.text import cell_width, clean, shorten

CURSOR = "▸"
_ITEM = re.compile(r"\s*(?:(?:[-*+•]|\d+[.)])\s+)?")
"""What stands before the words of a list item."""


@dataclass(frozen=True, slots=True)
class PlanAnswer:
    """What the person decided: the text to build, or a note for the next version."""

    decision: Literal["approved", "revised"]
    text: str
    accept_edits: bool = False


class PlanReview:
    """One proposed plan under the person's hands. `earlier` are the versions before it."""

    def __init__(self, plan: str, earlier: Sequence[str] = ()) -> None:
        self.proposed = clean(plan).strip()
        self.text = self.proposed
        self.comments: dict[int, str] = {}
        """By the line they stand at, from 0."""
        self.cursor = 0
        self._earlier = [clean(version).strip() for version in earlier]
        self._compared = -1

    @property
    def version(self) -> int:
        """Which version of the plan this is, from 1."""
        return len(self._earlier) + 1

    @property
    def is_edited(self) -> bool:
        """Whether the text is not what was proposed any more."""
        return self.text != self.proposed

    @property
    def compared_with(self) -> str:
        """What the text is compared with, in words; empty while it is just shown."""
        if self._compared < 0:
            return ""
        return self._older()[self._compared][0]

    @property
    def notes_words(self) -> str:
        """`2 notes`."""
        return f"{len(self.comments)} note{'s' * (len(self.comments) != 1)}"

    @property
    def title(self) -> str:
        """Where the plan stands, in one line."""
        words = [f"plan · version {self.version}"]
        if self.is_edited:
            words.append("changed by you")
        if self.comments:
            words.append(self.notes_words)
        if self.compared_with:
            words.append(f"compared with {self.compared_with}")
        elif self.version > 1:
            added, removed = self.changes()
            changes = f"+{added} −{removed} since" if added or removed else "no different from"
            words.append(f"{changes} {self.version - 1}")
        return " · ".join(words)

    @property
    def can_compare(self) -> bool:
        """Whether there is anything to compare with."""
        return bool(self._older())

    def compare_next(self) -> None:
        """Compare with the next older text, after the oldest one just show the plan."""
        self._compared += 1
        if self._compared >= len(self._older()):
            self._compared = -1

    def show_plan(self) -> None:
        """Stop comparing."""
        self._compared = -1

    def change(self, text: str) -> None:
        """Take another text; notes stay at their lines, or at the line before a lost one."""
        before, self.text = self.text, clean(text).strip() or self.proposed
        places = _moved(before.split("\n"), self.text.split("\n"))
        comments, self.comments = self.comments, {}
        for line, note in comments.items():
            place = places[line]
            held = self.comments.get(place)
            self.comments[place] = note if held is None else f"{held}\n{note}"
        self.cursor = places[self.cursor]

    def move(self, lines: int) -> None:
        """Put the cursor so many lines on, at most to an end."""
        self.cursor = max(0, min(self.cursor + lines, self.text.count("\n")))

    def comment(self, note: str) -> None:
        """Set the note at the cursor's line; an empty one takes it away."""
        note = clean(note).strip()
        if note:
            self.comments[self.cursor] = note
        else:
            self.comments.pop(self.cursor, None)

    def revision(self, note: str) -> str:
        """All that the model is sent: the words about the whole, the notes with their lines,
        and the text as the person changed it."""
        lines = self.text.split("\n")
        parts = [note.strip()] if note.strip() else []
        for place, written in sorted(self.comments.items()):
            parts.append(f"On line {place + 1}, “{shorten(lines[place].strip(), 200)}”:\n{written}")
        if self.is_edited:
            parts.append(f"I changed the plan to this myself; go on from it:\n{self.text}")
        return "\n\n".join(parts)

    def changes(self) -> tuple[int, int]:
        """Lines that came and went since the version before."""
        if not self._earlier:
            return 0, 0
        compared = _compared(self._earlier[-1], self.text)
        return sum(s == "+" for s, _ in compared), sum(s == "-" for s, _ in compared)

    def lines(self) -> tuple[list[Line], list[int]]:
        """What is shown, and for each line which one of the plan it belongs to; -1 for none."""
        if self._compared >= 0:
            return self._difference(self._older()[self._compared][1])
        shown: list[Line] = []
        owners: list[int] = []
        before = set(self._earlier[-1].split("\n")) if self._earlier else None
        for place, text in enumerate(self.text.split("\n")):
            is_new = before is not None and bool(text.strip()) and text not in before
            here = CURSOR if place == self.cursor else " "
            mark = "" if before is None else "+ " if is_new else "  "
            tone: Tone = "strong" if here == CURSOR else "added" if is_new else "plain"
            shown.append(_line(f"{here} {mark}", text, tone, marks=2 + len(mark)))
            owners.append(place)
            for note in self.comments.get(place, "").splitlines():
                shown.append(_line("    ✎ ", note, "warning", marks=4))
                owners.append(place)
        return shown, owners

    def _older(self) -> list[tuple[str, str]]:
        """(name, text) of all that this can be compared with, newest first."""
        older = [("what was proposed", self.proposed)] if self.is_edited else []
        numbered = list(enumerate(self._earlier, start=1))
        return older + [(f"version {number}", text) for number, text in reversed(numbered)]

    def _difference(self, older: str) -> tuple[list[Line], list[int]]:
        tones: dict[str, Tone] = {"+": "added", "-": "removed"}
        shown: list[Line] = []
        owners: list[int] = []
        place = -1
        for sign, text in _compared(older, self.text):
            place += sign != "-"
            shown.append(_line(f"{sign} ", text, tones.get(sign, "plain")))
            owners.append(-1 if sign == "-" else place)
        return shown, owners


def _line(lead: str, text: str, tone: Tone, *, marks: int = 0) -> Line:
    """Its further rows begin where its words do; so many characters of the lead are no text."""
    item = _ITEM.match(text)
    return Line(lead + text, tone, hang=cell_width(lead + (item[0] if item else "")), lead=marks)


def _compared(before: str, after: str) -> list[tuple[str, str]]:
    """Every line of both with its sign, as a diff with all of its context."""
    old, new = before.split("\n"), after.split("\n")
    found: list[tuple[str, str]] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for tag, i, j, m, n in _opcodes(matcher, old, new):
        if tag == "equal":
            found += [(" ", line) for line in old[i:j]]
        else:
            found += [("-", line) for line in old[i:j]] + [("+", line) for line in new[m:n]]
    return found


LINES_MATCHED = 2000
"""Of longer texts only what stands around one changed piece is matched: it costs the square."""


def _opcodes(
    matcher: difflib.SequenceMatcher[str], old: list[str], new: list[str]
) -> list[tuple[str, int, int, int, int]]:
    if max(len(old), len(new)) <= LINES_MATCHED:
        return list(matcher.get_opcodes())
    shortest = min(len(old), len(new))
    head = next((i for i in range(shortest) if old[i] != new[i]), shortest)
    rest = shortest - head
    tail = next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)
    i, m = len(old) - tail, len(new) - tail
    return [
        ("equal", 0, head, 0, head),
        ("replace", head, i, head, m),
        ("equal", i, len(old), m, len(new)),
    ]


def _moved(old: list[str], new: list[str]) -> list[int]:
    """Where each old line stands in the new text; a lost one where the line before it does."""
    places: list[int] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for tag, i, j, m, n in _opcodes(matcher, old, new):
        for offset in range(j - i):
            inside = m + offset if tag == "equal" else min(m + offset, max(m, n - 1))
            places.append(max(0, min(inside, len(new) - 1)))
    return places
