"""Configured rules: which calls a person allowed, denied or wants to be asked about, ahead
of time and in writing.

Law: doubt goes against the call. A deny or ask rule meets a line when it meets any part of
it, inside wrappers too; an allow rule helps only when every part that needs one has one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from agent_cockpit.rules.facts import CallFacts, CommandPart
from agent_cockpit.rules.grants import needs_cover

Action = Literal["allow", "ask", "deny"]


@dataclass(frozen=True, slots=True)
class ConfiguredRule:
    """One rule. `pattern` is the beginning of a command, by whole words ("" : every call of
    `tool`); `origin` says where it was written: a flag, or a file and line."""

    action: Action
    tool: str
    pattern: str
    origin: str

    def __str__(self) -> str:
        what = f"{self.tool}:{self.pattern}" if self.pattern else self.tool
        return f"{self.action} {what} ({self.origin})"


def parse_rule(text: str, *, action: Action, origin: str) -> ConfiguredRule:
    """Read `TOOL` or `TOOL:BEGINNING OF A COMMAND`; `ValueError` says what to write."""
    tool, colon, rest = text.strip().partition(":")
    tool, pattern = tool.strip(), " ".join(rest.split())
    example = "write TOOL or TOOL:PREFIX, like `run_command:git status`"
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]*", tool):
        raise ValueError(f"{origin}: {text!r} names no tool; {example}")
    if colon and not pattern:
        raise ValueError(f"{origin}: {text!r} has nothing after the colon; {example}")
    if pattern and tool != "run_command":
        raise ValueError(
            f"{origin}: only commands have a beginning to match; write `{tool}` for every call"
        )
    if re.search(r"[;|&<>$`(){}*?\\'\"\n]", pattern):
        raise ValueError(
            f"{origin}: {pattern!r} holds shell signs; a rule is the plain beginning of one "
            "command, and it covers that command inside any line by itself"
        )
    return ConfiguredRule(action, tool, pattern, origin)


def parse_allow(text: str, origin: str = "--allow") -> ConfiguredRule:
    """As `parse_rule`, for allowing; `ValueError` also where allowing could never work."""
    from agent_cockpit.rules.command_line import analyse

    rule = parse_rule(text, action="allow", origin=origin)
    judged = analyse(rule.pattern, root="/workspace") if rule.pattern else None
    if judged is not None and judged.tier >= 4:
        raise ValueError(
            f"{origin}: `{rule.pattern}` {judged.reason}, and that is asked every time; "
            "no rule can allow it ahead"
        )
    return rule


def find_rule(
    action: Action, facts: CallFacts, rules: Iterable[ConfiguredRule]
) -> ConfiguredRule | None:
    """The first rule with `action` that decides about the call."""
    meant = [rule for rule in rules if rule.action == action and rule.tool == facts.tool]
    if action == "allow":
        return _allowing(facts, meant)
    return next((rule for rule in meant if _meets(rule, facts)), None)


def _allowing(facts: CallFacts, rules: list[ConfiguredRule]) -> ConfiguredRule | None:
    needed = needs_cover(facts)
    if not needed:
        return next((rule for rule in rules if rule.pattern in ("", facts.prefix)), None)
    found = [next((rule for rule in rules if _covers(rule.pattern, part)), None) for part in needed]
    return None if None in found else found[0]


def _covers(pattern: str, part: CommandPart) -> bool:
    return not pattern or _begins(part.prefix, pattern) or _begins(part.text, pattern)


def _meets(rule: ConfiguredRule, facts: CallFacts) -> bool:
    if not rule.pattern:
        return True
    return any(
        _begins(name, rule.pattern)
        for part in facts.parts
        for name in (part.prefix, part.program, _unquoted(part.text))
    )


def _begins(text: str, pattern: str) -> bool:
    return text == pattern or text.startswith(pattern + " ")


def _unquoted(text: str) -> str:
    return " ".join(re.sub(r"""["'\\]""", "", text).split())
