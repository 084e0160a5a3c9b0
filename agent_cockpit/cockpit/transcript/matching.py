"""Where a query stands in texts: words at once, patterns in a process of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from agent_cockpit.cockpit.transcript.pattern_process import PatternError, PatternProcess

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for: words, or a pattern in the language of `re`."""

    text: str
    is_regex: bool = False

    @property
    def ignores_case(self) -> bool:
        """Small letters mean any letters, until a capital is written."""
        letters = re.sub(r"\\.", "", self.text) if self.is_regex else self.text
        return letters == letters.lower()

    def narrows(self, before: Query) -> bool:
        """Whether all that this finds begins where `before` finds something: words that go on
        with those before."""
        if self.is_regex or before.is_regex or not before.text:
            return False
        return self.text.startswith(before.text)


class Matcher(Protocol):
    """Looks for one query; after `close` it is of no use."""

    async def counts(self, texts: Sequence[str]) -> list[int]:
        """How often it stands in each text."""
        ...

    async def spans(self, text: str) -> list[Span]:
        """Where it stands, in characters."""
        ...

    async def close(self) -> None:
        """Let go of what it holds."""
        ...


def matcher_of(query: Query, patterns: PatternProcess) -> Matcher:
    """The matcher of a query that is not empty; `patterns` runs one that is a pattern."""
    return PatternMatcher(query, patterns) if query.is_regex else WordMatcher(query)


class WordMatcher:
    """Words as they are written; any white space between them counts as theirs."""

    def __init__(self, query: Query) -> None:
        words = r"\s+".join(re.escape(word) for word in query.text.split(" ") if word)
        lead, tail = (r"\s" if at == " " else "" for at in (query.text[:1], query.text[-1:]))
        flags = re.IGNORECASE if query.ignores_case else 0
        self._words = re.compile(f"{lead}{words}{tail}" if words else r"\s", flags)

    async def counts(self, texts: Sequence[str]) -> list[int]:
        return [len(self._words.findall(text)) for text in texts]

    async def spans(self, text: str) -> list[Span]:
        return [found.span() for found in self._words.finditer(text)]

    async def close(self) -> None:
        return


class PatternMatcher:
    """One pattern, run by a process that others ask as well."""

    def __init__(self, query: Query, patterns: PatternProcess) -> None:
        self._query = query
        self._patterns = patterns
        self._waiting = 0
        """Questions without an answer."""
        self._is_over = False

    async def counts(self, texts: Sequence[str]) -> list[int]:
        return [int(count) for count in await self._ask("counts", texts)]

    async def spans(self, text: str) -> list[Span]:
        (found,) = await self._ask("spans", [text])
        return [(start, end) for start, end in found]

    async def close(self) -> None:
        self._is_over = True
        if self._waiting:
            await self._patterns.make_free()

    async def _ask(self, want: Literal["counts", "spans"], texts: Sequence[str]) -> list[Any]:
        request = {
            "pattern": self._query.text,
            "ignore_case": self._query.ignores_case,
            "want": want,
            "texts": list(texts),
        }
        self._waiting += 1
        try:
            async with self._patterns.turn:
                if self._is_over:
                    raise PatternError("the search is over")
                answer = await self._patterns.answer(request)
        except PatternError:
            self._is_over = True
            raise
        finally:
            self._waiting -= 1
        found: list[Any] = answer[want]
        return found
