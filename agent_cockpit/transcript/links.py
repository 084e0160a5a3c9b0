"""Web addresses in texts: only what a reader sees in full can be followed.

Law: an address holds printable ASCII alone, so that nothing in it acts on a terminal or looks
like another letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_ADDRESS = re.compile(r"https?://[!#-&(-;=?-\[\]_a-~]{1,2000}", re.ASCII)
_NOT_LAST = ".,:;!?*_~)]}"


class Link(NamedTuple):
    """An address and the characters of the text that show it."""

    start: int
    end: int
    address: str


def links_in(text: str) -> Iterator[Link]:
    """The addresses in a text, without the signs of the sentence around them."""
    if "://" not in text:
        return
    for found in _ADDRESS.finditer(text):
        if text[found.end() : found.end() + 1].isalnum():
            continue  # it goes on with letters of another script
        address = found[0]
        while address[-1] in _NOT_LAST and not _closes(address):
            address = address[:-1]
        if not address.endswith("//"):
            yield Link(found.start(), found.start() + len(address), address)


def _closes(address: str) -> bool:
    """Whether the last sign closes a bracket that was opened in the address."""
    opening = {")": "(", "]": "[", "}": "{"}.get(address[-1], "")
    return bool(opening) and address.count(opening) >= address.count(address[-1])


_PATH = re.compile(
    r"[\w+.-]{1,20}://\S*"  # a web address, of which no part is a path
    r"|(?<![\w@+~./:\\-])(/?[\w@+~.-]+(?:/[\w@+~.-]+)*)(:\d+(?:[-:]\d+)?)?"
)


class Named(NamedTuple):
    """What may be a path in a text: the characters that show it with its line, the path itself,
    and its line from 1 where one is named."""

    start: int
    end: int
    path: str
    line: int | None


def paths_in(text: str) -> Iterator[Named]:
    """What may be paths of files: words with a dot or a slash in them, and no part of a web
    address."""
    if "." not in text and "/" not in text:
        return
    for found in _PATH.finditer(text):
        path, line = found[1], found[2]
        if path is None:
            continue
        if line is None:
            path = path.rstrip(".")
        if "/" not in path and "." not in path.strip("."):
            continue
        if text.startswith("://", found.end()):
            continue
        number = int(re.split("[-:]", line[1:])[0][:9]) if line else None
        yield Named(found.start(), found.start() + len(path) + len(line or ""), path, number)
