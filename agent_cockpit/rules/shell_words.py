"""One word of a shell line: what the program would get for it, as far as that is known.

Law: a word is `literal` only if no expansion of the shell can change it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """One word: `text` is what the program would get where `literal`; where not, the shell
    puts in values that are not known here, and `text` keeps the raw spelling. `pattern`:
    unquoted wildcards, which become file names."""

    text: str
    literal: bool = True
    pattern: bool = False


def unquote(raw: str) -> Word:
    """What a shell makes of one word's spelling, quotes and backslashes taken out."""
    text: list[str] = []
    literal, pattern, quote, i = True, False, "", 0
    while i < len(raw):
        char = raw[i]
        after = raw[i + 1 : i + 2]
        if quote == "'":
            quote, add = ("", "") if char == "'" else ("'", char)
        elif char == "\\":
            special = not quote or after in ("$", "`", '"', "\\", "\n")
            add = ("" if after == "\n" else after) if special else "\\" + after
            literal = literal and bool(after)
            i += 1
        elif char == '"':
            quote, add = ("" if quote else '"'), ""
        elif char == "'" and not quote:
            quote, add = "'", ""
        elif char == "$" and not quote and after == "'":
            end = raw.find("'", i + 2)
            add = raw[i + 2 : end] if end > 0 else ""
            literal = literal and end > 0 and "\\" not in add
            i = end if end > 0 else len(raw)
        elif char == "$" and not quote and after == '"':
            add = ""
        elif _expands(char, after, quote):
            literal, add = False, char
        else:
            pattern = pattern or (not quote and char in "*?[")
            if not quote and char == "{" and re.match(r"\{[^}\s]*(,|\.\.)", raw[i:]):
                literal = False
            add = char
        text.append(add)
        i += 1
    literal = literal and not quote
    return Word("".join(text) if literal else raw, literal, pattern)


def substitutions(raw: str) -> int:
    """How many commands the spelling opens: `$(`, backticks, `<(`, `>(`."""
    live = outside_single_quotes(raw)
    return len(re.findall(r"\$\((?!\()|[<>]\(", live)) + (live.count("`") + 1) // 2


def outside_single_quotes(raw: str) -> str:
    """`raw` without what single quotes or a backslash protect."""
    kept, quote, i = "", "", 0
    while i < len(raw):
        char = raw[i]
        if quote == "'":
            quote = "" if char == "'" else quote
        elif char == "\\":
            i += 1
        elif char == "'" and not quote:
            quote = "'"
        else:
            if char == '"':
                quote = "" if quote else '"'
            kept += char
        i += 1
    return kept


def _expands(char: str, after: str, quote: str) -> bool:
    if char == "$":
        return bool(re.match(r"[\w{(@*#?$!\[-]", after))
    return char == "`" or (char in "<>" and not quote)
