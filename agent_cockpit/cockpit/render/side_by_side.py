"""Old and new beside each other: what was removed faces what took its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rich.style import Style
from rich.text import Text

from agent_cockpit.cockpit.render.page import Page
from agent_cockpit.cockpit.render.wrapping import fill, wrap
from agent_cockpit.transcript.diffs import DiffLine, facing

_BETWEEN = " │ "


@dataclass(frozen=True, slots=True)
class Half:
    """A line as one of the two halves shows it."""

    line: DiffLine
    code: Text
    sign: str
    ground: Style
    sign_ink: Style


def side_by_side(halves: Sequence[Half], width: int, page: Page, number_cells: int) -> list[Text]:
    """Rows of `width` cells: the old lines at the left, the new ones at the right."""
    room = (width - len(_BETWEEN)) // 2
    rows: list[Text] = []
    for old, new in facing([half.line.kind for half in halves]):
        left = _rows(None if old is None else halves[old], room, page, number_cells, is_old=True)
        right = _rows(None if new is None else halves[new], room, page, number_cells, is_old=False)
        for one, other in zip_longest(left, right):
            row = Text.assemble(
                fill(one.copy() if one else Text(), room),
                (_BETWEEN, page.ink.faint),
                other if other else Text(),
            )
            rows.append(row)
    return rows


def _rows(
    half: Half | None, room: int, page: Page, number_cells: int, *, is_old: bool
) -> list[Text]:
    if half is None:
        return []
    line = half.line
    width = max(1, room - number_cells - 3)
    number = line.old if is_old and line.kind == "context" else line.number
    rows: list[Text] = []
    for place, piece in enumerate(wrap(half.code, width, page.console)):
        shown = str(number) if place == 0 and line.kind != "note" else ""
        body = Text(style=half.ground)
        body.append(half.sign if place == 0 else "  ", half.sign_ink)
        body.append_text(piece)
        if line.kind in ("added", "removed"):
            body = fill(body, width + 2)
        rows.append(Text.assemble((f"{shown:>{number_cells}} ", page.ink.faint), body))
    return rows
