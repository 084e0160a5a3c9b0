"""The unified diff of one file, from its text before and after."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

CONTEXT_LINES = 3
MOST_COMPARISONS = 4_000_000
"""Above this many pairs of lines the change is shown as one block: finding the smallest
difference of two large texts could take minutes."""

Opcode = tuple[str, int, int, int, int]


def unified_diff(relative: str, before: str | None, after: str | None) -> str:
    """What changes between two texts (None: no file); empty when nothing does.

    Lines end at `\\n` alone, so a carriage return is a visible part of its line.
    """
    if before == after:
        return ""
    old, new = _lines(before), _lines(after)
    parts = [_header(relative, before is None, after is None)]
    for group in _groups(old, new):
        parts.extend(_hunk(group, old, new))
    return "".join(parts)


def binary_diff(relative: str, *, created: bool = False, deleted: bool = False) -> str:
    """The note that stands for a change that has no lines."""
    old, new = _names(relative, created, deleted)
    return f"Binary files {old} and {new} differ\n"


def changed_counts(diff: str) -> tuple[int, int]:
    """How many lines a diff of `unified_diff` adds and removes."""
    body = diff.split("\n")[2:]
    return (
        sum(line.startswith("+") for line in body),
        sum(line.startswith("-") for line in body),
    )


def _header(relative: str, created: bool, deleted: bool) -> str:
    old, new = _names(relative, created, deleted)
    return f"--- {old}\n+++ {new}\n"


def _names(relative: str, created: bool, deleted: bool) -> tuple[str, str]:
    old = "/dev/null" if created else _quoted(f"a/{relative}")
    new = "/dev/null" if deleted else _quoted(f"b/{relative}")
    return old, new


def _quoted(name: str) -> str:
    """A name that would break its line is quoted as git quotes it."""
    if all(char >= " " and char not in '"\\\x7f' for char in name):
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    escaped = escaped.replace("\t", "\\t")
    octal = (char if char >= " " and char != "\x7f" else f"\\{ord(char):03o}" for char in escaped)
    return f'"{"".join(octal)}"'


def _lines(text: str | None) -> list[str]:
    """Lines with their `\\n`; the last one may have none."""
    if not text:
        return []
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _groups(old: list[str], new: list[str]) -> Iterator[list[Opcode]]:
    """Opcodes, grouped into hunks with context; equal head and tail cost nothing."""
    shorter = min(len(old), len(new))
    head = 0
    while head < shorter and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < shorter - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    start = max(0, head - CONTEXT_LINES)
    spare = max(0, tail - CONTEXT_LINES)
    left, right = old[start : len(old) - spare], new[start : len(new) - spare]
    if len(left) * len(right) <= MOST_COMPARISONS:
        groups = SequenceMatcher(None, left, right).get_grouped_opcodes(CONTEXT_LINES)
    else:
        lead, end = head - start, tail - spare
        block = [
            ("equal", 0, lead, 0, lead),
            ("replace", lead, len(left) - end, lead, len(right) - end),
            ("equal", len(left) - end, len(left), len(right) - end, len(right)),
        ]
        groups = iter([block])
    for group in groups:
        yield [(tag, a + start, b + start, c + start, d + start) for tag, a, b, c, d in group]


def _hunk(group: list[Opcode], old: list[str], new: list[str]) -> Iterator[str]:
    first, last = group[0], group[-1]
    yield f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@\n"
    for tag, old_start, old_end, new_start, new_end in group:
        if tag == "equal":
            yield from (_line(" ", line) for line in old[old_start:old_end])
        else:
            yield from (_line("-", line) for line in old[old_start:old_end])
            yield from (_line("+", line) for line in new[new_start:new_end])


def _range(start: int, end: int) -> str:
    length = end - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"


def _line(sign: str, line: str) -> str:
    if line.endswith("\n"):
        return sign + line
    return f"{sign}{line}\n\\ No newline at end of file\n"
