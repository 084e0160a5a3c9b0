"""Configured rules: which calls a person allowed, denied or wants to be asked about, ahead
of time and in writing.

Law: doubt goes against the call. A deny or ask rule meets a line when it meets any part of
it, inside wrappers too; an allow rule helps only when every part that needs one has one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.rules.grants import needs_cover
from agent_cockpit.rules.rule_patterns import (
    CommandPattern,
    PathPattern,
    Reading,
    is_glob,
    readings,
    touched,
)

Action = Literal["allow", "ask", "deny"]
COMMAND_TOOL = "run_command"


@dataclass(frozen=True, slots=True)
class ConfiguredRule:
    """One rule: it means a call that fits all of `tool`, `pattern` and `path`.

    `tool` may hold `*` ("" : any). `pattern` is the beginning of a command, by whole words
    ("" : any call). `path` is a place that the call touches. `origin` says where the rule
    was written: a flag, or a file and line. `reason` is the person's own word about it.
    """

    action: Action
    tool: str
    pattern: str
    origin: str
    path: str = ""
    reason: str = ""

    def __str__(self) -> str:
        what = f"{self.tool}:{self.pattern}" if self.pattern else self.tool or "every call"
        place = f" in {self.path}" if self.path else ""
        return f"{self.action} {what}{place} ({self.origin})"

    @property
    def told(self) -> str:
        """The rule as person and model read it, with the reason that was written down."""
        return f"{self} - {self.reason}" if self.reason else str(self)


class RuleBook:
    """Rules made ready to be looked up, once for a sitting; it never changes."""

    def __init__(self, rules: Iterable[ConfiguredRule] = ()) -> None:
        self.rules = tuple(rules)
        self._against = {
            action: _Against([rule for rule in self.rules if rule.action == action])
            for action in ("deny", "ask")
        }
        self._allowing = _Allowing(rule for rule in self.rules if rule.action == "allow")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RuleBook) and self.rules == other.rules

    def __hash__(self) -> int:
        return hash(self.rules)

    def find(self, action: Action, facts: CallFacts) -> ConfiguredRule | None:
        """A rule with `action` that decides about the call, the first where several do."""
        if action == "allow":
            return self._allowing.find(facts)
        return self._against[action].find(facts)


def rules_without_tool(rules: Iterable[ConfiguredRule], tools: Iterable[str]) -> Iterator[str]:
    """What to tell of each rule whose tool there is not; tools of servers are never known."""
    names = tuple(tools)
    for rule in rules:
        named = not rule.tool or any(fnmatchcase(name, rule.tool) for name in names)
        if not named and not rule.tool.startswith(("mcp", "call_mcp")):
            yield f"{rule.origin}: there is no tool `{rule.tool}`, so this rule means nothing now"


class _Allowing:
    """The allow rules, by letter: nothing that only looks like what they say is allowed."""

    def __init__(self, rules: Iterable[ConfiguredRule]) -> None:
        self.commands: dict[str, list[tuple[ConfiguredRule, tuple[str, ...]]]] = {}
        self.others: list[tuple[ConfiguredRule, PathPattern | None]] = []
        for rule in rules:
            if rule.pattern or rule.tool == COMMAND_TOOL:
                words = tuple(rule.pattern.split())
                key = "" if not words or is_glob(words[0]) else words[0]
                self.commands.setdefault(key, []).append((rule, words))
            else:
                place = PathPattern(rule.path, exact=True) if rule.path else None
                self.others.append((rule, place))

    def find(self, facts: CallFacts) -> ConfiguredRule | None:
        """The first rule for all that the call needs; of a line that takes several, one."""
        if facts.tool != COMMAND_TOOL:
            return next((rule for rule, place in self.others if _vouches(rule, place, facts)), None)
        if not self.commands:
            return None
        needed = needs_cover(facts) or facts.parts
        found = [self._covering(part.prefix.split(), part.words) for part in needed]
        if not found:
            return self._covering(facts.prefix.split())
        return None if None in found else found[0]

    def _covering(self, *spellings: Sequence[str]) -> ConfiguredRule | None:
        for words in spellings:
            for key in ("", *words[:1]):
                for rule, pattern in self.commands.get(key, ()):
                    if _begins(words, pattern):
                        return rule
        return None


def _vouches(rule: ConfiguredRule, place: PathPattern | None, facts: CallFacts) -> bool:
    """Whether a rule about tools and places allows all that the call touches."""
    if facts.command is not None or not fnmatchcase(facts.tool, rule.tool or "*"):
        return False
    paths = (*facts.reads, *facts.writes)
    return place is None or (bool(paths) and all(map(place.holds, paths)))


def _begins(words: Sequence[str], pattern: tuple[str, ...]) -> bool:
    return len(words) >= len(pattern) and all(map(fnmatchcase, words, pattern))


@dataclass(frozen=True, slots=True)
class _Entry:
    order: int
    rule: ConfiguredRule
    command: CommandPattern | None
    place: PathPattern | None


class _Against:
    """The rules of one action that restricts, sorted by words that a call must have to be met."""

    def __init__(self, rules: list[ConfiguredRule]) -> None:
        self.tools: list[_Entry] = []
        self.named: dict[tuple[str, str], list[_Entry]] = {}
        self.unnamed: list[_Entry] = []
        self.placed: dict[str, list[_Entry]] = {}
        self.takes_paths = any(rule.path for rule in rules)
        for order, rule in enumerate(rules):
            command = CommandPattern(rule.pattern) if rule.pattern else None
            place = PathPattern(rule.path) if rule.path else None
            entry = _Entry(order, rule, command, place)
            if command is None and place is None:
                self.tools.append(entry)
            elif command is None and place is not None:
                self.placed.setdefault(place.key, []).append(entry)
            elif command is not None and isinstance(command.name, str):
                self.named.setdefault((command.name, command.key), []).append(entry)
            else:
                self.unnamed.append(entry)
        self._names = frozenset(name for name, _ in self.named)

    def find(self, facts: CallFacts) -> ConfiguredRule | None:
        """The first rule that means the call, or may mean it."""
        paths = touched(facts) if self.takes_paths else ()
        met = [entry for entry in self.tools if _is_for(entry.rule, facts)]
        met += self._by_place(facts, paths)
        if self.named or self.unnamed:
            met += self._by_command(facts, paths)
        return min(met, key=lambda entry: entry.order).rule if met else None

    def _by_command(self, facts: CallFacts, paths: Sequence[str]) -> Iterator[_Entry]:
        for reading in readings(facts):
            for entry in self._candidates(reading):
                meets = entry.command is not None and entry.command.meets(reading)
                placed = entry.place is None or any(map(entry.place.meets, paths))
                if meets and placed and _is_for(entry.rule, facts):
                    yield entry

    def _candidates(self, reading: Reading) -> Iterator[_Entry]:
        for name in reading.names & self._names:
            for key in ("", *reading.given):
                yield from self.named.get((name, key), ())
        yield from self.unnamed

    def _by_place(self, facts: CallFacts, paths: Sequence[str]) -> Iterator[_Entry]:
        for path in paths:
            keys: Iterable[str] = self.placed if is_glob(path) else {"", *path.split("/")}
            for key in keys:
                for entry in self.placed.get(key, ()):
                    if entry.place and entry.place.meets(path) and _is_for(entry.rule, facts):
                        yield entry


def _is_for(rule: ConfiguredRule, facts: CallFacts) -> bool:
    """A rule about commands means every call that has one run, now or later."""
    if rule.tool == COMMAND_TOOL and rule.pattern:
        return bool(facts.parts)
    return not rule.tool or fnmatchcase(facts.tool, rule.tool)
