"""Secrets recognised by the shape of their tokens: found in what a change adds, and blotted
out of what is written down.

Law: `redact(redact(x)) == redact(x)`, and no finding ever carries the secret itself.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from agent_cockpit.rules.diff_lines import changed_lines

_START = r"(?:(?<![A-Za-z0-9_\-])|(?<=\\[nrtbf])|(?<=\\u[0-9a-fA-F]{4}))"
"""Not inside a word; in JSON the `n` of a `\\n` belongs to no word."""
_WORD = r"[A-Za-z0-9_\-]"
_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(_START + shape))
    for kind, shape in (
        ("aws-key", r"A(?:KIA|SIA)(?![0-9A-Z]*EXAMPLE)[0-9A-Z]{16}(?![A-Za-z0-9_])"),
        ("github-token", r"gh[pousr]_[A-Za-z0-9]{30,}"),
        ("github-token", r"github_pat_[A-Za-z0-9_]{30,}"),
        ("gitlab-token", rf"glpat-{_WORD}{{20,}}"),
        ("api-key", rf"sk-(?={_WORD}*[A-Za-z0-9]{{16}})(?={_WORD}*[0-9]){_WORD}{{20,}}"),
        ("payment-key", r"[rs]k_live_[A-Za-z0-9]{20,}"),
        ("slack-token", r"xox[abeoprs]-[A-Za-z0-9\-]{10,}"),
        ("google-key", rf"AIza{_WORD}{{35,}}"),
        ("npm-token", r"npm_[A-Za-z0-9]{36,}"),
        ("pypi-token", rf"pypi-AgEI{_WORD}{{40,}}"),
        ("hub-token", r"hf_[A-Za-z0-9]{30,}"),
    )
)
_ANY_BEGINNING = re.compile(
    r"A[KS]IA|gh[pousr]_|github_pat_|glpat-|sk-|k_live_|xox|AIza|npm_|pypi-|hf_|PRIVATE KEY"
)
"""How every one of them begins: most text holds none of it, and is read only once."""

_KEY_HEADER = r"-----BEGIN [A-Z0-9 ]{0,20}PRIVATE KEY(?: BLOCK)?-----"
_GAP = r"(?:\\[nr]|[\s\"',+\-])*"
_KEY_BODY = (
    rf"{_GAP}(?:(?:Proc-Type|DEK-Info|Version|Comment):[^\n\\]*{_GAP})*"
    rf"(?:[A-Za-z0-9+/=]{{20,}}{_GAP})+(?:[A-Za-z0-9+/=]+(?={_GAP}END))?"
)
_BARE_KEY_HEADER = re.compile(rf"^\s*{_KEY_HEADER}\s*$")
_KEY = re.compile(rf"({_KEY_HEADER})({_KEY_BODY})")
_WRITTEN_ONLY: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "web-token",
        re.compile(_START + r"eyJ[A-Za-z0-9_\-]{10,}\.eyJ[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]{10,}"),
    ),
    ("bearer", re.compile(r"(?<=Bearer )[A-Za-z0-9._~+/\-]{20,}=*")),
    ("password", re.compile(r"(?<=://)[^\s/:@\[\]]{1,100}:[^\s/@\[\]]{1,200}(?=@)")),
)
"""Shapes that belong in no record but are ordinary in a project's tests and documents."""

_ANY_WRITTEN_BEGINNING = re.compile(r"eyJ|Bearer |://")

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
    if not _ANY_BEGINNING.search(diff):
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
    if not _ANY_BEGINNING.search(text) and not _ANY_WRITTEN_BEGINNING.search(text):
        return text
    if "PRIVATE KEY" in text:
        text = _KEY.sub(_without_key, text)
    for kind, shape in (*_SHAPES, *_WRITTEN_ONLY):
        text = shape.sub(partial(_blotted, kind), text)
    return text


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    if not _ANY_BEGINNING.search(text):
        return
    for kind, shape in _SHAPES:
        for match in shape.finditer(text):
            if _is_varied(match[0]):
                yield kind, match[0]


def _is_varied(token: str) -> bool:
    return len(set(token[4:])) >= _FEW_LETTERS


def _blotted(kind: str, match: re.Match[str]) -> str:
    return _placeholder(kind, match[0]) if _is_varied(match[0]) else match[0]


def _without_key(match: re.Match[str]) -> str:
    ending = "-----" if match[2].endswith("-----") else ""
    body = match[2].strip().rstrip("-")
    return f"{match[1]}{_placeholder('private-key', body)}{ending}"


def _placeholder(kind: str, secret: str) -> str:
    digest = hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"[redacted:{kind}:{digest}]"
