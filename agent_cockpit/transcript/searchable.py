"""Blocks as the text that a search looks through: what each shows when it is unfolded.

Law: the marks of Markdown are not searched, for nobody sees them; code is searched as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_cockpit.text import clean
from agent_cockpit.transcript.blocks import (
    AnswerBlock,
    Block,
    CallBlock,
    OutcomeBlock,
    PlanBlock,
    ThoughtBlock,
    VerdictBlock,
)
from agent_cockpit.transcript.plain import (
    call_result,
    call_title,
    check_words,
    plan_words,
    step_words,
    verdict_words,
    void_words,
)
from agent_cockpit.transcript.results import output_text
from agent_cockpit.transcript.wording import call_subject

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n]*\n(.*?)(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.M | re.S)
_INLINE = re.compile(
    # Each way begins with a letter of its own: so `re` skips what begins with none of them.
    r"`(?P<more>`*)(?P<code>[^`\n]+)`(?P=more)"
    r"|\[(?P<words>[^\]\n]+)\]\((?P<target>[^)\s]+)[^)\n]*\)"
    r"|\*\*|__(?=\w)|__(?<=\w__)|~~"
    r"|\*(?<![\w*]\*)(?P<emphasis>[^\s*][^*\n]*)(?<!\s)\*(?![\w*])"
    r"|\n(?:[ ]{0,3}(?:\#{1,6}|>)[ ])"
    r"|\n(?<=[^\n]\n)(?=[\w(\"'`])",
    re.X,
)
_HEADERS = ("--- ", "+++ ", "@@ ", "diff --git ", "index ", "\\ No newline")


def searchable(block: Block) -> str:
    """All that the block shows when it is open, without marks and frames."""
    return "\n".join(part for part in _parts(block) if part)


def without_marks(markdown: str) -> str:
    """About the words that a reader of this Markdown sees, in their order."""
    parts: list[str] = []
    at = 0
    for fence in _FENCE.finditer(markdown):
        parts += [_flowing(markdown[at : fence.start()]), fence[2]]
        at = fence.end()
    parts.append(_flowing(markdown[at:]))
    return "".join(parts)


def _parts(block: Block) -> Iterator[str]:
    match block:
        case AnswerBlock():
            yield void_words(block.text) if block.is_void else without_marks(block.text)
        case ThoughtBlock():
            yield "" if block.is_void else block.text
        case CallBlock():
            yield from _call(block)
        case VerdictBlock():
            yield verdict_words(block)
            for check in block.checks:
                yield check_words(check)
                yield check.evidence
        case PlanBlock():
            yield plan_words(block)
            yield from (step_words(step) for step in block.steps)
            yield without_marks(block.text)
        case OutcomeBlock():
            yield f"{block.outcome} {block.text}"
        case _:
            yield str(getattr(block, "text", ""))


def _call(block: CallBlock) -> Iterator[str]:
    yield f"{call_title(block)} {call_result(block)}"
    yield block.why
    if block.diff:
        for line in block.diff.split("\n"):
            yield "" if line.startswith(_HEADERS) else line[1:]
        return
    subject = call_subject(block.tool, block.input)
    for name, value in block.input.items():
        text = clean(value if isinstance(value, str) else str(value))
        if text not in subject:
            yield f"{name} {text}"
    yield output_text(block)


def _flowing(text: str) -> str:
    return _INLINE.sub(_shown, f"\n{text}")[1:] if text else ""


def _shown(found: re.Match[str]) -> str:
    if found["code"] is not None:
        return found["code"]
    if found["emphasis"] is not None:
        return found["emphasis"]
    if found["words"] is not None:
        return f"{found['words']} ({found['target']})"
    if found[0] == "\n":
        return " "
    return "\n" if found[0][0] == "\n" else ""
