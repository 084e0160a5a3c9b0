"""Secrets recognised by the shape of their tokens: found in what a change adds, and blotted
out of what is written down.

Law: `redact(redact(x)) == redact(x)`, and no finding ever carries the secret itself.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agent_cockpit.rules.diff_lines import changed_lines

_START = r"(?:(?<![A-Za-z0-9_\-])|(?<=\\[nrtbf])|(?<=\\u[0-9a-fA-F]{4}))"
"""Not inside a word; in JSON the `n` of a `\\n` belongs to no word."""
_WORD = r"[A-Za-z0-9_\-]"


@dataclass(frozen=True, slots=True)
class _Shape:
    """Tokens that begin with one of these literally, and how they go on from there.

    Literals are found at once in texts of any length; only where one stands is the pattern
    tried. `lead` is what stands before the token and is no part of it.
    """

    kind: str
    beginnings: tuple[str, ...]
    pattern: re.Pattern[str]
    lead: str = ""

    @classmethod
    def of(cls, kind: str, beginnings: str, rest: str) -> _Shape:
        """A word that begins so; `beginnings` by blanks."""
        literals = tuple(beginnings.split())
        words = "|".join(map(re.escape, literals))
        return cls(kind, literals, re.compile(f"{_START}(?:{words}){rest}"))

    @classmethod
    def after(cls, kind: str, lead: str, pattern: str) -> _Shape:
        """What stands behind `lead`."""
        return cls(kind, (lead,), re.compile(pattern), lead)

    def matches(self, text: str) -> Iterator[re.Match[str]]:
        """All tokens of this shape, from left to right."""
        if len(self.beginnings) == 1:
            return self._matches(text, self.beginnings[0])
        found = [each for literal in self.beginnings for each in self._matches(text, literal)]
        return iter(sorted(found, key=lambda match: match.start()))

    def _matches(self, text: str, literal: str) -> Iterator[re.Match[str]]:
        at = text.find(literal)
        while at >= 0:
            match = self.pattern.match(text, at + len(self.lead))
            if match is not None:
                yield match
            following = match.end() - len(self.lead) if match is not None else at + 1
            at = text.find(literal, following)


_SHAPES = (
    _Shape.of("aws-key", "AKIA ASIA", r"(?![0-9A-Z]*EXAMPLE)[0-9A-Z]{16}(?![A-Za-z0-9_])"),
    _Shape.of("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9]{30,}"),
    _Shape.of("github-token", "github_pat_", r"[A-Za-z0-9_]{30,}"),
    _Shape.of("gitlab-token", "glpat-", rf"{_WORD}{{20,}}"),
    _Shape.of("api-key", "sk-", rf"(?={_WORD}*[A-Za-z0-9]{{16}})(?={_WORD}*[0-9]){_WORD}{{20,}}"),
    _Shape.of("payment-key", "rk_live_ sk_live_", r"[A-Za-z0-9]{20,}"),
    _Shape.of("slack-token", "xox", r"[abeoprs]-[A-Za-z0-9\-]{10,}"),
    _Shape.of("google-key", "AIza", rf"{_WORD}{{35,}}"),
    _Shape.of("npm-token", "npm_", r"[A-Za-z0-9]{36,}"),
    _Shape.of("pypi-token", "pypi-AgEI", rf"{_WORD}{{40,}}"),
    _Shape.of("hub-token", "hf_", r"[A-Za-z0-9]{30,}"),
)

_KEY_HEADER = r"-----BEGIN [A-Z0-9 ]{0,20}PRIVATE KEY(?: BLOCK)?-----"
_GAP = r"(?:\\[nr]|[\s\"',+\-])*"
_KEY_BODY = (
    rf"{_GAP}(?:(?:Proc-Type|DEK-Info|Version|Comment):[^\n\\]*{_GAP})*"
    rf"(?:[A-Za-z0-9+/=]{{20,}}{_GAP})+(?:[A-Za-z0-9+/=]+(?={_GAP}END))?"
)
_BARE_KEY_HEADER = re.compile(rf"^\s*{_KEY_HEADER}\s*$")
_KEY = re.compile(rf"({_KEY_HEADER})({_KEY_BODY})")
_WRITTEN_ONLY = (
    _Shape.of(
        "web-token", "eyJ", r"[A-Za-z0-9_\-]{10,}\.eyJ[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]{10,}"
    ),
    _Shape.after("bearer", "Bearer ", r"[A-Za-z0-9._~+/\-]{20,}=*"),
    _Shape.after("password", "://", r"[^\s/:@\[\]]{1,100}:[^\s/@\[\]]{1,200}(?=@)"),
)
"""Shapes that belong in no record but are ordinary in a project's tests and documents."""

_FEW_LETTERS = 6
"""A token of fewer different characters is a stand-in (`ghp_xxxxxxxx…`), no secret."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret that a change adds: where, and of what kind; never the secret."""

    path: str
    line: int
    kind: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.kind}"


def added_secrets(diff: str) -> tuple[Finding, ...]:
    """What the diff's added lines hold that its removed lines did not hold already."""
    if not _may_hold_any(diff):
        return ()
    changes = tuple(changed_lines(diff))
    known = {token for change in changes if change.sign == "-" for _, token in _tokens(change.text)}
    found: list[Finding] = []
    for position, change in enumerate(changes):
        if change.sign != "+":
            continue
        found += [
            Finding(change.path, change.number, kind)
            for kind, token in _tokens(change.text)
            if token not in known
        ]
        following = changes[position + 1].text if position + 1 < len(changes) else ""
        if "PRIVATE KEY" in change.text and (
            _BARE_KEY_HEADER.match(change.text) or _KEY.search(f"{change.text}\n{following}")
        ):
            found.append(Finding(change.path, change.number, "private key"))
    return tuple(dict.fromkeys(found))


def redact(text: str, *, known: Iterable[str] = ()) -> str:
    """The text with every secret as `[redacted:KIND:HASH]`, the same secret always the same.

    `known` are secrets of this sitting by value (the API key in use), whatever their shape;
    values under eight characters are ignored, they would blot out ordinary words.
    """
    for secret in sorted({value for value in known if len(value) >= 8}, key=len, reverse=True):
        text = text.replace(secret, _placeholder("known", secret))
    if "PRIVATE KEY" in text:
        text = _KEY.sub(_without_key, text)
    for shape in (*_SHAPES, *_WRITTEN_ONLY):
        text = _without(shape, text)
    return text


def _may_hold_any(text: str) -> bool:
    beginnings = (literal for shape in _SHAPES for literal in shape.beginnings)
    return "PRIVATE KEY" in text or any(literal in text for literal in beginnings)


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    for shape in _SHAPES:
        for match in shape.matches(text):
            if _is_varied(match[0]):
                yield shape.kind, match[0]


def _without(shape: _Shape, text: str) -> str:
    parts, at = [], 0
    for match in shape.matches(text):
        if _is_varied(match[0]):
            parts += [text[at : match.start()], _placeholder(shape.kind, match[0])]
            at = match.end()
    return "".join([*parts, text[at:]]) if parts else text


def _is_varied(token: str) -> bool:
    return len(set(token[4:])) >= _FEW_LETTERS


def _without_key(match: re.Match[str]) -> str:
    ending = "-----" if match[2].endswith("-----") else ""
    body = match[2].strip().rstrip("-")
    return f"{match[1]}{_placeholder('private-key', body)}{ending}"


def _placeholder(kind: str, secret: str) -> str:
    digest = hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"[redacted:{kind}:{digest}]"
