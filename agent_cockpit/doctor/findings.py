"""What an examination found, as values, and how it reads: lines for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Literal, TextIO

from agent_cockpit.text import clean_line

State = Literal["ok", "note", "fault"]
_SIGNS: dict[State, str] = {"ok": "✔", "note": "!", "fault": "✘"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. `note`: it works, with less; `fault`: something does not.

    `advice` says what a person can do about it, `details` more of the same, a line each.
    """

    name: str
    state: State
    words: str
    advice: str = ""
    details: tuple[str, ...] = ()


def tell(findings: Iterable[Finding], *, as_json: bool, out: TextIO) -> bool:
    """Write the findings, as lines as they come; whether none of them is a fault."""
    told = []
    for found in findings:
        told.append(found)
        if not as_json:
            print(*_lines(found), sep="\n", file=out, flush=True)
    if as_json:
        print(json.dumps([asdict(found) for found in told], indent=2), file=out)
    return all(found.state != "fault" for found in told)


def _lines(found: Finding) -> list[str]:
    lines = [f"{_SIGNS[found.state]} {found.name:<10} {clean_line(found.words)}"]
    lines += [f"{'':13}{clean_line(detail)}" for detail in found.details]
    if found.advice:
        lines.append(f"{'':13}→ {clean_line(found.advice)}")
    return lines
