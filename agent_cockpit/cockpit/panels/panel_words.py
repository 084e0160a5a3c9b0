"""The words around a question: its title, the hint in its frame, its body on a small screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from textual.geometry import Size

from agent_cockpit.cockpit.consent.choice import Choice
from agent_cockpit.cockpit.consent.question import Line, Option, Question
from agent_cockpit.cockpit.panels.writing import Writing
from agent_cockpit.text import cell_width


def title_of(question: Question, count: int, width: int) -> str:
    """What is asked, how much hangs on it, and how many others wait: as much as has room."""
    waiting = f"1 of {count} waiting" if count > 1 and not question.starts_empty else ""
    tier = question.weight.partition(" · ")[0]
    for weight, last in ((question.weight, waiting), (question.weight, ""), (tier, ""), ("", "")):
        asks = "  ".join(part for part in (question.title, weight) if part)
        title = " · ".join(part for part in (asks, last) if part)
        if cell_width(title) <= width:
            return title
    return waiting if cell_width(waiting) <= width else ""


LEAST_COLUMNS, LEAST_ROWS = 16, 4
"""On a smaller screen nobody can read what they would allow: there is only the no."""


def is_unreadable(screen: Size) -> bool:
    """Whether a screen is too small to decide anything on."""
    return screen.width < LEAST_COLUMNS or screen.height < LEAST_ROWS


def options_of(choice: Choice, listed: int, screen: Size) -> tuple[Option, ...]:
    """The answers, and the way to the list where several calls wait."""
    if is_unreadable(screen):
        return tuple(
            replace(option, brief="no, too small")
            for option in choice.options
            if option.answer == "deny"
        )
    if listed < 2 or choice.question.starts_empty:
        return choice.options
    return (*choice.options, Option("l", f"all {listed} calls", "list", "list"))


def without_scope(options: Sequence[Option]) -> tuple[Option, ...]:
    """The answers where there is no room to spell out how far the wide one reaches: without it,
    since nobody can allow what they do not read."""
    return tuple(option for option in options if option.answer != "always")


def lines_of(choice: Choice, *, title: str) -> list[Line]:
    """The body, with what the panel's `title` has no room for."""
    lines = choice.lines()
    question = choice.question
    if question.title not in title:
        lines.insert(0, Line(question.title, "warning"))
    if question.weight not in title:
        lines.append(Line(question.weight, "warning"))
    return lines


def end_of(choice: Choice, lines: list[Line]) -> int:
    """The index of the last line that must be seen before a yes: that of the command, in a
    list of calls the last of all; -1 where there is none."""
    if choice.question.starts_empty:
        return len(lines) - 1
    first = next((n for n, line in enumerate(lines) if line.tone == "strong"), None)
    if first is None:
        return -1
    after = (n for n, line in enumerate(lines) if n > first and line.tone != "strong")
    return next(after, len(lines)) - 1


def hint_while_writing(choice: Choice, writing: Writing, width: int) -> str:
    """Which keys end the writing, and how."""
    if writing.is_editing:
        give = "ctrl+s" if writing.is_long else "enter"
        words = f"{give} look at it as changed · esc leave it as it was"
        return words if cell_width(words) <= width else f"{give} look at it · esc back"
    gives = "these" if choice.is_partial else "no"
    words = f"enter {gives}, with this reason · esc back"
    return words if cell_width(words) <= width else f"enter {gives} · esc back"


def hint_while_asking(choice: Choice, below: int, width: int) -> str:
    """What the body has beyond the answers: hunks to mark, and rows out of sight."""
    what = "call" if choice.question.starts_empty else "hunk"
    has_hunks = choice.question.hunks > 1
    more = f"▼ {below} more row{'s' * (below != 1)}" if below else ""
    for hunks in (f"[ or ] another {what} · space keep or drop it", "[ or ] · space", ""):
        words = " · ".join(part for part in (hunks if has_hunks else "", more) if part)
        if cell_width(words) <= width:
            break
    return words
