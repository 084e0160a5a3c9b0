"""Folding: how much of a block is shown, and the line that says what is not."""

from __future__ import annotations

from typing import Literal

from rich.style import Style
from rich.text import Text
from textual.strip import Strip

from agent_cockpit.cockpit.render.page import Page, meta_of
from agent_cockpit.cockpit.render.wrapping import crop
from agent_cockpit.transcript.wording import count

Fold = Literal["auto", "open", "closed"]
"""`auto` is what a block shows by itself: little of a success, more of a failure."""

OPEN_LINES = 2_000
"""Even an open block ends somewhere: what is longer is for a pager."""
_KEPT = "kept"


def line_limit(limit: int, fold: Fold) -> int:
    """How many lines may be shown."""
    return OPEN_LINES if fold == "open" else limit


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
    undrawn: int = 0,
) -> list[Strip]:
    """At most `limit` lines (`OPEN_LINES` when open), and a line that counts the others.

    `undrawn` lines are counted with them: what is not shown need not be drawn.
    """
    limit = line_limit(limit, fold)
    if len(strips) + undrawn <= limit + 1:
        return strips
    hidden = f"… {count(max(0, len(strips) - limit) + undrawn, 'more line')}"
    if fold == "open":
        hidden += ", read in $EDITOR from its menu"
    words = Text(hidden, style=page.ink.muted + Style.from_meta({_KEPT: keep}))
    more = page.line(crop(words, page.room(indent)), mark=mark, ink=ink, indent=indent)
    return [*strips[:limit], more] if keep == "head" else [more, *strips[-limit:]]


def kept_beside(strip: Strip) -> Literal["head", "tail"] | None:
    """What is shown of what this line counts the rest of; None where it counts nothing."""
    kept: Literal["head", "tail"] | None = meta_of(strip, _KEPT)
    return kept


def tail(text: str, limit: int, fold: Fold, page: Page, *, indent: int) -> list[Strip]:
    """The last lines of an output; only these are drawn."""
    lines = text.strip("\n").split("\n")
    kept = lines[-line_limit(limit, fold) - 1 :]
    strips = page.paragraph(Text("\n".join(kept), style=page.ink.muted), indent=indent)
    undrawn = len(lines) - len(kept)
    return shortened(strips, limit, fold, page, indent=indent, keep="tail", undrawn=undrawn)
