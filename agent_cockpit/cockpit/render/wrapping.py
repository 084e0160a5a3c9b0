"""Lines of a text: where they break, what stood at the break, how they are cut and filled."""

from __future__ import annotations

from itertools import pairwise

from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.text import Text

from agent_cockpit.cockpit.render.line_breaks import breaks_anywhere, line_breaks
from agent_cockpit.transcript.links import links_in

_BETWEEN = " · "


def untabbed(text: Text) -> Text:
    """The line with spaces for its tabs: how wide they are is known before it is measured."""
    if "\t" not in text.plain:
        return text
    text = text.copy()
    text.expand_tabs(4)
    return text


def wrap(text: Text, width: int, console: Console) -> list[Text]:
    """`text` in lines of at most `width` cells; words longer than a line are cut.

    A line's `end` says what was between it and the next: a line break, a space, nothing. Web
    addresses can be followed, on each of the lines that they take.
    """
    for link in links_in(text.plain):
        text.stylize(Style(link=link.address), link.start, link.end)
    if fits(text, width):
        return [text]
    lines: list[Text] = []
    for line in text.split("\n", allow_blank=True):
        line.expand_tabs(4)
        pieces = _rows(line, max(1, width), console)
        _set_ends(pieces, line.plain)
        lines += pieces
    return lines


def wrap_phrases(text: Text, width: int, console: Console) -> list[Text]:
    """As `wrap`, with lines that end where a `·` stands between two phrases, wherever it can be."""
    lines: list[Text] = []
    for phrase in text.split(_BETWEEN):
        longer = joined([*lines[-1:], phrase], _BETWEEN)
        if lines and fits(longer, width):
            lines[-1] = longer
        else:
            if lines:
                lines[-1].end = _BETWEEN
            lines += wrap(phrase, width, console)
    return lines


def fits(text: Text, width: int) -> bool:
    """Whether it is one line of at most `width` cells as it stands."""
    return text.cell_len <= width and "\n" not in text.plain and "\t" not in text.plain


def _rows(line: Text, width: int, console: Console) -> list[Text]:
    if not breaks_anywhere(line.plain):
        return list(line.wrap(console, width, overflow="fold"))
    rows = list(line.divide(line_breaks(line.plain, width)))
    for row in rows:
        row.rstrip_end(width)
        row.truncate(width, overflow="fold")
    return rows


def _set_ends(pieces: list[Text], whole: str) -> None:
    at = 0
    for piece, following in pairwise(pieces):
        at += len(piece)
        has_space = piece.plain[-1:].isspace()
        while at < len(whole) and not whole.startswith(following.plain, at):
            has_space, at = True, at + 1
        piece.end = " " if has_space else ""


def continued(line: Text, original: Text) -> Text:
    """`line` with the end of the wrapped line that it was made from."""
    line.end = original.end
    return line


def crop(text: Text, width: int) -> Text:
    """At most `width` cells of one line, with `…` for what was cut."""
    short = text.copy()
    if short.cell_len > width:
        short.truncate(max(1, width), overflow="ellipsis")
    return short


def fill(text: Text, width: int) -> Text:
    """`text` with spaces up to `width` cells, in its own style."""
    missing = width - cell_len(text.plain)
    if missing > 0:
        text.append(" " * missing)
    return text


def joined(parts: list[Text], between: str) -> Text:
    """The parts that are not empty, with `between` in between."""
    return Text(between).join([part for part in parts if part.plain])
