"""Reads the `[[rules]]` of a settings file; what is wrong with one switches that one off.

Law: a broken rule never takes its neighbours along, and is never passed over in silence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from agent_cockpit.rules.consent.policy import ConfiguredRule
from agent_cockpit.rules.consent.rule_entries import parse_entry

MOST_RULES = 5_000
"""Of one file; more are no work of a person."""

_HEADER = re.compile(r"^[ \t]*\[\[[ \t]*(?:rules|\"rules\"|'rules')[ \t]*\]\]", re.MULTILINE)
_STRING = re.compile(r"\"\"\".*?\"\"\"|'''.*?'''", re.DOTALL)


@dataclass(frozen=True, slots=True)
class FileRules:
    """The rules of one file that hold, and for each other one where it stands and why not."""

    rules: tuple[ConfiguredRule, ...] = ()
    notices: tuple[str, ...] = ()


def rules_of(path: Path, value: object, text: str, *, may_allow: bool) -> FileRules:
    """The rules that `value`, the file's `rules`, holds; `text` is the whole file."""
    if not isinstance(value, list):
        return FileRules(
            notices=(f"{path}: its rules are switched off: each one begins with [[rules]]",)
        )
    rules: list[ConfiguredRule] = []
    notices: list[str] = []
    lines = _lines(text)
    for place, entry in enumerate(value[:MOST_RULES]):
        where = str(path)
        if len(lines) == len(value):
            where += f", line {lines[place]}"
        elif len(value) > 1:
            where += f", rule {place + 1}"
        try:
            rules += parse_entry(entry, origin=where, may_allow=may_allow)
        except ValueError as wrong:
            notices.append(f"{where}: this rule is switched off: {wrong}")
    if len(value) > MOST_RULES:
        notices.append(f"{path}: only its first {MOST_RULES} rules hold; there are {len(value)}")
    return FileRules(tuple(rules), tuple(notices))


def _lines(text: str) -> list[int]:
    """The line of each `[[rules]]`; what only looks like one inside a long text is none."""
    bare = _STRING.sub(lambda match: "\n" * match[0].count("\n"), text)
    return [bare.count("\n", 0, match.start()) + 1 for match in _HEADER.finditer(bare)]
