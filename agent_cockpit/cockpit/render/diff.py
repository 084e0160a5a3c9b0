"""A diff with line numbers, signs, coloured code and the words that changed; under each other,
or old and new side by side where there is room."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from rich.style import Style
from rich.text import Text
from textual.strip import Strip

from agent_cockpit.cockpit.look.diff_view import stands_beside
from agent_cockpit.cockpit.render.code import highlighted, lexer_for_path
from agent_cockpit.cockpit.render.ink import Ink
from agent_cockpit.cockpit.render.page import HUNK, Page
from agent_cockpit.cockpit.render.side_by_side import Half, side_by_side
from agent_cockpit.cockpit.render.wrapping import continued, fill, wrap
from agent_cockpit.transcript.diffs import (
    DiffLine,
    FileDiff,
    Hunk,
    header_words,
    parse_diff,
    with_marks,
)
from agent_cockpit.transcript.wording import count

NUMBER_CELLS = 5
LINE_CHARS = 4_000
"""A longer line, of minified code or data, keeps its beginning and says how much is left."""
SIGNS = {"added": "+", "removed": "−", "context": " ", "note": " "}


def diff_lines(
    text: str, page: Page, *, indent: int = 0, limit: int = 2_000, folded: Set[int] = frozenset()
) -> tuple[list[Strip], int]:
    """About the first `limit` lines of a diff, and how many more it has.

    A path stands above its hunks when there are several files; of the `folded` hunks one line
    says what they hold.
    """
    files = parse_diff(text)
    left = sum(len(hunk.lines) for file in files for hunk in file.hunks)
    strips: list[Strip] = []
    number = 0
    for file in files:
        if len(strips) > limit:
            break
        if len(files) > 1 or file.notes:
            strips += page.paragraph(_title(file, page, len(files) > 1), indent=indent)
        for place, hunk in enumerate(file.hunks):
            room = limit + 1 - len(strips)
            if room <= 0:
                break
            is_folded = number in folded
            if place or is_folded:
                strips.append(page.line(_head(hunk, number, page, is_folded), indent=indent))
            if not is_folded:
                strips += _hunk(with_marks(hunk.lines, room), file, page, indent)
            left -= len(hunk.lines) if is_folded else len(hunk.lines[:room])
            number += 1
    return strips, left


def _title(file: FileDiff, page: Page, is_named: bool) -> Text:
    """The path, where the call's line does not say it, and what happened beside the lines."""
    notes = " · ".join(header_words(file.notes))
    name = file.path if is_named else ""
    between = " · " if name and notes else ""
    return Text.assemble((name, page.ink.text), (between + notes, page.ink.muted))


def _head(hunk: Hunk, number: int, page: Page, is_folded: bool) -> Text:
    """What stands between hunks; of a folded one also what it holds."""
    head = Text(f"{'⋯':>{NUMBER_CELLS}}", style=page.ink.faint)
    if is_folded:
        first = next((line.number for line in hunk.lines), 0)
        added = sum(line.kind == "added" for line in hunk.lines)
        removed = sum(line.kind == "removed" for line in hunk.lines)
        words = f"   {count(len(hunk.lines), 'line')} from line {first}   +{added} −{removed}"
        head.append(words, page.ink.muted)
    head.stylize(Style.from_meta({HUNK: number}))
    return head


def _hunk(lines: Sequence[DiffLine], file: FileDiff, page: Page, indent: int) -> list[Strip]:
    code = coded([_cut(line) for line in lines], file.path, page.ink)
    width = page.room(indent)
    if stands_beside(page.diff_view, width) and {"added", "removed"} <= {
        line.kind for line in lines
    }:
        rows = side_by_side(
            [_half(line, text, page) for line, text in code], width, page, NUMBER_CELLS
        )
        return [page.line(row, indent=indent) for row in rows]
    return [strip for line, text in code for strip in _line(line, text, page, indent)]


def coded(lines: Sequence[DiffLine], path: str, ink: Ink) -> list[tuple[DiffLine, Text]]:
    """Each line with its code in colours, and on it what changed."""
    lexer = lexer_for_path(path)
    sides: dict[str, list[Text]] = {}
    for side, dropped in (("old", "added"), ("new", "removed")):
        kept = [line.text for line in lines if line.kind not in (dropped, "note")]
        sides[side] = list(highlighted("\n".join(kept), lexer, ink))
    at = {"old": 0, "new": 0}
    found: list[tuple[DiffLine, Text]] = []
    for line in lines:
        if line.kind == "note":
            found.append((line, Text(line.text, style=ink.muted)))
            continue
        side = "old" if line.kind == "removed" else "new"
        known = at[side] < len(sides[side])
        code = sides[side][at[side]].copy() if known else Text(line.text)
        _, mark, _ = inks(line.kind, ink)
        for start, end in line.marks:
            code.stylize(mark, start, end)
        found.append((line, code))
        at["old"] += line.kind != "added"
        at["new"] += line.kind != "removed"
    return found


def _cut(line: DiffLine) -> DiffLine:
    """A line as far as anybody reads it."""
    more = len(line.text) - LINE_CHARS
    if more <= 0:
        return line
    marks = tuple((start, min(end, LINE_CHARS)) for start, end in line.marks if start < LINE_CHARS)
    text = f"{line.text[:LINE_CHARS]}… {count(more, 'more character')}"
    return replace(line, text=text, marks=marks)


def _half(line: DiffLine, code: Text, page: Page) -> Half:
    ground, _, sign_ink = inks(line.kind, page.ink)
    return Half(line, code, f"{SIGNS[line.kind]} ", ground, sign_ink)


def _line(line: DiffLine, code: Text, page: Page, indent: int) -> list[Strip]:
    if line.kind == "note":
        note = Text.assemble(f"{'':{NUMBER_CELLS}}   ", code)
        return [page.line(note, indent=indent)]
    ground, _, sign_ink = inks(line.kind, page.ink)
    width = page.room(indent) - NUMBER_CELLS - 3
    strips: list[Strip] = []
    for piece_number, piece in enumerate(wrap(code, max(1, width), page.console)):
        number = str(line.number) if piece_number == 0 else ""
        sign = SIGNS[line.kind] if piece_number == 0 else " "
        row = Text(f"{number:>{NUMBER_CELLS}} ", style=page.ink.faint)
        body = Text(style=ground)
        body.append(f"{sign} ", sign_ink)
        body.append_text(piece)
        if line.kind != "context":
            body = fill(body, max(1, width) + 2)
        whole = continued(Text.assemble(row, body), piece)
        strips.append(page.line(whole, indent=indent))
    return strips


def inks(kind: str, ink: Ink) -> tuple[Style, Style, Style]:
    """Of this kind of line the ground, the words that changed, and the sign."""
    match kind:
        case "added":
            return ink.added, ink.added_mark, ink.success
        case "removed":
            return ink.removed, ink.removed_mark, ink.error
        case _:
            return ink.muted, ink.muted, ink.muted
