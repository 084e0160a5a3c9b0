"""What the person asked for."""

from __future__ import annotations

from rich.text import Text
from textual.strip import Strip

from agent_cockpit.cockpit.render.fold import Fold, line_limit, shortened
from agent_cockpit.cockpit.render.page import NARROW_CELLS, Page
from agent_cockpit.cockpit.render.wrapping import untabbed
from agent_cockpit.transcript.blocks import PromptBlock

_BAR = "▌"
_LINES = 12
_WORDS = {"steering": "steered", "revise": "the plan, revised", "build": "the plan, built"}


def prompt_lines(block: PromptBlock, page: Page, fold: Fold) -> list[Strip]:
    """The text behind its bar; the time, and what is special about it, at the right edge."""
    ink = page.ink
    word = _WORDS.get(block.origin, "")
    clock = page.clock(block.at) if block.at else ""
    right = Text("   ".join(part for part in (word, clock) if part), style=ink.muted)
    is_wide = page.width >= NARROW_CELLS
    room = max(1, page.room() - (right.cell_len + 2 if is_wide else 0))
    written, undrawn = _beginning(block.text, line_limit(_LINES, fold) + 1, room)
    text = untabbed(Text(written, style=ink.strong if block.origin == "goal" else ink.text))
    lines = text.split("\n", allow_blank=True)
    if len(lines) == 1 and text.cell_len + right.cell_len + 2 <= page.room():
        return page.row(text, right, mark=_BAR, ink=ink.person)
    strips: list[Strip] = []
    for line in lines:
        for piece in line.wrap(page.console, room, overflow="fold", tab_size=4):
            strips.append(page.line(piece, mark=_BAR, ink=ink.person))
    if not is_wide and word:
        strips.append(page.line(Text(word, style=ink.muted), mark=_BAR, ink=ink.person))
    if is_wide and strips:
        first = strips[0]
        gap = page.width - page.margin - first.cell_length - right.cell_len
        strips[0] = Strip.join([first, page.strip(Text.assemble(" " * gap, right))])
    return shortened(
        strips, _LINES, fold, page, indent=0, mark=_BAR, ink=ink.person, undrawn=undrawn
    )


def _beginning(text: str, most: int, room: int) -> tuple[str, int]:
    """As much of the text as can be shown in `most` lines, and how many lines are left out;
    wrapping a pasted document takes seconds."""
    lines = text.split("\n")
    drawn = [line[: most * room] for line in lines[:most]]
    cut = sum((len(line) - len(kept)) // room for line, kept in zip(lines, drawn, strict=False))
    return "\n".join(drawn), len(lines) - len(drawn) + cut
