"""One file's change in git's words, made without a git program."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher

CONTEXT_LINES = 3

MATCHED_PAIRS = 4_000_000
"""Above this many pairs of lines, what differs is shown as one replacement: finding the
smallest difference of two large texts could take minutes."""

Opcode = tuple[str, int, int, int, int]


def file_diff(
    path: str,
    before: bytes | None,
    after: bytes | None,
    *,
    before_mode: int = 0o100644,
    after_mode: int = 0o100644,
) -> str:
    """The unified diff with git's header; empty when nothing changed.

    None for a content means that the file is not there.
    """
    if before == after and (before is None or before_mode == after_mode):
        return ""
    parts = [f"diff --git {quoted(f'a/{path}')} {quoted(f'b/{path}')}\n"]
    if before is None:
        parts.append(f"new file mode {after_mode:o}\n")
    elif after is None:
        parts.append(f"deleted file mode {before_mode:o}\n")
    elif before_mode != after_mode:
        parts.append(f"old mode {before_mode:o}\nnew mode {after_mode:o}\n")
    old_name = "/dev/null" if before is None else quoted(f"a/{path}")
    new_name = "/dev/null" if after is None else quoted(f"b/{path}")
    if is_binary(before) or is_binary(after):
        if before != after:
            parts.append(f"Binary files {old_name} and {new_name} differ\n")
    elif before != after and (before or after):
        # After a name with a space, readers of diffs look for a tab as the name's end.
        end = "\t\n" if " " in path else "\n"
        parts += [
            f"--- {old_name}{end}",
            f"+++ {new_name}{end}",
            *hunks(_text(before), _text(after)),
        ]
    return "".join(parts)


def line_counts(before: bytes | None, after: bytes | None) -> tuple[int, int] | None:
    """How many lines were added and removed; None where a content is binary."""
    if is_binary(before) or is_binary(after):
        return None
    changed = [c for c in _opcodes(_lines(_text(before)), _lines(_text(after))) if c[0] != "equal"]
    return sum(code[4] - code[3] for code in changed), sum(code[2] - code[1] for code in changed)


def hunks(before: str, after: str) -> Iterator[str]:
    """The lines of a unified diff below its header; none when the texts are equal."""
    old, new = _lines(before), _lines(after)
    for group in _TrimmedMatcher(old, new).get_grouped_opcodes(CONTEXT_LINES):
        first, last = group[0], group[-1]
        yield f"@@ -{_span(first[1], last[2])} +{_span(first[3], last[4])} @@\n"
        for tag, start, end, new_start, new_end in group:
            if tag == "equal":
                yield from (_line(" ", line) for line in old[start:end])
                continue
            yield from (_line("-", line) for line in old[start:end])
            yield from (_line("+", line) for line in new[new_start:new_end])


def take_hunks(
    before: str, after: str, kept: Collection[int]
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """`before` with only these of the `hunks` done, counted from 0, and how that moves lines:
    (line from 0, how many lines longer), in order of application."""
    old, new = _lines(before), _lines(after)
    pieces: list[str] = []
    shifts: list[tuple[int, int]] = []
    done = moved = 0
    groups = _TrimmedMatcher(old, new).get_grouped_opcodes(CONTEXT_LINES)
    for index, group in enumerate(groups):
        for tag, start, end, new_start, new_end in group if index in kept else ():
            if tag == "equal":
                continue
            pieces += (*old[done:start], *new[new_start:new_end])
            done = end
            if longer := (new_end - new_start) - (end - start):
                shifts.append((start + moved, longer))
                moved += longer
    return "".join((*pieces, *old[done:])), tuple(shifts)


def is_binary(content: bytes | None) -> bool:
    """Whether git would take it for binary: a NUL among the first 8,000 bytes."""
    return content is not None and b"\0" in content[:8000]


def quoted(name: str) -> str:
    """A name for a diff's header: as it is, or in C quotes when it holds a special character."""
    if not any(char in '"\\\x7f' or char < " " for char in name):
        return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    escapes = {0x22: '\\"', 0x5C: "\\\\", 0x0A: "\\n", 0x09: "\\t", 0x0D: "\\r"}
    return '"' + "".join(escapes.get(byte) or _plain(byte) for byte in os.fsencode(name)) + '"'


def _plain(byte: int) -> str:
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}"


def _text(content: bytes | None) -> str:
    return (content or b"").decode("utf-8", "replace")


def _lines(text: str) -> list[str]:
    """Lines with their `\\n`; the last one may have none."""
    lines = text.split("\n")
    last = lines.pop()
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def _span(start: int, end: int) -> str:
    if end - start == 1:
        return str(start + 1)
    return f"{start + 1 if end > start else start},{end - start}"


def _line(sign: str, line: str) -> str:
    end = "" if line.endswith("\n") else "\n\\ No newline at end of file\n"
    return f"{sign}{line}{end}"


class _TrimmedMatcher(SequenceMatcher[str]):
    """A matcher that looks only at what lies between the common head and tail."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        super().__init__(None, "", "")
        self._trimmed = list(_opcodes(old, new))

    def get_opcodes(self) -> list[Opcode]:  # type: ignore[override]
        return self._trimmed


def _opcodes(old: Sequence[str], new: Sequence[str]) -> Iterator[Opcode]:
    shorter = min(len(old), len(new))
    head = next((n for n in range(shorter) if old[n] != new[n]), shorter)
    rest = shorter - head
    tail = next((n for n in range(rest) if old[-1 - n] != new[-1 - n]), rest)
    old_end, new_end = len(old) - tail, len(new) - tail
    if head:
        yield "equal", 0, head, 0, head
    left, right = old[head:old_end], new[head:new_end]
    if left and right and len(left) * len(right) <= MATCHED_PAIRS:
        for tag, *ends in SequenceMatcher(None, left, right).get_opcodes():
            yield tag, ends[0] + head, ends[1] + head, ends[2] + head, ends[3] + head
    elif left or right:
        yield "replace", head, old_end, head, new_end
    if tail:
        yield "equal", old_end, len(old), new_end, len(new)
