"""The words around a question: its title, the hint in its frame, its body on a small screen."""

from __future__ import annotations

from agent_cockpit.cockpit.choice import Choice
from agent_cockpit.cockpit.question import Line, Question
from agent_cockpit.cockpit.widgets.writing import Writing


def title_of(question: Question, waiting: str) -> str:
    """What is asked, how much hangs on it, and how many others wait."""
    asks = "  ".join(part for part in (question.title, question.weight) if part)
    return " · ".join(part for part in (asks, waiting) if part)


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


def end_of_command(lines: list[Line]) -> int:
    """The index of the last line of the command in a body; -1 where there is none."""
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
    hunks = "[ ] hunk · space keep or drop it" if choice.question.hunks > 1 else ""
    more = f"▼ {below} more rows" if below else ""
    return " · ".join(part for part in (hunks, more) if part)
