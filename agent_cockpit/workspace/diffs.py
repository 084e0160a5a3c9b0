"""Unified diffs of file contents, made without a git program but in its words."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

CONTEXT_LINES = 3

MATCHED_LINES = 4_000
"""Above this many lines on both sides together, what differs is shown as one replacement:
the line matcher's time grows with their product."""


def file_diff(
    path: str,
    before: bytes | None,
    after: bytes | None,
    *,
    before_mode: int = 0o100644,
    after_mode: int = 0o100644,
) -> str:
    """One file's change with `a/` and `b/` names; empty when nothing changed.

    None for a content means that the file is not there.
    """
    if before == after and (before is None or before_mode == after_mode):
        return ""
    old_name, new_name = quoted(f"a/{path}"), quoted(f"b/{path}")
    lines = [f"diff --git {old_name} {new_name}"]
    if before is None:
        lines.append(f"new file mode {after_mode:o}")
        old_name = "/dev/null"
    elif after is None:
        lines.append(f"deleted file mode {before_mode:o}")
        new_name = "/dev/null"
    elif before_mode != after_mode:
        lines += [f"old mode {before_mode:o}", f"new mode {after_mode:o}"]
    if is_binary(before) or is_binary(after):
        if before != after:
            lines.append(f"Binary files {old_name} and {new_name} differ")
        return "\n".join(lines) + "\n"
    hunks = "".join(_hunks(_lines(before), _lines(after)))
    if hunks:
        tab = "\t" if " " in path else ""
        lines += [f"--- {old_name}{tab}", f"+++ {new_name}{tab}"]
    return "\n".join(lines) + "\n" + hunks


def line_counts(before: bytes | None, after: bytes | None) -> tuple[int, int] | None:
    """How many lines were added and removed; None where a content is binary."""
    if is_binary(before) or is_binary(after):
        return None
    matcher = _TrimmedMatcher(_lines(before), _lines(after))
    changed = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    return sum(code[4] - code[3] for code in changed), sum(code[2] - code[1] for code in changed)


def is_binary(content: bytes | None) -> bool:
    """Whether git would take it for binary: a NUL among the first 8,000 bytes."""
    return content is not None and b"\0" in content[:8000]


def quoted(name: str) -> str:
    """A name for a diff's header: as it is, or in C quotes when it holds a special character."""
    if not any(char in '"\\\x7f' or char < " " for char in name):
        return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    raw = os.fsencode(name)
    escapes = {0x22: '\\"', 0x5C: "\\\\", 0x0A: "\\n", 0x09: "\\t", 0x0D: "\\r"}
    return '"' + "".join(escapes.get(b) or _quoted_byte(b) for b in raw) + '"'


def _quoted_byte(byte: int) -> str:
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}"


def _lines(content: bytes | None) -> list[str]:
    text = (content or b"").decode("utf-8", "replace")
    lines = text.split("\n")
    last = lines.pop()
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def _hunks(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    matcher = _TrimmedMatcher(before, after)
    for group in matcher.get_grouped_opcodes(CONTEXT_LINES):
        old = _span(group[0][1], group[-1][2])
        new = _span(group[0][3], group[-1][4])
        yield f"@@ -{old} +{new} @@\n"
        for tag, start, end, new_start, new_end in group:
            if tag == "equal":
                yield from (_line(" ", line) for line in before[start:end])
                continue
            yield from (_line("-", line) for line in before[start:end])
            yield from (_line("+", line) for line in after[new_start:new_end])


def _span(start: int, end: int) -> str:
    if end - start == 1:
        return str(start + 1)
    return f"{start + 1 if end > start else start},{end - start}"


def _line(sign: str, line: str) -> str:
    return (
        f"{sign}{line}" if line.endswith("\n") else f"{sign}{line}\n\\ No newline at end of file\n"
    )


class _TrimmedMatcher(SequenceMatcher[str]):
    """A line matcher that looks only at what lies between the common head and tail."""

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        super().__init__(None, (), (), autojunk=False)
        self._opcodes = list(_opcodes(before, after))

    def get_opcodes(self) -> list[tuple[str, int, int, int, int]]:  # type: ignore[override]
        return self._opcodes


def _opcodes(
    before: Sequence[str], after: Sequence[str]
) -> Iterator[tuple[str, int, int, int, int]]:
    shorter = min(len(before), len(after))
    head = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    tail = next(
        (i for i in range(shorter - head) if before[-1 - i] != after[-1 - i]), shorter - head
    )
    old_end, new_end = len(before) - tail, len(after) - tail
    if head:
        yield "equal", 0, head, 0, head
    old, new = before[head:old_end], after[head:new_end]
    if old and new and len(old) + len(new) <= MATCHED_LINES:
        for tag, *(a, b, c, d) in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            yield tag, a + head, b + head, c + head, d + head
    elif old or new:
        tag = "replace" if old and new else "delete" if old else "insert"
        yield tag, head, old_end, head, new_end
    if tail:
        yield "equal", old_end, len(before), new_end, len(after)
