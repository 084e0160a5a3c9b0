"""All that is known of a call that waits: every part, every argument, every width of a yes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from agent_cockpit.cockpit.consent.asked import AskedCall, AskedPart
from agent_cockpit.cockpit.consent.question import (
    TIER_WORDS,
    WHOLE_CHARS,
    Line,
    as_json,
    shown_text,
)
from agent_cockpit.text import reveal_line

SOON = 3
"""Tiers from which on a part is marked."""


def review(call: AskedCall, summary: Sequence[Line]) -> Iterator[Line]:
    """The lines of the full view: the summary uncut, then what it stands for."""
    yield from takewhile(lambda line: line.text, summary) if call.parts else summary
    if call.parts:
        yield from _heading("what it runs, part by part")
        for number, part in enumerate(call.parts, start=1):
            yield from _part(number, part)
    if call.scopes:
        yield from _heading("how far a yes may reach")
        for each in call.scopes:
            calls = f"{each.seen} call{'s' * (each.seen != 1)}"
            seen = f" · would have covered {calls} so far" if each.seen else ""
            yield Line(f"  {reveal_line(each.covers)}{seen}", hang=4)
    yield from _heading("what it is given, letter for letter")
    if not call.input:
        yield Line("  nothing", "muted")
    for name, value in call.input.items():
        text = value if isinstance(value, str) else as_json(value)
        size = f"  {len(text)} characters" if len(text) > 80 or "\n" in text else ""
        yield Line(f"  {reveal_line(str(name))}:{size}", "strong")
        for line in shown_text(text, WHOLE_CHARS).split("\n"):
            yield Line(f"    {line}", hang=4)


def _heading(words: str) -> Iterator[Line]:
    yield Line("")
    yield Line(words, "place")


def _part(number: int, part: AskedPart) -> Iterator[Line]:
    yield Line(f"  {number}  {reveal_line(part.text)}", "strong", hang=5)
    weight = f"tier {part.tier} · {TIER_WORDS.get(part.tier, 'unknown')}"
    reason = f" · {reveal_line(part.reason)}" if part.reason else ""
    yield Line(f"     {weight}{reason}", "warning" if part.tier >= SOON else "muted", hang=5)
    for verb, paths in (("reads", part.reads), ("writes", part.writes)):
        if paths:
            yield Line(f"     {verb} {', '.join(reveal_line(path) for path in paths)}", "muted")
    if part.network:
        yield Line("     uses the network", "warning")
