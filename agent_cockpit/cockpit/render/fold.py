"""Folding: how much of a block is shown, and the line that says what is not."""

from __future__ import annotations

from typing import Literal

from rich.style import Style
from rich.text import Text
from textual.strip import Strip

from agent_cockpit.cockpit.render.page import Page
from agent_cockpit.transcript.wording import count

Fold = Literal["auto", "open", "closed"]
"""`auto` is what a block shows by itself: little of a success, more of a failure."""

OPEN_LINES = 2_000
"""Even an open block ends somewhere: what is longer is for a pager."""


def shortened(
    strips: list[Strip],
    limit: int,
    fold: Fold,
    page: Page,
    *,
    indent: int,
    mark: str = "",
    ink: Style | None = None,
    keep: Literal["head", "tail"] = "head",
) -> list[Strip]:
    """At most `limit` lines (`OPEN_LINES` when open), and a line that counts the others."""
    limit = OPEN_LINES if fold == "open" else limit
    if len(strips) <= limit + 1:
        return strips
    hidden = f"… {count(len(strips) - limit, 'more line')}"
    more = page.line(Text(hidden, style=page.ink.muted), mark=mark, ink=ink, indent=indent)
    return [*strips[:limit], more] if keep == "head" else [more, *strips[-limit:]]
