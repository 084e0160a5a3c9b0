"""The scripted demo model's summary of an older part of its conversation."""

from __future__ import annotations

from agent_cockpit.providers.demo.reply import Reply
from agent_cockpit.providers.protocol import ModelRequest
from agent_cockpit.text import clean_line, shorten

_LINES_AT_MOST = 6
_LINE_CHARACTERS = 160


def summary_of(request: ModelRequest) -> Reply:
    """What was asked, what was said last, and how many calls were made, from the record."""
    record = request.messages[-1].text.split("\n\n") if request.messages else []
    asked = _said(record, "person: ")
    told = _said(record, "model: ")
    calls = sum(entry.startswith("call: ") for entry in record)
    lines = [f"- The person asked: {words}" for words in asked[-_LINES_AT_MOST:]]
    lines += [f"- I said last: {words}" for words in told[-1:]]
    if calls:
        lines.append(f"- {calls} call{'s' * (calls != 1)} were made for it.")
    return Reply("\n".join(lines) or "- Nothing that matters was said.")


def _said(record: list[str], speaker: str) -> list[str]:
    return [
        shorten(clean_line(entry.removeprefix(speaker)), _LINE_CHARACTERS)
        for entry in record
        if entry.startswith(speaker)
    ]
