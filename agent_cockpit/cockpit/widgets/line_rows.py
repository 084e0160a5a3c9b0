"""Where lines stand: in which rows each one wraps, and which two of a diff share them.

Law: wrapping loses no character, and every line has its place, alone or beside another one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from rich.cells import cell_len

from agent_cockpit.cockpit.consent.question import Line
from agent_cockpit.cockpit.look.cells import end_of_row
from agent_cockpit.cockpit.look.diff_view import DiffView, stands_beside
from agent_cockpit.transcript.diffs import facing

SIGN_CELLS = 2
"""Before the code of a diff: its sign, and what keeps it off the code."""
BETWEEN = " │ "
"""Between old and new."""
Shared = tuple[int] | tuple[int | None, int | None]
"""What rows show: one line, or an old one and a new one beside each other."""
_KINDS = {"-": "removed", "+": "added", "\\": "note"}


class LineRows:
    """Owns the texts of some lines as they are shown, and their places at one width."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.texts = [line.text.expandtabs(4) for line in lines]  # a tab would jump the frame
        highest = max((line.number for line in lines), default=-1)
        self.gutter = max(3, len(str(highest))) + 1 if highest >= 0 else 0
        self.width = self.half = 0
        """Cells for a line, and for one of two that stand beside each other."""
        self.widest = 0
        """How wide a view is in which the longest line can be scrolled to its end."""
        self._wraps = True
        self._shared: list[Shared] | None = None
        self._place: list[int] = []
        self._halved: frozenset[int] = frozenset()
        self._pieces: dict[int, list[str]] = {}
        self._ends: list[int] = []
        """For each of what shares rows the row behind its last one."""

    @property
    def count(self) -> int:
        """How many rows there are."""
        return self._ends[-1] if self._ends else 0

    def lay_out(self, width: int, *, wraps: bool, view: DiffView) -> None:
        """Find the places anew."""
        self.width, self._wraps = max(1, width), wraps
        self.half = max(1, (self.width - len(BETWEEN)) // 2)
        self._pieces.clear()
        self._shared, self._place, self._halved = None, [], frozenset()
        if self.gutter and stands_beside(view, width):
            self._stand_beside()
        everything: Sequence[Shared] = self._shared or [(n,) for n in range(len(self.lines))]
        self._ends = list(accumulate(map(self._height, everything)))
        self.widest = (
            self.width if wraps else max(map(self._wanted, range(len(self.lines))), default=0)
        )

    def at(self, row: int) -> tuple[Shared, int]:
        """What this row shows, and which of its rows it is."""
        place = bisect_right(self._ends, row)
        shared: Shared = self._shared[place] if self._shared is not None else (place,)
        return shared, row - (self._ends[place - 1] if place else 0)

    def first_row(self, index: int) -> int:
        """The first row of this line."""
        place = self._place_of(index)
        return self._ends[place - 1] if 0 < place <= len(self._ends) else 0

    def row_below(self, index: int) -> int:
        """The row behind the last one of this line."""
        place = self._place_of(index)
        return self._ends[place] if 0 <= place < len(self._ends) else 0

    def piece(self, index: int, number: int) -> tuple[str, int] | None:
        """What of this line stands in its row of this number, and how many characters before."""
        if not self._wraps:
            return (self.texts[index], 0) if number == 0 else None
        pieces = self._pieces_of(index)
        if number >= len(pieces):
            return None
        return pieces[number], sum(map(len, pieces[:number]))

    def hang(self, index: int) -> int:
        """How far the further rows of a line are indented."""
        return min(self.lines[index].hang, self.width // 2)

    def _place_of(self, index: int) -> int:
        return self._place[index] if self._place and 0 <= index < len(self._place) else index

    def _stand_beside(self) -> None:
        """Let the lines of each hunk that takes and gives face each other."""
        shared: list[Shared] = []
        hunk: list[int] = []
        halved: set[int] = set()
        for index in range(len(self.lines) + 1):
            if index < len(self.lines) and (kind := self._kind(index)) and (hunk or kind != "note"):
                hunk.append(index)
                continue
            kinds = [self._kind(each) for each in hunk]
            if {"removed", "added"} <= set(kinds):
                halved.update(hunk)
                for old, new in facing(kinds):
                    shared.append(
                        (None if old is None else hunk[old], None if new is None else hunk[new])
                    )
            else:
                shared += [(each,) for each in hunk]
            hunk.clear()
            if index < len(self.lines):
                shared.append((index,))
        self._shared, self._halved = shared, frozenset(halved)
        self._place = [0] * len(self.lines)
        for place, each in enumerate(shared):
            for line in each:
                if line is not None:
                    self._place[line] = place

    def _kind(self, index: int) -> str:
        """What kind of line of a hunk this is; empty for none."""
        line = self.lines[index]
        sign = line.text[:1]
        if line.number > 0:
            return _KINDS.get(sign, "context")
        return "note" if line.number == 0 and sign == "\\" else ""

    def _height(self, shared: Shared) -> int:
        if not self._wraps:
            return 1
        return max(len(self._wrapped(index)) for index in shared if index is not None)

    def _wanted(self, index: int) -> int:
        cells = cell_len(self.texts[index]) + self.gutter + SIGN_CELLS
        return self.width + max(0, cells - self.half) if index in self._halved else cells

    def _pieces_of(self, index: int) -> list[str]:
        """The rows of a line; those of the last two asked for are kept, they may be long."""
        if index not in self._pieces:
            if len(self._pieces) > 1:
                self._pieces.clear()
            self._pieces[index] = self._wrapped(index)
        return self._pieces[index]

    def _wrapped(self, index: int) -> list[str]:
        line, text = self.lines[index], self.texts[index]
        if line.number < 0:
            return wrapped(text, self.width, self.hang(index))
        is_halved = index in self._halved
        room = max(1, (self.half if is_halved else self.width) - self.gutter)
        code_room = max(1, room - SIGN_CELLS)
        if line.number == 0:
            return wrapped(text, code_room if is_halved else room)
        first, *more = wrapped(text[1:], code_room) or [""]
        return [text[:1] + first, *more]


def wrapped(text: str, width: int, hang: int = 0) -> list[str]:
    """The text in pieces of at most `width` cells, those after the first of `hang` cells less,
    broken behind a space where one is near; joined they are the text."""
    if len(text) <= width and (text.isascii() or cell_len(text) <= width):
        return [text]
    pieces: list[str] = []
    start = 0
    while start < len(text):
        end = end_of_row(text, start, width - hang if start else width)
        if end < len(text):
            space = text.rfind(" ", start + (end - start) // 2, end)
            end = space + 1 if space >= 0 else end
        pieces.append(text[start:end])
        start = end
    return pieces
