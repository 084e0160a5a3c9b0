"""The rows of a diff as every page draws them: number, sign, coloured code, the words that
changed. Loaded when the first one is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.strip import Strip

from agent_cockpit.cockpit.consent.question import Line
from agent_cockpit.cockpit.look.theme import Palette
from agent_cockpit.cockpit.render.diff import LINE_CHARS, SIGNS, coded, inks
from agent_cockpit.cockpit.render.ink import Ink
from agent_cockpit.cockpit.widgets.line_rows import SIGN_CELLS
from agent_cockpit.transcript.diffs import DiffLine, with_marks

_SHOWN = {"+": SIGNS["added"], "-": SIGNS["removed"]}
_TOGETHER = 200
"""Lines that are coloured at once; where more belong together, a string over many lines may
lose its colour."""
Selected = tuple[tuple[int, int], Style] | None
"""From where to where a line's text is selected, to its end with -1, and how that looks."""


class DiffRows:
    """Draws the numbered ones among these lines; owns their colours, found as they are asked
    for."""

    def __init__(self, lines: Sequence[Line], palette: Palette, console: Console) -> None:
        self.palette = palette
        self._lines = lines
        self._ink = Ink(palette)
        self._console = console
        self._coded: dict[int, dict[int, Text]] = {}

    def row(
        self,
        index: int,
        start: int,
        end: int,
        *,
        number: int,
        gutter: int,
        left: int,
        room: int,
        ground: Style,
        marked: Selected,
    ) -> Strip:
        """Of the text of a line the part from `start` to `end`, in `room` cells: number and sign,
        which stay where they are when its code is scrolled by `left`."""
        line = self._lines[index]
        own, _, sign_ink = inks(_kind(line), self._ink)
        own = ground + own
        first = start == 0
        code_at = 1 if line.number > 0 else 0
        shown = str(number) if first and number > 0 else ""
        sign = Strip([Segment(_SHOWN.get(line.text[0], " ") if first else " ", own + sign_ink)])
        head = Strip.join(
            [
                Strip([Segment(f"{shown:>{gutter - 1}} ", ground + self._ink.faint)]),
                sign.apply_offsets(0, index) if first else sign,
                Strip([Segment(" " * (SIGN_CELLS - 1), own)]),
            ]
        )
        code = self._code(index)[max(0, start - code_at) : end - code_at]
        code.end = ""
        code.stylize_before(own)
        if marked is not None:
            span, look = marked
            from_char = max(0, span[0] - max(code_at, start))
            to_char = len(code) if span[1] == -1 else max(0, span[1] - max(code_at, start))
            code.stylize(look, from_char, to_char)
        body = Strip([segment for segment in code.render(self._console) if segment.text])
        body = body.apply_offsets(max(code_at, start), index)
        rest = max(1, room - head.cell_length)
        return Strip.join([head, body.crop_extend(left, left + rest, own)]).crop(0, room)

    def _code(self, index: int) -> Text:
        """The code of a line in its colours."""
        line = self._lines[index]
        if line.number == 0:
            return Text(line.text)
        if len(line.text) > LINE_CHARS or line.tone == "muted":
            return Text(line.text[1:])
        place = index // _TOGETHER
        if place not in self._coded:
            self._coded[place] = self._colours(place * _TOGETHER)
        return self._coded[place][index].copy()

    def _colours(self, first: int) -> dict[int, Text]:
        """The code of all numbered lines among these, hunk by hunk."""
        found: dict[int, Text] = {}
        hunk: list[int] = []
        last = min(first + _TOGETHER, len(self._lines))
        for index in range(first, last + 1):
            line = self._lines[index] if index < last else None
            if line is not None and (line.number > 0 or (hunk and _is_note(line))):
                hunk.append(index)
                continue
            found |= self._hunk(hunk)
            hunk.clear()
        return found

    def _hunk(self, places: Sequence[int]) -> dict[int, Text]:
        if not places:
            return {}
        lines = [self._lines[place] for place in places]
        parsed = [DiffLine(_kind(line), line.number, line.text[1:LINE_CHARS]) for line in lines]
        texts = coded(with_marks(parsed), lines[0].path, self._ink)
        return {place: text for place, (_, text) in zip(places, texts, strict=True)}


def _is_note(line: Line) -> bool:
    """Whether it says of the line before it that its end is missing."""
    return line.number == 0 and line.text.startswith("\\")


def _kind(line: Line) -> Literal["added", "removed", "context", "note"]:
    if line.number == 0:
        return "note"
    match line.tone:
        case "added" | "removed":
            return line.tone
        case _:
            return "context"
