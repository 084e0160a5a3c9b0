"""Long texts in a prompt, each shown as a chip: `[paste 1 · 10,000 lines]`.

Laws: what a chip stands for is sent letter for letter; only a chip that was made here is one,
and no text behind a chip is looked through for others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

MOST_LINES = 10
MOST_CHARS = 1000
"""A text beyond either is shown as a chip."""

_CHIP = re.compile(r"\[(?:paste|output) \d+ · [0-9,]+ (?:lines?|characters)\]")


class Span(NamedTuple):
    """Where a chip stands in a line, from 0, the end excluded."""

    start: int
    end: int
    chip: str


class Pastes:
    """Owns the long texts of a sitting; a number is given once, so a chip that comes back from
    the history still stands for its text."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def must_hold(self, text: str) -> bool:
        """Whether a text is too long to be shown, or reads like a chip that it is not."""
        return (
            len(text) > MOST_CHARS
            or text.count("\n") >= MOST_LINES
            or any(True for _ in self._found(text))
        )

    def hold(self, text: str, kind: Literal["paste", "output"] = "paste") -> str:
        """The chip for a text."""
        lines = text.count("\n") + (not text.endswith("\n"))
        size = f"{lines:,} lines" if lines > 1 else f"{len(text):,} characters"
        chip = f"[{kind} {len(self._texts) + 1} · {size}]"
        self._texts[chip] = text
        return chip

    def text_of(self, chip: str) -> str:
        """What a chip stands for."""
        return self._texts[chip]

    def spans(self, line: str) -> list[Span]:
        """The chips of a line, in order."""
        return [Span(*match.span(), match[0]) for match in self._found(line)]

    def expand(self, text: str) -> str:
        """The text as it is meant, each chip replaced by what it stands for."""
        if not self._texts:
            return text
        return _CHIP.sub(lambda match: self._texts.get(match[0], match[0]), text)

    def collapse(self, text: str) -> str:
        """The text as it is shown: what a chip stands for is that chip again."""
        for chip, long in self._texts.items():
            if len(text) >= len(long):
                text = text.replace(long, chip)
        return text

    def within(self, text: str) -> dict[str, str]:
        """What the chips of a text stand for."""
        return {match[0]: self._texts[match[0]] for match in self._found(text)}

    def adopt(self, text: str, pastes: Mapping[str, str]) -> str:
        """A text of an earlier sitting with its chips, which get new numbers here."""
        found = _CHIP.findall(text)
        fresh = {chip: self.hold(pastes[chip]) for chip in dict.fromkeys(found) if chip in pastes}
        return _CHIP.sub(lambda match: fresh.get(match[0], match[0]), text)

    def _found(self, text: str) -> Iterator[re.Match[str]]:
        if self._texts:
            yield from (match for match in _CHIP.finditer(text) if match[0] in self._texts)
