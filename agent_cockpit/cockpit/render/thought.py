"""The model's reasoning: its last lines while it goes on, then one line."""

from __future__ import annotations

from rich.style import Style
from rich.text import Text
from textual.strip import Strip

from agent_cockpit.cockpit.render.fold import Fold, shortened
from agent_cockpit.cockpit.render.page import Page
from agent_cockpit.cockpit.render.wrapping import crop, wrap
from agent_cockpit.transcript.blocks import ThoughtBlock
from agent_cockpit.transcript.wording import compact, duration

_LIVE_LINES = 3
_CHARS_A_TOKEN = 4
_LIVE_CHARS = 2_000
"""Enough for the last lines of any page; the rest is not wrapped while it grows."""


def thought_lines(block: ThoughtBlock, page: Page, fold: Fold) -> list[Strip]:
    """Nothing of a void or empty thought."""
    if block.is_void or not block.text.strip():
        return []
    ink = page.ink.muted + Style(italic=True)
    indent = page.body_indent - 2
    if block.is_open:
        tail = Text(block.text[-_LIVE_CHARS:].strip(), style=ink)
        lines = wrap(tail, page.room(2), page.console)[-_LIVE_LINES:]
        words = " ".join(part for part in ("thinking", page.ticking) if part)
        head = page.line(Text(words, style=page.ink.live), mark=page.spinner, indent=2)
        return [head, *(page.line(line, indent=2 + indent) for line in lines)]
    long_ms = round((block.duration_s or 0) * 1000)
    took = f"thought {duration(long_ms)}" if long_ms >= 1000 else "thought"
    title = Text(f"{took} · ~{compact(_tokens(block.text))} tokens", style=page.ink.muted)
    if fold != "open":
        first = " ".join(block.text.split())
        title = Text.assemble(title, ("   ", page.ink.muted), (first, ink))
        return [page.line(crop(title, page.room(2)), mark="▹", indent=2)]
    body = page.paragraph(Text(block.text.strip(), style=ink), indent=2 + indent)
    return shortened(
        [page.line(title, mark="▿", indent=2), *body], 0, "open", page, indent=2 + indent
    )


def _tokens(text: str) -> int:
    """About how many; no server counts those of thoughts apart."""
    return max(1, round(len(text) / _CHARS_A_TOKEN))
