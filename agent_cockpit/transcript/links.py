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
