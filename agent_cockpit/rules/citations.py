"""Whether an answer says what it rests on."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator


def cites(answer: str, inspected: Collection[str]) -> bool:
    """Whether the answer names at least one of the things that were looked at.

    A path, command or search counts where it stands whole in the answer; a file in a folder
    also by its name with a line (`calc.py:12`, "line 12 of calc.py"). A bare word (`src`,
    `ls`) may be plain English, so it counts only in quotes, with a slash after it, or with
    a line. Absolute paths and `./` before the path do not matter, letter case does.
    """
    answer = answer.replace("\\", "/")
    items = {plain for item in inspected if re.search(r"\w", plain := _plain(item))}
    names = {item.rpartition("/")[2] for item in items if "/" in item}
    return any(_stands(answer, item) for item in items) or any(
        _has_line(answer, *place) for name in names for place in _places(answer, name)
    )


def _plain(item: str) -> str:
    """The item as an answer would name it: a search hit without its line."""
    path = _LINE_AT_END.sub("", item.strip()).replace("\\", "/")
    return path.removeprefix("./").rstrip("/")


def _stands(answer: str, item: str) -> bool:
    places = _places(answer, item)
    if re.search(r"[./\s]", item):
        return any(True for _ in places)
    return any(_is_set_off(answer, *place) for place in places)


def _places(answer: str, item: str) -> Iterator[tuple[int, int]]:
    """Where the item stands as a whole, not as a part of a longer word or name."""
    start = answer.find(item)
    while start >= 0:
        end = start + len(item)
        before, after = answer[max(0, start - 1) : start], answer[end : end + 2]
        if not _JOINS_BEFORE.match(before) and not _JOINS_AFTER.match(after):
            yield start, end
        start = answer.find(item, start + 1)


_LINE_AT_END = re.compile(r"(?::[0-9]{1,9}){1,2}\Z")
_JOINS_BEFORE = re.compile(r"[\w.-]")
_JOINS_AFTER = re.compile(r"\w|[.-]\w")

_QUOTES = "`'\"“”‘’*"
_LINE_AFTER = re.compile(
    r"[`'\"*)\]]{0,4}(?:(?::|#)L?|,? ?[(\[]?(?:at |on )?(?:lines? ?|L))[0-9]", re.IGNORECASE
)
_LINE_BEFORE = re.compile(r"lines? [0-9][0-9 ,–-]{0,20}(?:of|in) [`'\"*(\[]{0,4}$", re.IGNORECASE)
_REACH = 40
"""Characters around a name in which its line number is looked for."""


def _has_line(answer: str, start: int, end: int) -> bool:
    return bool(
        _LINE_AFTER.match(answer[end : end + _REACH])
        or _LINE_BEFORE.search(answer[max(0, start - _REACH) : start])
    )


def _is_set_off(answer: str, start: int, end: int) -> bool:
    before, after = answer[max(0, start - 1) : start], answer[end : end + 1]
    in_quotes = before != "" and before in _QUOTES and after != "" and after in _QUOTES
    return in_quotes or after == "/" or _has_line(answer, start, end)
