"""A sentence of the engine."""

from __future__ import annotations

from rich.text import Text
from textual.strip import Strip

from agent_cockpit.cockpit.render.page import Page
from agent_cockpit.transcript.blocks import NoticeBlock


def notice_lines(block: NoticeBlock, page: Page) -> list[Strip]:
    """Muted when it informs, with a sign when it warns, loud when something is broken."""
    ink = page.ink
    match block.level:
        case "info":
            return page.paragraph(Text(block.text, style=ink.muted), mark="·")
        case "warning":
            return page.paragraph(Text(block.text, style=ink.text), mark="!", ink=ink.warning)
        case _:
            return page.paragraph(Text(block.text, style=ink.error), mark="✘", ink=ink.error)
