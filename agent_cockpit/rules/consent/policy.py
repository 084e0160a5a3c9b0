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

from agent_cockpit.rules.consent.grants import needs_cover
from agent_cockpit.rules.consent.rule_patterns import (
    ByHead,
    CommandPattern,
    PathPattern,
    Reading,
    fits,
    is_glob,
    matcher,
    readings,
    touched,
)
from agent_cockpit.rules.facts import CallFacts

Action = Literal["allow", "ask", "deny"]
COMMAND_TOOL = "run_command"
MOST_PATTERNS = 100
"""Of one line are compared to the places of rules; a line with more may mean any place."""


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


class _Beginning:
    """The first words of the commands that one rule allows."""

    __slots__ = ("_matchers", "_words", "rule")

    def __init__(self, rule: ConfiguredRule, words: tuple[str, ...]) -> None:
        self.rule = rule
        self._words = words
        self._matchers = tuple(map(matcher, words)) if any(map(is_glob, words)) else ()

    def is_of(self, words: tuple[str, ...]) -> bool:
        """Whether a command with these words begins so."""
        first = words[: len(self._words)]
        if not self._matchers or len(first) < len(self._matchers):
            return first == self._words
        return all(map(fits, self._matchers, first))


class _Allowing:
    """The allow rules, by letter: nothing that only looks like what they say is allowed."""

    def __init__(self, rules: Iterable[ConfiguredRule]) -> None:
        self.commands: ByHead[_Beginning] = ByHead()
        self.others: list[tuple[ConfiguredRule, PathPattern | None]] = []
        for rule in rules:
            if rule.pattern or rule.tool == COMMAND_TOOL:
                words = rule.pattern.split()
                self.commands.add(words[0] if words else "*", _Beginning(rule, tuple(words)))
            else:
                place = PathPattern(rule.path, exact=True) if rule.path else None
                self.others.append((rule, place))

    def find(self, facts: CallFacts) -> ConfiguredRule | None:
        """The first rule for all that the call needs; of a line that takes several, one."""
        if facts.tool != COMMAND_TOOL:
            return next((rule for rule, place in self.others if _vouches(rule, place, facts)), None)
        needed = needs_cover(facts) or facts.parts
        found = [self._covering(tuple(part.prefix.split()), part.words) for part in needed]
        if not found:
            return self._covering(tuple(facts.prefix.split()))
        return None if None in found else found[0]

    def _covering(self, *spellings: tuple[str, ...]) -> ConfiguredRule | None:
        for words in spellings:
            for beginning in self.commands.under(words[0] if words else ""):
                if beginning.is_of(words):
                    return beginning.rule
        return None


def _vouches(rule: ConfiguredRule, place: PathPattern | None, facts: CallFacts) -> bool:
    """Whether a rule about tools and places allows all that the call touches."""
    if facts.command is not None or not fnmatchcase(facts.tool, rule.tool or "*"):
        return False
    paths = (*facts.reads, *facts.writes)
    return place is None or (bool(paths) and all(map(place.holds, paths)))


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
        self.unnamed: ByHead[_Entry] = ByHead()
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
                self.unnamed.add(rule.pattern.split()[0], entry)
        self._names = frozenset(name for name, _ in self.named)

    def find(self, facts: CallFacts) -> ConfiguredRule | None:
        """The first rule that means the call, or may mean it."""
        paths = touched(facts) if self.takes_paths else ()
        met = [entry for entry in self.tools if _is_for(entry.rule, facts)]
        met += self._by_place(facts, paths)
        met += self._by_command(facts, paths)
        return min(met, key=lambda entry: entry.order).rule if met else None

    def _by_command(self, facts: CallFacts, paths: Sequence[str]) -> Iterator[_Entry]:
        for reading in readings(facts):
            for entry in self._candidates(reading):
                if entry.command is None or not entry.command.meets(reading):
                    continue
                placed = entry.place is None or any(map(entry.place.meets, paths))
                if placed and _is_for(entry.rule, facts):
                    yield entry

    def _candidates(self, reading: Reading) -> Iterator[_Entry]:
        for name in reading.names & self._names:
            for key in ("", *reading.given):
                yield from self.named.get((name, key), ())
        for name in reading.names:
            for entry in self.unnamed.under(name):
                if entry.command is not None and entry.command.is_named(name):
                    yield entry

    def _by_place(self, facts: CallFacts, paths: Sequence[str]) -> Iterator[_Entry]:
        patterns = sum(map(is_glob, paths))
        if patterns > MOST_PATTERNS:
            every = (entry for entries in self.placed.values() for entry in entries)
            yield from (entry for entry in every if _is_for(entry.rule, facts))
            return
        for path in paths:
            keys: Iterable[str] = self.placed if is_glob(path) else {"", *path.split("/")}
            for key in keys:
                for entry in self.placed.get(key, ()):
                    if entry.place and entry.place.meets(path) and _is_for(entry.rule, facts):
                        yield entry


def _is_for(rule: ConfiguredRule, facts: CallFacts) -> bool:
    """A rule about commands means every call that has one run, now or later."""
    if rule.tool == COMMAND_TOOL and rule.pattern:
        return bool(facts.parts) or facts.command is not None
    return not rule.tool or fnmatchcase(facts.tool, rule.tool)
