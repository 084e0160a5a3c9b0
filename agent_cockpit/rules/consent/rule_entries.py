"""Rules as people write them, in a flag or in a settings file, checked before they count.

Law: an entry that could never do what it says is refused with the way to write it; nothing
is guessed from half of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from agent_cockpit.rules.consent.policy import COMMAND_TOOL, Action, ConfiguredRule, RuleBook
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.rules.shell.command_line import CommandAnalysis, analyse
from agent_cockpit.text import clean_line, shorten

FIELDS = ("action", "tool", "command", "path", "match", "not_match", "reason")
_ROOT = "/workspace"
"""Stands for the workspace when a rule and its examples are tried."""


def parse_rule(text: str, *, action: Action, origin: str) -> ConfiguredRule:
    """Read `TOOL` or `TOOL:BEGINNING OF A COMMAND`; `ValueError` says what to write."""
    tool, colon, rest = text.strip().partition(":")
    tool, pattern = tool.strip(), " ".join(rest.split())
    example = "write TOOL or TOOL:PREFIX, like `run_command:git status`"
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]*", tool):
        raise ValueError(f"{origin}: {text!r} names no tool; {example}")
    if colon and not pattern:
        raise ValueError(f"{origin}: {text!r} has nothing after the colon; {example}")
    if pattern and tool != COMMAND_TOOL:
        raise ValueError(
            f"{origin}: only commands have a beginning to match; write `{tool}` for every call"
        )
    if wrong := _wrong_signs(pattern, allowed=""):
        raise ValueError(f"{origin}: {wrong}")
    return ConfiguredRule(action, tool, pattern, origin)


def parse_allow(text: str, origin: str = "--allow") -> ConfiguredRule:
    """As `parse_rule`, for allowing; `ValueError` also where allowing could never work."""
    rule = parse_rule(text, action="allow", origin=origin)
    if useless := _never_allowed(rule.pattern):
        raise ValueError(f"{origin}: {useless}")
    return rule


def parse_entry(
    entry: object, *, origin: str, may_allow: bool = True
) -> tuple[ConfiguredRule, ...]:
    """The rules of one table of a settings file; `ValueError` says what is wrong with it.

    Each of `tool`, `command` and `path` may be one text or a list, of which any may fit.
    `match` and `not_match` are calls (command lines, or paths, or names of tools) that the
    entry must mean and must not mean. With `may_allow` False only deny and ask are taken.
    """
    table = _table(entry)
    action = _action(table, may_allow=may_allow)
    tools, commands, paths = (_texts(table, name) for name in ("tool", "command", "path"))
    reason = _texts(table, "reason")
    if not (tools or commands or paths):
        raise ValueError("it names no `tool`, `command` or `path`, so it would mean nothing")
    for tool in tools:
        if not re.fullmatch(r"[A-Za-z0-9_.*?-]+", tool):
            raise ValueError(f"`tool` {_quoted(tool)} is no name of a tool")
    if tools and commands and COMMAND_TOOL not in tools:
        raise ValueError(f'with `command`, `tool` is "{COMMAND_TOOL}" or left out')
    for command in commands:
        if wrong := _wrong_signs(command, allowed="*?"):
            raise ValueError(wrong)
    for path in paths:
        _check_path(path)
    if action == "allow":
        _check_allow(tools, commands, paths)
    rules = tuple(
        ConfiguredRule(
            action,
            COMMAND_TOOL if command else tool,
            " ".join(command.split()),
            origin,
            path=path,
            reason=clean_line(" ".join(reason)),
        )
        for tool in tools or ("",)
        for command in commands or ("",)
        for path in paths or ("",)
    )
    _check_examples(rules, _texts(table, "match"), meant=True)
    _check_examples(rules, _texts(table, "not_match"), meant=False)
    return rules


def _table(entry: object) -> Mapping[str, Any]:
    if not isinstance(entry, Mapping):
        raise ValueError('a rule is a table: [[rules]] with action = "deny" and the rest below')
    for name in entry:
        if name not in FIELDS:
            close = get_close_matches(str(name), FIELDS, n=1, cutoff=0.6)
            hint = f"; did you mean `{close[0]}`?" if close else f"; it has {', '.join(FIELDS)}"
            raise ValueError(f"a rule has no `{clean_line(str(name))}`{hint}")
    return entry


def _action(table: Mapping[str, Any], *, may_allow: bool) -> Action:
    action = table.get("action")
    if action not in ("allow", "ask", "deny"):
        found = f", not {_quoted(action)}" if action is not None else ""
        raise ValueError(f'`action` is "allow", "ask" or "deny"{found}')
    if action == "allow" and not may_allow:
        raise ValueError(
            "a project may only deny or ask; what it wants to allow belongs into your own file"
        )
    known: Action = action
    return known


def _texts(table: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = table.get(name, ())
    texts = (value,) if isinstance(value, str) else value
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise ValueError(f"`{name}` is a text or a list of texts, not {_quoted(value)}")
    if name in table and (not texts or not all(text.strip() for text in texts)):
        raise ValueError(f"`{name}` is empty; leave it out, or write what it should mean")
    return tuple(texts)


def _wrong_signs(pattern: str, *, allowed: str) -> str:
    found = re.search(r"[;|&<>$`(){}*?\\'\"\n]", re.sub(f"[{allowed or ' '}]", " ", pattern))
    if not found:
        return ""
    return (
        f"{pattern!r} holds shell signs; a rule is the plain beginning of one command, and it "
        "covers that command inside any line by itself"
    )


def _check_path(path: str) -> None:
    if path.startswith("~") or ".." in path.split("/") or "\0" in path:
        raise ValueError(
            f"`path` {_quoted(path)} leads out of the workspace; write it from the workspace on, "
            "like `migrations/**`"
        )
    if not path.strip("/.* "):
        raise ValueError(f"`path` {_quoted(path)} means every file; leave it out and name a `tool`")


def _check_allow(tools: tuple[str, ...], commands: tuple[str, ...], paths: tuple[str, ...]) -> None:
    if commands and paths:
        raise ValueError(
            "an allow rule takes `command` or `path`: what a command touches cannot be vouched for"
        )
    if paths and COMMAND_TOOL in tools:
        raise ValueError("an allow rule with `path` is for file tools, not for commands")
    for command in commands:
        if useless := _never_allowed(command):
            raise ValueError(useless)


def _never_allowed(pattern: str) -> str:
    judged = _analysed(pattern) if pattern else None
    if judged is None or judged.tier < 4:
        return ""
    return f"`{pattern}` {judged.reason}, and that is asked every time; no rule can allow it ahead"


def _check_examples(
    rules: tuple[ConfiguredRule, ...], examples: Iterable[str], *, meant: bool
) -> None:
    book = RuleBook(rules)
    word = "match" if meant else "not_match"
    for example in examples:
        facts = _example(rules[0], example)
        found = book.find(rules[0].action, facts) is not None
        if found != meant:
            does = "does not mean" if meant else "means"
            raise ValueError(f"its example fails: it {does} {_quoted(example)} (`{word}`)")
        if meant and rules[0].action == "allow" and not facts.grantable:
            raise ValueError(
                f"its example can never be allowed ahead: {_quoted(example)} {facts.reason}"
            )


def _example(rule: ConfiguredRule, example: str) -> CallFacts:
    if rule.pattern or rule.tool == COMMAND_TOOL:
        seen = _analysed(example)
        return CallFacts(
            tool=COMMAND_TOOL,
            tier=seen.tier,
            reason=seen.reason,
            command=example,
            parts=seen.parts,
            reads=seen.reads,
            writes=seen.writes,
            grantable=seen.grantable,
            prefix=seen.prefix,
        )
    if rule.path:
        tool = rule.tool if rule.tool and not re.search(r"[*?]", rule.tool) else "read_file"
        return CallFacts(tool=tool, tier=1, reads=(example,))
    return CallFacts(tool=example, tier=1)


def _analysed(command: str) -> CommandAnalysis:
    return analyse(command, root=_ROOT)


def _quoted(value: object) -> str:
    return shorten(clean_line(repr(value)), 80)
