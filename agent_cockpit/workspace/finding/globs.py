"""File patterns (`src/**/*.py`, `*.{ts,tsx}`), matched while walking down a tree.

Law: matching is never worse than length of name times length of pattern, whatever they hold.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import translate
from functools import cached_property

from agent_cockpit.errors import ToolRefused

LONGEST_PATTERN = 1000
MOST_ALTERNATIVES = 64
"""How many patterns `{a,b}{c,d}…` may stand for."""
MOST_STARS_IN_A_PART = 8

States = frozenset[int]
"""How far into the parts of a pattern a path may have come."""


@dataclass(frozen=True)
class Glob:
    """One pattern without braces, cut at its slashes."""

    parts: tuple[str, ...]

    @cached_property
    def _matchers(self) -> tuple[re.Pattern[str] | None, ...]:
        return tuple(None if part == "**" else re.compile(translate(part)) for part in self.parts)

    @property
    def start(self) -> States:
        """The states before the first name."""
        return self._through_any_depth({0})

    @property
    def shows_dot_names(self) -> bool:
        """Whether the pattern itself asks for names that begin with a dot."""
        return any(part.startswith(".") for part in self.parts)

    def step(self, states: States, name: str) -> States:
        """The states after going down to `name`; none when nothing below can match."""
        reached: set[int] = set()
        for state in states:
            if state < len(self.parts):
                matcher = self._matchers[state]
                if matcher is None:
                    reached.add(state)
                elif matcher.match(name):
                    reached.add(state + 1)
        return self._through_any_depth(reached)

    def accepts(self, states: States) -> bool:
        """Whether the path so far is a match."""
        return len(self.parts) in states

    def _through_any_depth(self, states: set[int]) -> States:
        for state in sorted(states):
            at = state
            # `**` may stand for no folder at all, except at the end: `a/**` is what is in a.
            while at < len(self.parts) - 1 and self.parts[at] == "**":
                at += 1
                states.add(at)
        return frozenset(states)


def parse_glob(pattern: str) -> tuple[Glob, ...]:
    """The patterns that `pattern` stands for; `ToolRefused` says what is wrong with it."""
    if len(pattern) > LONGEST_PATTERN or "\0" in pattern:
        raise ToolRefused("the pattern is too long or holds a NUL character")
    return tuple(_glob(each) for each in _without_braces(pattern))


def _glob(pattern: str) -> Glob:
    parts: list[str] = []
    for part in pattern.replace("\\", "/").split("/"):
        if part == "..":
            raise ToolRefused("a pattern cannot lead out of the workspace with `..`")
        part = re.sub(r"\*\*+", "*", part) if part.strip("*") else part
        part = "**" if part.startswith("**") and not part.strip("*") else part
        if part.count("*") > MOST_STARS_IN_A_PART:
            raise ToolRefused(f"a pattern takes at most {MOST_STARS_IN_A_PART} `*` between slashes")
        if part not in ("", ".") and not (part == "**" and parts[-1:] == ["**"]):
            parts.append(part)
    if parts[-1:] == ["**"]:
        parts.append("*")
    return Glob(tuple(parts) or ("**", "*"))


def _without_braces(pattern: str) -> list[str]:
    done: list[str] = []
    waiting = [pattern]
    while waiting:
        each = waiting.pop()
        match = re.search(r"\{([^{}]*,[^{}]*)\}", each)
        if match is None:
            done.append(each)
        else:
            for choice in reversed(match[1].split(",")):
                waiting.append(each[: match.start()] + choice + each[match.end() :])
        if len(done) + len(waiting) > MOST_ALTERNATIVES:
            raise ToolRefused(f"the pattern stands for more than {MOST_ALTERNATIVES} others")
    return done
