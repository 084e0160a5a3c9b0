"""The steps of a proposed plan, read from whatever shape the model gave it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agent_cockpit.text import clean, clean_line


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step: its place in the plan, from 1, and what is to be done, on one safe line."""

    number: int
    text: str


def plan_steps(text: str) -> tuple[PlanStep, ...]:
    """The outermost numbered items; without any the outermost bullets, then the paragraphs.

    Headings may be numbered too ("## Step 1: …"). Nested items and code belong to the step
    above them and do not count. Steps are numbered anew, since models often do not.
    """
    lines = list(_outside_code(clean(text).split("\n")))
    found = _items(lines, _NUMBERED) or _items(lines, _BULLET) or _paragraphs(lines)
    steps = [bare for bare in map(_plain, found) if bare]
    return tuple(PlanStep(number, step) for number, step in enumerate(steps, start=1))


_NUMBERED = re.compile(
    r"(?P<indent> *)(?:#{1,6} +)?\**(?:(?:step|phase) +[0-9]{1,4} *[.):–—-]|[0-9]{1,4}[.)])\**"
    r"\s+(?P<text>\S.*)",
    re.IGNORECASE,
)
_BULLET = re.compile(r"(?P<indent> *)[-*+•]\s+(?P<text>\S.*)")
_ANY_ITEM = re.compile(r" *(?:[-*+•]|[0-9]{1,4}[.)])\s")
_HEADING = re.compile(r" {0,3}#{1,6}(?:\s|$)")
_RULE = re.compile(r" {0,3}(?:-{3,}|\*{3,}|_{3,})\s*")
_FENCE = re.compile(r" *(```+|~~~+)")
_BOX = re.compile(r"\[[ xX]\]\s+")
_STRONG = re.compile(r"\*\*|__(?=\w)|(?<=\w)__")


def _outside_code(lines: Iterable[str]) -> Iterator[str]:
    """The lines that are no fenced code, tabs as four spaces."""
    fence = ""
    for line in lines:
        opened = _FENCE.match(line)
        if fence:
            if opened and opened[1].startswith(fence):
                fence = ""
        elif opened:
            fence = opened[1]
        else:
            yield line.expandtabs(4)


def _items(lines: list[str], sign: re.Pattern[str]) -> list[str]:
    """The outermost items, each with the lines that its first sentence runs on to."""
    matches = [None if _RULE.fullmatch(line) else sign.match(line) for line in lines]
    outermost = min((len(match["indent"]) for match in matches if match), default=0)
    items: list[list[str]] = []
    running_on = False
    for line, match in zip(lines, matches, strict=True):
        if match and len(match["indent"]) <= outermost + 1:
            items.append([match["text"]])
            running_on = not _HEADING.match(line)
        elif not line.strip() or _ANY_ITEM.match(line) or _HEADING.match(line):
            running_on = False
        elif running_on:
            items[-1].append(line)
    return [" ".join(item) for item in items]


def _paragraphs(lines: list[str]) -> list[str]:
    """What stands between blank lines, without headings and rules."""
    paragraphs: list[list[str]] = [[]]
    for line in lines:
        if line.strip() and not _HEADING.match(line) and not _RULE.fullmatch(line):
            paragraphs[-1].append(line)
        elif paragraphs[-1]:
            paragraphs.append([])
    return [" ".join(paragraph) for paragraph in paragraphs]


def _plain(step: str) -> str:
    """On one line, without tick box and bold signs."""
    return clean_line(_STRONG.sub("", _BOX.sub("", step, count=1)))
