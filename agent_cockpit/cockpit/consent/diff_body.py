"""A unified diff as lines of a panel or a page, with the numbers of a file's lines.

Law: no letter of a line inside a hunk is left out; a hunk's head says no more than the
numbers beside its lines, so of it the heading stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from agent_cockpit.cockpit.consent.question import Line, Tone
from agent_cockpit.rules.diff_lines import header_path

BETWEEN = "⋯"
"""Stands for the lines that a diff leaves out."""
_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)", re.DOTALL)
_IN_HUNKS = ("", " ", "+", "-", "\\")
_HEADERS = (
    *("+++", "---", "diff ", "index ", "new ", "deleted ", "old mode", "Binary ", "GIT binary "),
    *("rename ", "copy ", "similarity ", "dissimilarity "),
)
_SIGNED: Mapping[str, Tone] = {"+": "added", "-": "removed", "\\": "muted"}


def diff_body(
    lines: Sequence[str], *, path: str = "", hunk: int = -1, each_head: bool = False
) -> Iterator[Line]:
    """The lines of a diff that was made safe. With `hunk` they are one hunk, of this number,
    and its head says so; with `each_head` every hunk has a head, of its heading alone."""
    is_first = True
    for line, (tone, number, old) in zip(lines, numbered(lines), strict=True):
        if tone != "place":
            if number < 0:
                is_first = True
                if line.startswith(("+++ ", "--- ")):
                    path = header_path(line[4:]) or path
            text = f"{line[:1] or ' '}{line[1:].expandtabs(4)}" if number > 0 else line
            yield Line(text, tone, hunk, number=number, old=old, path=path)
            continue
        found = _HUNK.match(line)
        heading = found[5].strip() if found else ""
        if hunk >= 0:
            yield Line(f"hunk {hunk + 1}{f' · {heading}' if heading else ''}", "place", hunk)
        elif each_head:
            yield Line(heading, "place", number=0)
        elif heading or not is_first:
            yield Line(f"{BETWEEN} {heading}".rstrip(), "muted", number=0)
        is_first = False


def numbered(lines: Iterable[str]) -> Iterator[tuple[Tone, int, int]]:
    """What kind of line of a unified diff each one is, and its number: in the new file, of a
    removed one in the old, 0 for what has none in a hunk, -1 outside; and of one that stayed
    the number in the old file, else 0. Inside a hunk the first sign says it, whatever comes
    after it."""
    old = new = old_left = new_left = 0
    for line in lines:
        sign = line[:1]
        if (old_left > 0 or new_left > 0) and sign in _IN_HUNKS:
            if sign == "\\":
                yield "muted", 0, 0
                continue
            is_old, is_new = sign != "+", sign != "-"
            number = new if is_new else old
            yield _SIGNED.get(sign, "plain"), number, old if is_old and is_new else 0
            old, old_left = old + is_old, old_left - is_old
            new, new_left = new + is_new, new_left - is_new
            continue
        old_left = new_left = 0
        if found := _HUNK.match(line):
            old, new = int(found[1]), int(found[3])
            old_left, new_left = (int(found[at]) if found[at] else 1 for at in (2, 4))
            yield "place", 0, 0
        elif sign == "\\":
            yield "muted", 0, 0
        else:
            yield "muted" if line.startswith(_HEADERS) else _SIGNED.get(sign, "plain"), -1, 0
