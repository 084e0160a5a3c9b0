"""The few lines of `key: value` that a Markdown file may begin with, between two `---`.

A small part of YAML, read without it: plain and quoted texts, folded and literal blocks.
Whatever is nested belongs to the key above it and is not looked into.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_FENCE = "---"
_ENDS = ("---", "...")
_PAIR = re.compile(r"([A-Za-z0-9_.\- ]{1,64}?)\s*:(?:\s+(.*))?$")
_YES = ("true", "yes", "on", "1")
_NO = ("false", "no", "off", "0")


def frontmatter(text: str) -> tuple[dict[str, str], str]:
    """The fields, with `-` for `_` in their names, and the text after them.

    Without an opening `---` there are none. `ValueError` says which line cannot be read.
    """
    lines = text.lstrip("\ufeff").split("\n")
    if lines[0].rstrip() != _FENCE:
        return {}, text
    end = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() in _ENDS), None)
    if end is None:
        raise ValueError("its frontmatter has no closing ---")
    return _fields(lines[1:end]), "\n".join(lines[end + 1 :])


def flag(fields: Mapping[str, str], name: str, *, default: bool) -> bool:
    """A field that is true or false; `ValueError` for another word."""
    word = fields.get(name, "").lower()
    if not word:
        return default
    if word not in (*_YES, *_NO):
        raise ValueError(f"{name} is true or false, not {word[:40]!r}")
    return word in _YES


def _fields(lines: list[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    key = ""
    more: list[str] = []
    for number, line in enumerate([*lines, "end:"], start=2):
        if line.startswith((" ", "\t", "- ")) or not line.strip() or line.startswith("#"):
            if not line.startswith("#"):
                more.append(line.strip())
            continue
        pair = _PAIR.match(line.rstrip())
        if pair is None:
            raise ValueError(f"line {number} of its frontmatter is no `key: value`")
        if key:
            fields[key] = _value(fields[key], more)
        key, more = pair[1].strip().lower().replace("_", "-"), []
        fields[key] = (pair[2] or "").strip()
    fields.pop("end")
    return fields


def _value(first: str, more: list[str]) -> str:
    """A value with the indented lines below it: `|` keeps their ends, all else folds them."""
    if re.fullmatch(r"[|>][+\-]?\d?", first):
        return ("\n" if first[0] == "|" else " ").join(more).strip()
    whole = " ".join(part for part in (first, *more) if part)
    if len(whole) > 1 and whole[0] == whole[-1] and whole[0] in "\"'":
        return whole[1:-1].replace("''", "'") if whole[0] == "'" else _unescaped(whole[1:-1])
    return re.sub(r"\s#.*$", "", whole)


def _unescaped(text: str) -> str:
    ends = {"n": "\n", "t": "\t"}
    return re.sub(r"\\([\"\\nt])", lambda match: ends.get(match[1], match[1]), text)
