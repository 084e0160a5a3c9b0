"""Blocks as Markdown: a sitting to keep, to send, or to quote from.

Law: what people and tools wrote stands in fences and quotes that it cannot leave.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import singledispatch

from agent_cockpit.transcript.blocks import (
    AnswerBlock,
    Block,
    CallBlock,
    PlanBlock,
    PromptBlock,
    QuestionBlock,
    ThoughtBlock,
    VerdictBlock,
)
from agent_cockpit.transcript.plain import (
    call_result,
    call_title,
    check_words,
    plain_lines,
    plan_words,
    step_words,
    verdict_words,
)
from agent_cockpit.transcript.results import output_text
from agent_cockpit.transcript.wording import duration

OUTPUT_CHARS = 20_000
"""Of a call's output; the journal has the rest."""
_CODE = re.compile(
    r"^(?P<fence>`{3,}|~{3,})[^\n]*\n(?P<code>.*?)^(?P=fence)[`~]*[ \t]*$", re.M | re.S
)


def markdown(blocks: Iterable[Block], *, title: str = "") -> str:
    """The blocks as one document, with a heading for each prompt."""
    parts = [f"# {title}"] if title else []
    parts += [text for block in blocks if (text := markdown_of(block))]
    return "\n\n".join(parts) + "\n"


def markdown_of(block: Block) -> str:
    """One block; empty where there is nothing to keep of it."""
    return "\n\n".join(part.strip("\n") for part in _parts(block) if part.strip())


def code_of(text: str) -> list[str]:
    """The fenced pieces of code in an answer, without their fences."""
    return [match["code"].rstrip("\n") for match in _CODE.finditer(text)]


@singledispatch
def _parts(block: Block) -> Iterator[str]:
    """Notices and ends, as they read plainly."""
    yield _quoted("\n".join(plain_lines(block)))


@_parts.register
def _(block: PromptBlock) -> Iterator[str]:
    when = f" · {block.at.astimezone():%Y-%m-%d %H:%M}" if block.at else ""
    yield f"## {_PROMPTS[block.origin]}{when}"
    yield _quoted(block.text)


_PROMPTS = {
    "goal": "Prompt",
    "steering": "Said meanwhile",
    "revise": "Another version of the plan",
    "build": "The plan is built",
}


@_parts.register
def _(block: AnswerBlock) -> Iterator[str]:
    if not block.is_void:
        yield block.text


@_parts.register
def _(block: ThoughtBlock) -> Iterator[str]:
    if not block.is_void and block.text.strip():
        took = duration(round((block.duration_s or 0) * 1000))
        yield f"*Thought for {took}:*"
        yield _quoted(block.text)


@_parts.register
def _(block: CallBlock) -> Iterator[str]:
    result = call_result(block)
    yield f"**{_flat(call_title(block))}**" + (f" · {_flat(result)}" if result else "")
    if block.diff:
        yield fenced(block.diff, "diff")
    elif block.state in ("done", "failed") and (output := output_text(block).strip("\n")):
        more = len(output) - OUTPUT_CHARS
        yield fenced(output[:OUTPUT_CHARS])
        if more > 0:
            yield f"*{more} more characters are in the journal.*"


@_parts.register
def _(block: VerdictBlock) -> Iterator[str]:
    yield f"**{_flat(verdict_words(block))}**"
    checks = [check for check in block.checks if check.command or check.state == "fail"]
    yield "\n".join(f"- {_flat(check_words(check))}" for check in checks)
    for check in checks:
        if check.state == "fail" and check.evidence.strip():
            yield fenced(check.evidence)


@_parts.register
def _(block: QuestionBlock) -> Iterator[str]:
    yield "**The model asks:**"
    yield _quoted(block.text)


@_parts.register
def _(block: PlanBlock) -> Iterator[str]:
    yield f"**{_flat(plan_words(block))}**"
    if not block.is_shown_above:
        yield _quoted(block.text)
    yield "\n".join(f"- {_flat(step_words(step))}" for step in block.steps)


def fenced(text: str, language: str = "") -> str:
    """The text in a fence that is longer than any in it."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.strip("\n").split("\n"))


def _flat(text: str) -> str:
    """Words on one line that nothing in them formats."""
    return re.sub(r"([\\`*_<\[])", r"\\\1", " ".join(text.split()))
