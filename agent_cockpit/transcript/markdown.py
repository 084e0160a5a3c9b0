"""A sitting as one Markdown document: to keep, to send, or to quote from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agent_cockpit.transcript.blocks import AnswerBlock, Block, PromptBlock, ThoughtBlock
from agent_cockpit.transcript.copying import as_markdown, as_text, quoted
from agent_cockpit.transcript.wording import duration, in_zone

_HEADINGS = {
    "goal": "Prompt",
    "steering": "Said meanwhile",
    "revise": "Another version of the plan",
    "build": "The plan is built",
}


def markdown(blocks: Iterable[Block], *, title: str = "") -> str:
    """The blocks as one document, with a heading for each prompt; what is void is left out."""
    parts = [f"# {title}"] if title else []
    parts += [part for block in blocks for part in _parts(block) if part.strip()]
    return "\n\n".join(parts) + "\n"


def _parts(block: Block) -> Iterator[str]:
    match block:
        case AnswerBlock(is_void=True) | ThoughtBlock(is_void=True):
            return
        case PromptBlock(origin=origin, at=at):
            when = f" · {in_zone(at, None):%Y-%m-%d %H:%M}" if at else ""
            yield f"## {_HEADINGS[origin]}{when}"
            yield as_markdown(block)
        case ThoughtBlock():
            if text := as_text(block).strip():
                yield f"*Thought for {duration(round((block.duration_s or 0) * 1000))}:*"
                yield quoted(text)
        case _:
            yield as_markdown(block)
