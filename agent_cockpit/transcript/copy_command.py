"""What `/copy` takes of a transcript."""

from __future__ import annotations

from agent_cockpit.transcript.blocks import AnswerBlock
from agent_cockpit.transcript.copying import as_code, as_text
from agent_cockpit.transcript.fold import Transcript
from agent_cockpit.transcript.markdown import markdown

COPY_USAGE = "/copy, /copy code or /copy all"


def nothing_copied(what: str) -> str:
    """Why `/copy` found nothing."""
    return "no answer has code in it yet" if what == "code" else "there is nothing to copy yet"


def copied(transcript: Transcript, what: str) -> str | None:
    """What `/copy` takes: the last answer, its code, or everything as Markdown; None for a word
    that is none of these."""
    if what == "all":
        return markdown(transcript.blocks) if len(transcript) else ""
    blocks = map(transcript.block, reversed(range(len(transcript))))
    answers = (block for block in blocks if isinstance(block, AnswerBlock) and not block.is_void)
    match what:
        case "":
            return next(map(as_text, answers), "")
        case "code":
            return next((code for _, code in map(as_code, answers) if code), "")
        case _:
            return None
