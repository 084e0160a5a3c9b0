"""Where a query stands in texts: words at once, patterns in a child that can be killed.

Law: a person's pattern never runs in this process, where it could hold the screen up for ever.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

Span = tuple[int, int]
DEADLINE_S = 4.0
"""A pattern that works longer on one slice of a transcript is given up."""
_LONGEST_ANSWER = 2**26


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


class PatternError(Exception):
    """The query cannot be looked for; the text says why."""


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


def matcher_of(query: Query) -> Matcher:
    """The matcher of a query that is not empty."""
    return PatternMatcher(query) if query.is_regex else WordMatcher(query)


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
    """Owns the child that runs one pattern; it starts with the first question."""

    def __init__(self, query: Query, *, deadline_s: float = DEADLINE_S) -> None:
        self._query = query
        self._deadline_s = deadline_s
        self._child: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._is_over = False

    async def counts(self, texts: Sequence[str]) -> list[int]:
        return [int(count) for count in await self._ask("counts", texts)]

    async def spans(self, text: str) -> list[Span]:
        (found,) = await self._ask("spans", [text])
        return [(start, end) for start, end in found]

    async def close(self) -> None:
        self._is_over = True
        child, self._child = self._child, None
        if child is not None:
            if child.returncode is None:
                child.kill()
            await child.wait()

    async def _ask(self, want: Literal["counts", "spans"], texts: Sequence[str]) -> list[Any]:
        request = {
            "pattern": self._query.text,
            "ignore_case": self._query.ignores_case,
            "want": want,
            "texts": list(texts),
        }
        async with self._turn:
            if self._is_over:
                raise PatternError("the search is over")
            try:
                async with asyncio.timeout(self._deadline_s):
                    answer = await self._exchange(json.dumps(request).encode() + b"\n")
            except TimeoutError:
                await self.close()
                raise PatternError("this pattern takes too long") from None
            except (OSError, ValueError) as error:
                await self.close()
                raise PatternError(f"the search broke off: {error}") from error
            except asyncio.CancelledError:
                await self.close()  # its answer would be taken for that of the next question
                raise
        if "error" in answer:
            raise PatternError(str(answer["error"]))
        found: list[Any] = answer[want]
        return found

    async def _exchange(self, request: bytes) -> dict[str, Any]:
        if self._child is None:
            self._child = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", str(Path(__file__).with_name("pattern_child.py"))),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=_LONGEST_ANSWER,
            )
        if self._is_over:  # closed while it was being started
            await self.close()
            raise OSError("it was closed")
        reading, writing = self._child.stdout, self._child.stdin
        assert reading is not None
        assert writing is not None
        writing.write(request)
        await writing.drain()
        line = await reading.readline()
        if not line:
            raise OSError("its process ended")
        answer: dict[str, Any] = json.loads(line)
        return answer
