"""A question as lines with numbered answers, and what a typed line answers.

Laws: all that is asked is told before the numbers are; every width of a yes is a number of
its own, with its exact scope; what is no number here is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agent_cockpit.cockpit.consent.choice import Given
from agent_cockpit.cockpit.consent.question import Editable, Line, Question
from agent_cockpit.text import clean_line, shorten

Kind = Literal["given", "note", "whole", "edit", "hunks"]


@dataclass(frozen=True, slots=True)
class Numbered:
    """One answer: its words, what it gives, and what comes first: a line of words (`note`), the
    numbers of `hunks`, another text of the call (`edit`); `whole` only shows more."""

    words: str
    given: Given
    kind: Kind = "given"
    letter: str = ""


def numbered(question: Question) -> tuple[Numbered, ...]:
    """The answers in the order of their numbers, from 1."""
    found: list[Numbered] = []
    options = {option.answer: option for option in question.options}
    for answer in ("allow", "always", "deny", "reason", "edit", "hunks", "whole"):
        option = options.get(answer)
        match answer:
            case "hunks" if question.hunks > 1:
                found.append(Numbered(f"some of its {question.hunks} hunks, once", _YES, "hunks"))
            case "whole" if option is not None and question.whole:
                found.append(Numbered("tell all of it", _NO, "whole", option.letter))
            case "always" if option is not None:
                found += [
                    Numbered(f"always: {width.covers}", Given(answer="allow", scope=width.scope))
                    for width in question.widths
                ]
            case "allow" if option is not None:
                found.append(Numbered(option.words, _YES, letter=option.letter))
            case "deny" if option is not None:
                found.append(Numbered(option.words, _NO, letter=option.letter))
            case "reason" if option is not None:
                found.append(Numbered(option.words, _NO, "note", option.letter))
            case "edit" if option is not None and question.editable is not None:
                words = f"edit its {name_of(question.editable)}"
                found.append(Numbered(words, _NO, "edit", option.letter))
    return tuple(found)


def name_of(editable: Editable) -> str:
    """What a person calls the one text of a call that they may change."""
    return "command" if editable.field == "command" else "text"


def named(line: str) -> str:
    """What a person typed, in a few safe words."""
    return shorten(clean_line(line), 60) or "nothing"


def hunks_chosen(written: str, hunks: int) -> tuple[int, ...]:
    """The hunks, from 0, that `1,3` or `1-2` names; none when it is anything else."""
    found: set[int] = set()
    for part in written.split(","):
        match = _SPAN.fullmatch(part.strip())
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= hunks:
            return ()
        found.update(range(first - 1, last))
    return tuple(sorted(found))


def lines_of(question: Question, *, waiting: int = 1) -> list[str]:
    """The question, whole: its title and weight, and everything that it is about."""
    more = f"  (1 of {waiting} waiting)" if waiting > 1 else ""
    weight = f"  {question.weight}" if question.weight else ""
    is_cut = any("[v] shows all of it" in line.text for line in question.body)
    body = _told(question.whole if is_cut else question.body, question.hunks)
    return ["", f"? {question.title}{weight}{more}", *body]


def whole_of(question: Question) -> list[str]:
    """All that is known of what is asked."""
    return _told(question.whole, question.hunks)


def choices(answers: Sequence[Numbered]) -> list[str]:
    """The answers as lines."""
    return [
        f"  {number}  {each.words}{f'  ({each.letter})' if each.letter else ''}"
        for number, each in enumerate(answers, start=1)
    ]


def chosen(line: str, answers: Sequence[Numbered]) -> Numbered | None:
    """The answer that a line names by its number or letter; None for anything else."""
    word = line.strip().lower()
    if word.isdecimal() and len(word) < 4 and 1 <= int(word) <= len(answers):
        return answers[int(word) - 1]
    return next((each for each in answers if each.letter and word == each.letter), None)


def _told(lines: Sequence[Line], hunks: int) -> list[str]:
    """Lines as they are told; where hunks can be chosen each begins with its number."""
    told: list[str] = []
    above = -1
    for line in lines:
        if hunks > 1 and line.hunk >= 0 and line.hunk != above:
            told.append(f"    hunk {line.hunk + 1} of {hunks}:")
        above = line.hunk
        told.append(f"    {line.text}".rstrip())
    return told


_YES, _NO = Given(answer="allow"), Given(answer="deny")
_SPAN = re.compile(r"(\d{1,4})(?:\s*-\s*(\d{1,4}))?")
