"""A question as lines with numbered answers, and what a typed line answers.

Laws: all that is asked is told before the numbers are; every width of a yes is a number of
its own, with its exact scope; what is no number here is no answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agent_cockpit.cockpit.consent.choice import Given
from agent_cockpit.cockpit.consent.question import Question

Kind = Literal["given", "note", "whole"]


@dataclass(frozen=True, slots=True)
class Numbered:
    """One answer: its words, what it gives, and whether a line of words belongs to it first
    (`note`), or it only shows more (`whole`)."""

    words: str
    given: Given
    kind: Kind = "given"
    letter: str = ""


def numbered(question: Question) -> tuple[Numbered, ...]:
    """The answers in the order of their numbers, from 1."""
    found: list[Numbered] = []
    options = {option.answer: option for option in question.options}
    for answer in ("allow", "always", "deny", "reason", "whole"):
        option = options.get(answer)
        if option is None or (answer == "whole" and not question.whole):
            continue
        match answer:
            case "allow":
                found.append(Numbered(option.words, Given(answer="allow"), letter=option.letter))
            case "always":
                found += [
                    Numbered(f"always: {width.covers}", Given(answer="allow", scope=width.scope))
                    for width in question.widths
                ]
            case "deny":
                found.append(Numbered(option.words, Given(answer="deny"), letter=option.letter))
            case "reason":
                found.append(Numbered(option.words, Given(answer="deny"), "note"))
            case "whole":
                found.append(Numbered("tell all of it", Given(answer="deny"), "whole"))
    return tuple(found)


def lines_of(question: Question, *, waiting: int = 1) -> list[str]:
    """The question, whole: its title and weight, and everything that it is about."""
    more = f"  (1 of {waiting} waiting)" if waiting > 1 else ""
    weight = f"  {question.weight}" if question.weight else ""
    is_cut = any("[v] shows all of it" in line.text for line in question.body)
    body = question.whole if is_cut else question.body
    return [
        "",
        f"? {question.title}{weight}{more}",
        *(f"    {line.text}".rstrip() for line in body),
    ]


def choices(answers: Sequence[Numbered]) -> list[str]:
    """The answers as lines."""
    return [f"  {number}  {each.words}" for number, each in enumerate(answers, start=1)]


def chosen(line: str, answers: Sequence[Numbered]) -> Numbered | None:
    """The answer that a line names by its number or letter; None for anything else."""
    word = line.strip().lower()
    if word.isdecimal() and len(word) < 4 and 1 <= int(word) <= len(answers):
        return answers[int(word) - 1]
    return next((each for each in answers if each.letter and word == each.letter), None)
