"""What a panel asks: a call that waits, or something of the sitting; values, no screen.

Law: every text here is made safe with `text.reveal`, so that a person sees all of what they
allow, also what a terminal would hide.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from agent_cockpit.text import head_and_tail, reveal, reveal_line

Tone = Literal["plain", "strong", "muted", "added", "removed", "place", "warning"]

SUMMARY_CHARS = 100_000
WHOLE_CHARS = 400_000
"""Beyond these a text keeps its head and tail, and says what is left out."""

TIER_WORDS = {
    0: "reads",
    1: "edits in the workspace",
    2: "tests and read-only commands",
    3: "can change things",
    4: "destroys or sends out",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a panel's body; `tone` says what kind of line, the panel how it looks;
    `hunk` which hunk of an edit it belongs to, from 0, -1 for none.

    In a diff `number` is a line's in the file of this `path`, and its text begins with the
    sign; what stands between has 0, what is no diff -1. `old` is the number that a line which
    stayed had in the old file. `hang` is how far the further rows of
    a long line are indented; its first `lead` characters are marks, and not copied.
    """

    text: str
    tone: Tone = "plain"
    hunk: int = -1
    number: int = -1
    old: int = 0
    path: str = ""
    hang: int = 0
    lead: int = 0


@dataclass(frozen=True, slots=True)
class Width:
    """How far the wide answer may reach, and how many earlier calls that would have covered."""

    scope: str
    covers: str
    seen: int = 0


@dataclass(frozen=True, slots=True)
class Editable:
    """What of a call a person may change: one field, safe to show; `is_long`: many lines."""

    field: str
    text: str
    values: Mapping[str, Any]
    is_long: bool


@dataclass(frozen=True, slots=True)
class Option:
    """One answer: its letter, its words, and the few words that a small screen has room for.

    `answer` names it for the panel: `allow always deny` are given to whoever asked, `edit`,
    `reason` and `whole` are the panel's own, other panels have further ones.
    """

    letter: str
    words: str
    answer: str
    brief: str


ALL_OF_IT = Option("v", "all of it", "whole", "all")
"""Shows the whole body, and again the summary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One thing to decide. `whole` is the body that `[v]` shows, empty where there is no more.

    `weight` says how much hangs on it; `widths` what `[a]` may allow from now on, narrow to
    wide; `hunks` how many hunks of the body may be dropped alone. `starts_empty`: none of
    them is taken until a person says so. `ends_late`: what is asked
    may hide its danger at its end, so a yes counts when the end was in sight.
    """

    question_id: str
    title: str
    body: tuple[Line, ...]
    options: tuple[Option, ...]
    weight: str = ""
    whole: tuple[Line, ...] = ()
    widths: tuple[Width, ...] = ()
    hunks: int = 0
    starts_empty: bool = False
    editable: Editable | None = None
    ends_late: bool = False


def about_dirty_tree(message: str, paths: tuple[str, ...]) -> Question:
    """Whether to work on a tree with uncommitted changes, once a sitting."""
    lines = [
        Line(
            "`/diff` will show what comes on top; `/diff head` shows these too"
            if paths
            else reveal(message)
        )
    ]
    lines += [Line(f"  {reveal_line(path)}", "muted") for path in paths]
    return Question(
        question_id="dirty tree",
        title="there are uncommitted changes · work on top of them?",
        body=tuple(lines),
        options=(
            Option("y", "yes, for this sitting", "allow", "yes"),
            Option("n", "no, give me my prompt back", "deny", "no"),
        ),
    )


def about_shown_plan(plan: str) -> Question:
    """A plan that waited for a decision when it was recorded; it is only shown."""
    lines = tuple(Line(line) for line in reveal(plan).split("\n"))
    return Question(
        question_id="plan", title="a plan waited for a decision", body=lines, options=()
    )


def shown_text(text: str, budget: int) -> str:
    """Untrusted text of any length for a panel, everything hidden written out."""
    return reveal(head_and_tail(text, budget))


def as_json(value: Any) -> str:
    """A value that is no text, as text."""
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)
