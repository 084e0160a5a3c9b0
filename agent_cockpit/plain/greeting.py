"""The first lines of a sitting: whose it is, what can be done, where it was left."""

from __future__ import annotations

from collections.abc import Iterator

from agent_cockpit.plain.feed import Feed
from agent_cockpit.text import clean_line
from agent_cockpit.transcript.blocks import PromptBlock
from agent_cockpit.transcript.plain import plain_lines

WORDS = "/help lists the commands · ctrl+c stops a goal, twice quits · ctrl+d quits"


def greeting(feed: Feed, *, title: str, suggestion: str) -> Iterator[str]:
    """The lines; what is told next of the transcript begins behind its newest prompt."""
    status = feed.status
    parts = [clean_line(title), f"model {clean_line(status.model)}"]
    if status.sandbox == "none":
        parts.append("no sandbox")
    yield " · ".join(["agent-cockpit", *filter(None, parts)])
    yield WORDS
    if suggestion:
        yield f"try: {suggestion}"
    goals = [
        block.key
        for block in feed.transcript.blocks
        if isinstance(block, PromptBlock) and block.origin == "goal"
    ]
    if len(goals) > 1:
        yield f"- {len(goals) - 1} goals before this one; `replay --print` tells them"
    if goals:
        feed.telling.skip_to(goals[-1] + 1)
        yield ""
        yield from plain_lines(feed.transcript.block(goals[-1]))
