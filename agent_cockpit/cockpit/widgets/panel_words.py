"""The words around a question: its title, the hint in its frame, its body on a small screen."""

from __future__ import annotations

from dataclasses import replace

from textual.geometry import Size

from agent_cockpit.cockpit.consent.choice import Choice
from agent_cockpit.cockpit.consent.question import Line, Option, Question
from agent_cockpit.cockpit.widgets.writing import Writing


def title_of(question: Question, count: int) -> tuple[str, str]:
    """What is asked, how much hangs on it, and how many others wait; the last also alone."""
    waiting = f"1 of {count} waiting" if count > 1 and not question.starts_empty else ""
    asks = "  ".join(part for part in (question.title, question.weight) if part)
    return " · ".join(part for part in (asks, waiting) if part), waiting


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
    return (*choice.options, Option("l", f"all {listed}", "list", "list"))


def lines_of(choice: Choice, *, with_title: bool, spell_scope: bool) -> list[Line]:
    """The body, with what has no room elsewhere."""
    lines = choice.lines()
    if with_title:
        lines.insert(0, Line(choice.question.title, "warning"))
        lines.append(Line(choice.question.weight, "warning"))
    wide = next((each for each in choice.options if each.answer == "always"), None)
    if spell_scope and wide is not None:
        lines.append(Line(f"a: {wide.words}", "muted"))
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


def hint_while_writing(choice: Choice, writing: Writing) -> str:
    """Which keys end the writing, and how."""
    if writing.is_editing:
        give = "ctrl+s" if writing.is_long else "enter"
        return f"{give} look at it as changed · esc leave it as it was"
    gives = "these" if choice.is_partial else "no"
    return f"enter {gives}, with this reason · esc back"


def hint_while_asking(choice: Choice, below: int) -> str:
    """What the body has beyond the answers: hunks to mark, and rows out of sight."""
    what = "call" if choice.question.starts_empty else "hunk"
    hunks = f"[ ] {what} · space keep or drop it" if choice.question.hunks > 1 else ""
    more = f"▼ {below} more row{'s' * (below != 1)}" if below else ""
    return " · ".join(part for part in (hunks, more) if part)
