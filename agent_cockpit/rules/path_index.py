"""Finding a few paths among very many by typed letters.

Law: what takes its time is done in steps, each short enough that a key never waits for it.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from agent_cockpit.rules.fuzzy import fit

MOST = 50
"""Paths that one search gives."""
_MOST_HITS = 300
"""Places looked at in one way of looking; the shallow paths come first, and are enough."""
_STEP_BYTES = 400_000
"""Of the names that are read letter by letter in one step: a few milliseconds."""


class PathIndex:
    """The files of a tree and the folders that they are in; folders end in `/`.

    Made in a thread and never changed afterwards. Shallow paths stand first, folders before
    files and else as they were given, so that looking from the front finds the likeliest.
    """

    def __init__(self, files: Iterable[str]) -> None:
        known = list(dict.fromkeys(files))
        self.paths = _by_depth([*_folders(known), *known])
        lines = [_folded(path) for path in self.paths]
        self._whole = _Lines(lines)
        self._names = _Lines([line[_name_start(line) :] for line in lines])

    def search(self, query: str, *, among: Sequence[str] | None = None) -> Iterator[list[str]]:
        """The best paths for the letters typed so far, then better lists as more is looked at;
        each step of the iteration is short. At most `MOST` paths, best first.

        `among` is the last list of a query that this one goes on from, where that was shorter
        than `MOST`: nothing else can fit.
        """
        wanted = _folded(query.removeprefix("./"))
        if not wanted:
            yield self.paths[:MOST]
            return
        if wanted.startswith((b"../", b"/", b"~")):
            yield []
            return
        if among is not None:
            fitting = [path for path in among if fit(query.removeprefix("./"), path)]
            yield sorted(fitting, key=lambda path: _rank(query, path))
            return
        found = dict.fromkeys(self._whole.beginning(wanted)) if b"/" in wanted else {}
        if b"/" not in wanted:
            found |= dict.fromkeys(self._names.beginning(wanted))
            if len(found) < MOST:
                found |= dict.fromkeys(self._names.holding(wanted))
        if len(found) < MOST:
            found |= dict.fromkeys(self._whole.holding(wanted))
        ranked = self._ranked(query, found)
        yield ranked
        if len(ranked) >= MOST or len(wanted) < 2:
            return
        for more in self._whole.scattered(wanted):
            if more:
                found |= dict.fromkeys(more)
                ranked = self._ranked(query, found)
                yield ranked
                if len(ranked) >= MOST:
                    return
            else:
                yield ranked

    def _ranked(self, query: str, found: Iterable[int]) -> list[str]:
        def rank(place: int) -> tuple[tuple[int, int], int]:
            return _rank(query, self.paths[place]), place

        return [self.paths[place] for place in sorted(found, key=rank)[:MOST]]


def _rank(query: str, path: str) -> tuple[int, int]:
    """Itself, names that begin so, names that hold it, then by how the letters fit."""
    wanted = query.removeprefix("./").lower()
    bare = path.lower().rstrip("/")
    name = bare[bare.rfind("/") + 1 :]
    if bare == wanted.rstrip("/"):
        return (0, 0)
    if "/" in wanted and bare.startswith(wanted):
        return (1, bare.count("/"))
    if name.startswith(wanted):
        return (1, 0)
    good = fit(wanted, path)
    return (2 if wanted in name else 3, -good.score if good else 0)


class _Lines:
    """Many short texts in one, so that looking through all of them is one call."""

    def __init__(self, lines: list[bytes]) -> None:
        self._text = b"\n" + b"\n".join(lines) + b"\n"
        self._starts: list[int] = []
        at = 1
        for line in lines:
            self._starts.append(at)
            at += len(line) + 1

    def beginning(self, wanted: bytes) -> Iterator[int]:
        """The lines that begin so, in order."""
        return self._hits(b"\n" + wanted, ahead=1)

    def holding(self, wanted: bytes) -> Iterator[int]:
        """The lines that hold it, in order; a line may come twice."""
        return self._hits(wanted, ahead=0)

    def scattered(self, wanted: bytes) -> Iterator[list[int]]:
        """The lines that hold its letters in order, a step at a time."""
        letters = [wanted[at : at + 1] for at in range(len(wanted))]
        gaps = (b"[^" + re.escape(letter) + b"\n]*+" + re.escape(letter) for letter in letters)
        line = re.compile(b"\n" + b"".join(gaps))
        text, at = self._text, 0
        while at < len(text) - 1:
            end = text.find(b"\n", at + _STEP_BYTES)
            end = len(text) if end < 0 else end + 1
            hits = (match.start() + 1 for match in line.finditer(text, at, end))
            yield [self._line(hit) for hit in islice(hits, _MOST_HITS)]
            at = end - 1

    def _hits(self, wanted: bytes, *, ahead: int) -> Iterator[int]:
        at = self._text.find(wanted)
        for _ in range(_MOST_HITS):
            if at < 0:
                return
            yield self._line(at + ahead)
            at = self._text.find(wanted, at + 1)

    def _line(self, at: int) -> int:
        return bisect_right(self._starts, at) - 1


def _by_depth(paths: Iterable[str]) -> list[str]:
    """Stable by depth, without a sort of everything, which would let no other thread work."""
    levels: dict[int, list[str]] = {}
    for path in paths:
        levels.setdefault(path.count("/", 0, -1), []).append(path)
    return [path for depth in sorted(levels) for path in levels[depth]]


def _folders(files: Iterable[str]) -> dict[str, None]:
    folders: dict[str, None] = {}
    for path in files:
        end = path.rfind("/", 0, -1)
        while end > 0 and path[: end + 1] not in folders:
            folders[path[: end + 1]] = None
            end = path.rfind("/", 0, end)
    return folders


def _folded(text: str) -> bytes:
    """As it is compared: letter case and the ways to write one accent make no difference."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    return text.lower().encode("utf-8", "surrogatepass")


def _name_start(line: bytes) -> int:
    return line.rstrip(b"/").rfind(b"/") + 1
