"""A diff with line numbers, signs, coloured code and the words that changed."""

from __future__ import annotations

from rich.style import Style
from rich.text import Text
from textual.strip import Strip

from agent_cockpit.cockpit.render.code import highlighted, lexer_for_path
from agent_cockpit.cockpit.render.page import Page, continued, fill, wrap
from agent_cockpit.transcript.diffs import DiffLine, FileDiff, parse_diff

_NUMBER_CELLS = 5
_NOTES = {"new file": "new file", "deleted file": "deleted"}
_SIGNS = {"added": "+", "removed": "−", "context": " ", "note": " "}


def diff_lines(
    text: str, page: Page, *, indent: int = 0, limit: int = 2_000
) -> tuple[list[Strip], int]:
    """About the first `limit` lines of a diff, and how many more it has.

    A path stands above its hunks when there are several files.
    """
    files = parse_diff(text)
    left = sum(len(hunk.lines) for file in files for hunk in file.hunks)
    strips: list[Strip] = []
    for file in files:
        if len(strips) > limit:
            break
        if len(files) > 1 or file.notes:
            strips += page.paragraph(_title(file, page, len(files) > 1), indent=indent)
        for number, hunk in enumerate(file.hunks):
            room = limit + 1 - len(strips)
            if room <= 0:
                break
            if number:
                gap = Text(f"{'⋯':>{_NUMBER_CELLS}}", style=page.ink.faint)
                strips.append(page.line(gap, indent=indent))
            strips += _hunk(hunk.lines[:room], file, page, indent)
            left -= len(hunk.lines[:room])
    return strips, left


def _title(file: FileDiff, page: Page, is_named: bool) -> Text:
    """The path, where the call's line does not say it, and what happened beside the lines."""
    notes = " · ".join(_NOTES.get(note.rpartition(" mode ")[0], note) for note in file.notes)
    name = file.path if is_named else ""
    between = " · " if name and notes else ""
    return Text.assemble((name, page.ink.text), (between + notes, page.ink.muted))


def _hunk(lines: tuple[DiffLine, ...], file: FileDiff, page: Page, indent: int) -> list[Strip]:
    lexer = lexer_for_path(file.path)
    sides: dict[str, list[Text]] = {}
    for side, dropped in (("old", "added"), ("new", "removed")):
        kept = [line.text for line in lines if line.kind not in (dropped, "note")]
        text = highlighted("\n".join(kept), lexer, page.ink)
        sides[side] = list(text.split("\n", allow_blank=True))
    at = {"old": 0, "new": 0}
    strips: list[Strip] = []
    for line in lines:
        if line.kind == "note":
            note = Text(f"{'':{_NUMBER_CELLS}}   {line.text}", style=page.ink.muted)
            strips.append(page.line(note, indent=indent))
            continue
        code = sides["old" if line.kind == "removed" else "new"]
        number = at["old" if line.kind == "removed" else "new"]
        strips += _line(line, code[number] if number < len(code) else Text(line.text), page, indent)
        at["old"] += line.kind != "added"
        at["new"] += line.kind != "removed"
    return strips


def _line(line: DiffLine, code: Text, page: Page, indent: int) -> list[Strip]:
    ground, mark, sign_ink = _inks(line, page)
    text = code.copy()
    for start, end in line.marks:
        text.stylize(mark, start, end)
    width = page.room(indent) - _NUMBER_CELLS - 3
    strips: list[Strip] = []
    for piece_number, piece in enumerate(wrap(text, max(1, width), page.console)):
        number = str(line.number) if piece_number == 0 else ""
        sign = _SIGNS[line.kind] if piece_number == 0 else " "
        row = Text(f"{number:>{_NUMBER_CELLS}} ", style=page.ink.faint)
        body = Text(style=ground)
        body.append(f"{sign} ", sign_ink)
        body.append_text(piece)
        if line.kind != "context":
            body = fill(body, max(1, width) + 2)
        whole = continued(Text.assemble(row, body), piece)
        strips.append(page.line(whole, indent=indent))
    return strips


def _inks(line: DiffLine, page: Page) -> tuple[Style, Style, Style]:
    ink = page.ink
    match line.kind:
        case "added":
            return ink.added, ink.added_mark, ink.success
        case "removed":
            return ink.removed, ink.removed_mark, ink.error
        case _:
            return ink.muted, ink.muted, ink.muted
