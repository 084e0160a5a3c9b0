"""What one program start comes to, before anybody looks at where its paths lead."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from agent_cockpit.rules.shell.words import Word
from agent_cockpit.text import clean_line, shorten

Sweep = Literal["", "all", "visible", "tracked"]
"""What a search through folders looks into: every file, those that are neither hidden nor
ignored, or those that git keeps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A program with its arguments, judged.

    `reads` and `writes` are operands that are certainly paths, `others` those that may be.
    `names_only`: file contents do not come out. `sweeps`: which files of whole folders it
    shows ("" : none). `kept` False: no grant may cover it. `opaque`: it may start something
    that its words do not name as a program.
    """

    tier: int
    reason: str
    prefix: str
    mutates: bool = True
    kept: bool = True
    network: bool = False
    reads: tuple[Word, ...] = ()
    writes: tuple[Word, ...] = ()
    others: tuple[Word, ...] = ()
    names_only: bool = False
    sweeps: Sweep = ""
    opaque: bool = False

    def raised(self, reason: str, tier: int = 3) -> Judgement:
        """The same with at least `tier`, asked every time, for `reason`."""
        reason = self.reason if self.tier > tier else reason
        return replace(
            self, tier=max(self.tier, tier), reason=reason, kept=False, mutates=self.mutates
        )


def only_reads(prefix: str, reads: tuple[Word, ...] = (), *, names_only: bool = False) -> Judgement:
    """Tier 2: it looks and changes nothing."""
    return Judgement(
        tier=2,
        reason="reads only",
        prefix=prefix,
        mutates=False,
        reads=reads,
        names_only=names_only,
    )


def runs(prefix: str, reason: str = "", *, kept: bool = True, network: bool = False) -> Judgement:
    """Tier 3: something runs; a grant may cover it unless `kept` is False."""
    reason = reason or f"runs `{prefix}`"
    return Judgement(tier=3, reason=reason, prefix=prefix, kept=kept, network=network)


def starts(prefix: str, reason: str, *, tier: int = 3, network: bool = False) -> Judgement:
    """Tier 3 or worse: it may start anything, and nothing can be granted."""
    return Judgement(
        tier=tier, reason=reason, prefix=prefix, kept=False, network=network, opaque=True
    )


def destroys(prefix: str, reason: str) -> Judgement:
    """Tier 4: what it takes away does not come back by itself."""
    return Judgement(tier=4, reason=reason, prefix=prefix, kept=False)


def sends(prefix: str, reason: str) -> Judgement:
    """Tier 4: something leaves this machine, or acts on another one."""
    return Judgement(tier=4, reason=reason, prefix=prefix, kept=False, network=True)


def operands(
    words: tuple[Word, ...], valued: str = "", long_valued: tuple[str, ...] = ()
) -> tuple[Word, ...]:
    """The words that are no options; `valued` letters and `long_valued` names take the next."""
    found: list[Word] = []
    skip = ended = False
    for word in words:
        text = word.text
        if skip:
            skip = False
        elif ended or not text.startswith("-") or text == "-":
            found.append(word)
        elif text == "--":
            ended = True
        elif text.startswith("--"):
            skip = text[2:] in long_valued
        else:
            skip = next((i == len(text) - 2 for i, c in enumerate(text[1:]) if c in valued), False)
    return tuple(found)


def options(words: tuple[Word, ...], valued: str = "") -> frozenset[str]:
    """The options given: `-x` for each letter of a cluster, `--name` without its value."""
    found: set[str] = set()
    for word in words:
        text = word.text
        if text == "--":
            break
        if text.startswith("--"):
            found.add(text.split("=", 1)[0])
        elif text.startswith("-") and text != "-":
            for char in text[1:]:
                found.add("-" + char)
                if char in valued:
                    break
    return frozenset(found)


def names(text: str) -> frozenset[str]:
    """The words of `text`, for tables that are easier to read as lines."""
    return frozenset(text.split())


def in_a_reason(text: str) -> str:
    """A word of the line as a reason names it: on one line, and not too long."""
    return shorten(clean_line(text), 60)
