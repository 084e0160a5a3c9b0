"""How a goal ended that was no plain success."""

from __future__ import annotations

from rich.style import Style
from rich.text import Text
from textual.strip import Strip

from agent_cockpit.cockpit.render.page import Page
from agent_cockpit.transcript.blocks import OutcomeBlock


def outcome_lines(block: OutcomeBlock, page: Page) -> list[Strip]:
    """The outcome as a word, why, and what it took."""
    ink = page.ink
    style = ink.error if block.outcome == "failed" else ink.warning
    head = Text.assemble((block.outcome, style + Style(bold=True)))
    if block.text:
        head.append(f"   {block.text}", ink.text)
    right = Text(block.figures.words, style=ink.muted)
    mark = "✘" if block.outcome == "failed" else "!"
    return page.row(head, right, mark=mark, ink=style, is_whole=True)
