"""Blocks as what a person takes away from them: text, Markdown, code, the place in a file.

Law: nothing is cut; what comes out holds nothing that a terminal acts on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from agent_cockpit.text import clean, clean_line
from agent_cockpit.transcript.blocks import (
    AnswerBlock,
    Block,
    CallBlock,
    NoticeBlock,
    OutcomeBlock,
    PlanBlock,
    PromptBlock,
    QuestionBlock,
    ThoughtBlock,
    VerdictBlock,
)
from agent_cockpit.transcript.diffs import parse_diff
from agent_cockpit.transcript.links import paths_in
from agent_cockpit.transcript.plain import call_result, call_title, plain_lines
from agent_cockpit.transcript.results import output_text

_FENCED = re.compile(
    r"^(?P<indent> {0,3})(?P<fence>`{3,}|~{3,})[^\n]*\n(?P<code>.*?)"
    r"(?:^ {0,3}(?P=fence)[`~]*[ \t]*$|\Z)",
    re.M | re.S,
)
_TEXTS = (PromptBlock, AnswerBlock, ThoughtBlock, NoticeBlock, QuestionBlock)


class Place(NamedTuple):
    """A file of the workspace, and the line from 1 where it matters."""

    path: str
    line: int


def as_text(block: Block) -> str:
    """The block's own words, whole; a call with its whole output or diff."""
    if isinstance(block, _TEXTS):
        return block.text.strip("\n")
    if isinstance(block, CallBlock):
        body = block.diff or output_text(block)
        return "\n".join(part for part in (_call_line(block), body.strip("\n")) if part)
    return "\n".join(plain_lines(block))


def as_markdown(block: Block) -> str:
    """The block as Markdown: answers as they were written, what ran in code blocks."""
    match block:
        case PromptBlock():
            return "\n".join(f"> {line}".rstrip() for line in block.text.split("\n"))
        case AnswerBlock() | QuestionBlock() | PlanBlock():
            return block.text.strip("\n")
        case ThoughtBlock() | NoticeBlock() | OutcomeBlock():
            return "\n".join(f"*{line}*" if line else "" for line in as_text(block).split("\n"))
        case CallBlock():
            body = fenced(block.diff, "diff") if block.diff else fenced(output_text(block))
            head = f"**{clean_line(call_title(block))}** {call_result(block)}".rstrip()
            return "\n\n".join(part for part in (head, body) if part)
        case VerdictBlock():
            head, *rest = plain_lines(block)
            return "\n\n".join(part for part in (f"**{head}**", fenced("\n".join(rest))) if part)
        case _:
            return fenced(as_text(block))


def as_code(block: Block) -> tuple[str, str]:
    """What kind of code the block holds, in a word, and the code; both empty without any."""
    if isinstance(block, CallBlock):
        command = block.input.get("command")
        if block.diff:
            return "diff", block.diff.strip("\n")
        if isinstance(command, str):
            return "command", clean(command)
        return (
            ("output", output_text(block).strip("\n")) if output_text(block).strip() else ("", "")
        )
    if isinstance(block, AnswerBlock | PlanBlock | QuestionBlock):
        parts = [found["code"].rstrip("\n") for found in _FENCED.finditer(block.text)]
        return ("code", "\n\n".join(parts)) if parts else ("", "")
    return "", ""


def place_of(block: Block) -> Place | None:
    """The file that a call reads or changes, at the first line that it changed or read; of an
    answer the first place that it cites."""
    if isinstance(block, AnswerBlock):
        return next(_cited(block.text), None)
    if not isinstance(block, CallBlock):
        return None
    for file in parse_diff(block.diff):
        lines = (line for hunk in file.hunks for line in hunk.lines)
        changed = next((line.number for line in lines if line.kind in ("added", "removed")), 1)
        return Place(file.path, changed) if file.new else None
    path, lines_read = block.input.get("path"), block.input.get("line_range")
    if not isinstance(path, str) or not path:
        return None
    first = lines_read[0] if isinstance(lines_read, list | tuple) and lines_read else 1
    return Place(path, first if isinstance(first, int) and first > 0 else 1)


def _cited(text: str) -> Iterator[Place]:
    """The places `path:line` in a text, within the workspace."""
    for named in paths_in(text):
        if named.line and not named.path.startswith(("/", "~")) and ".." not in named.path:
            yield Place(named.path, named.line)


def hunks_of(block: Block) -> int:
    """How many hunks the diff of a call has."""
    if not isinstance(block, CallBlock):
        return 0
    return sum(len(file.hunks) for file in parse_diff(block.diff))


def why_allowed(block: Block) -> Iterator[str]:
    """Who or what let a call run, or why it may not; none for what is no call."""
    if not isinstance(block, CallBlock):
        return
    if block.decided:
        yield block.decided
    if block.why and block.why != block.decided:
        yield block.why
    if block.reason and block.reason not in block.why:
        yield f"asked because it {block.reason}"


def fenced(text: str, language: str = "") -> str:
    """`text` as a code block that nothing in it can end; empty for nothing."""
    text = text.strip("\n")
    if not text:
        return ""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def quoted(text: str) -> str:
    """`text` as a quotation for a prompt."""
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _call_line(block: CallBlock) -> str:
    return "  ".join(part for part in (call_title(block), call_result(block)) if part)
