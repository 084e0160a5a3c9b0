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
            add, i = _ansi_c(raw, i + 2)
            literal = literal and i < len(raw)
        elif char == "$" and not quote and after == '"':
            add = ""
        elif _expands(char, after, quote):
            literal, add = False, char
        else:
            pattern = pattern or (not quote and char in "*?[")
            if not quote and (char in " \t\n" or (char == "{" and after != "}")):
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


def _ansi_c(raw: str, start: int) -> tuple[str, int]:
    """The text of `$'…'` from `start`, and where its closing quote is (the end: nowhere)."""
    text, i = "", start
    while i < len(raw) and raw[i] != "'":
        match = _ANSI_ESCAPE.match(raw, i)
        if match is None:
            text += raw[i]
            i += 1
            continue
        *hexas, octal, control, plain = match.groups()
        hexa = next((each for each in hexas if each), None)
        if hexa or octal:
            code = int(hexa, 16) if hexa else int(octal, 8)
            text += chr(code) if 0 < code < 0x110000 else "\ufffd"
        elif control:
            text += chr(ord(control) & 0x1F)
        else:
            text += _ANSI_PLAIN.get(plain, plain if plain in "\\'\"?" else "\\" + plain)
        i = match.end()
    return text, i


_ANSI_ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.)|(.))",
    re.S,
)
_ANSI_PLAIN = dict(zip("abeEfnrtv", "\a\b\x1b\x1b\f\n\r\t\v", strict=True))


def _expands(char: str, after: str, quote: str) -> bool:
    if char == "$":
        return bool(re.match(r"[\w{(@*#?$!\[-]", after))
    return char == "`" or (char in "<>" and not quote)
