"""Blocks as plain lines: for headless progress, `replay --print` and pipes.

Law: no colours, no width, stable words; a line holds nothing that a terminal acts on.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from typing import TYPE_CHECKING

from agent_cockpit.text import clean_line, shorten
from agent_cockpit.transcript.blocks import (
    AnswerBlock,
    Block,
    CallBlock,
    Check,
    NoticeBlock,
    OutcomeBlock,
    PlanBlock,
    PromptBlock,
    QuestionBlock,
    ThoughtBlock,
    VerdictBlock,
)
from agent_cockpit.transcript.results import output_text, result_words
from agent_cockpit.transcript.wording import (
    call_label,
    call_subject,
    check_name,
    count,
    duration,
    proof_reserve,
)

if TYPE_CHECKING:
    from agent_cockpit.events.plans import PlanStepState

_OUTPUT_LINES = 12
"""Of a failed call's output; the journal has the rest."""


def plain_lines(block: Block) -> list[str]:
    """The block as it reads now; the caller separates blocks as it likes."""
    return list(_lines(block))


@singledispatch
def _lines(block: Block) -> Iterator[str]:
    raise TypeError(f"no plain form for {type(block).__name__}")


@_lines.register
def _(block: PromptBlock) -> Iterator[str]:
    yield from _hanging("> ", block.text)


@_lines.register
def _(block: AnswerBlock) -> Iterator[str]:
    if block.is_void:
        yield f"- {void_words(block.text)}"
    else:
        yield from block.text.strip("\n").split("\n")


@_lines.register
def _(block: ThoughtBlock) -> Iterator[str]:
    if not block.is_void:
        yield from _hanging("~ ", block.text.strip("\n"))


@_lines.register
def _(block: CallBlock) -> Iterator[str]:
    yield "  ".join(part for part in (f"* {call_title(block)}", call_result(block)) if part)
    if block.diff:
        yield from _indented(block.diff)
    elif block.state == "failed":
        lines = output_text(block).rstrip("\n").split("\n")
        yield from _indented("\n".join(lines[-_OUTPUT_LINES:]))


@_lines.register
def _(block: VerdictBlock) -> Iterator[str]:
    yield "  ".join(part for part in (verdict_words(block), _figures(block)) if part)
    for check in block.checks:
        if check.command or check.state == "fail":
            yield f"    {check_words(check)}"
        if check.state == "fail":
            yield from _indented(check.evidence.strip("\n"), by=6)


@_lines.register
def _(block: NoticeBlock) -> Iterator[str]:
    sign = {"info": "-", "warning": "!", "error": "!!"}[block.level]
    yield from _hanging(f"{sign} ", block.text)


@_lines.register
def _(block: QuestionBlock) -> Iterator[str]:
    yield from _hanging("? ", block.text)


@_lines.register
def _(block: PlanBlock) -> Iterator[str]:
    yield plan_words(block)
    if not block.is_shown_above:
        yield from _indented(block.text)
    for step in block.steps:
        yield f"    {step_words(step)}"


@_lines.register
def _(block: OutcomeBlock) -> Iterator[str]:
    words = f"{block.outcome}: {block.text}" if block.text else block.outcome
    yield "  ".join(part for part in (f"! {words}", _figures(block)) if part)


def call_title(block: CallBlock) -> str:
    """`edit calc.py`."""
    return f"{call_label(block.tool)} {call_subject(block.tool, block.input)}".rstrip()


def call_result(block: CallBlock) -> str:
    """What came of the call, in one line: counts, exit code, time, who decided."""
    parts: list[str] = []
    if block.state not in ("done", "running"):
        parts.append(STATE_WORDS[block.state])
    if block.diff:
        parts.append(f"+{block.added} -{block.removed}")
    elif block.state in ("done", "failed", "refused") and (words := result_words(block)):
        parts.append(words)
    if block.exit_code is not None:
        parts.append(f"exit {block.exit_code}")
    if block.duration_ms is not None:
        parts.append(duration(block.duration_ms))
    if block.decided:
        parts.append(block.decided)
    return " · ".join(parts)


STATE_WORDS = {
    "proposed": "next",
    "waiting": "waits for you",
    "running": "running",
    "done": "done",
    "failed": "failed",
    "refused": "refused",
    "denied": "not allowed",
    "interrupted": "interrupted",
}
"""How each state of a call is called on every screen."""


def verdict_words(block: VerdictBlock) -> str:
    """`verified`, `answered: …` where no command decided, `not verified: …`, `verifying`, or
    that it was cut short."""
    if block.passed is None:
        return "verifying" if block.is_open else "verification interrupted"
    if not block.passed:
        return f"not verified: {block.summary}".rstrip(": ")
    if not any(check.command for check in block.checks):
        return f"answered: {no_check(block.summary)}"
    reserve = proof_reserve(block.summary)
    return f"verified, but {reserve}" if reserve else "verified"


def no_check(summary: str) -> str:
    """Why no command decided about an answer that is let pass with this summary."""
    if "ungrounded" in summary:
        return "it cites no file that was read for it"
    if summary == "plan proposed":
        return "a plan, which you decide about"
    return "no command to check it by"


def check_words(check: Check) -> str:
    """`pass  python -m unittest · exit 0 · 298 ms`."""
    parts = [check.command or check_name(check.name, has_failed=check.state == "fail")]
    if check.exit_code is not None:
        parts.append(f"exit {check.exit_code}")
    if check.duration_ms:
        parts.append(duration(check.duration_ms))
    if not check.is_required:
        parts.append("optional")
    if check.state == "skip" and check.evidence:
        parts.append(shorten(" ".join(check.evidence.split()), 200))
    return f"{check.state}  {' · '.join(parts)}"


def plan_words(block: PlanBlock) -> str:
    """`plan, version 2: approved`."""
    decision = {"": "waits for you", "approved": "approved", "revised": "to be revised"}
    words = decision.get(block.decision, "left as it is")
    words += ", changed by you" if block.is_edited else ""
    if block.steps:
        done = sum(step.state == "done" for step in block.steps)
        words += f" · {done} of {count(len(block.steps), 'step')} done"
    note = f": {block.note}" if block.note else ""
    return f"plan, version {block.version} · {words}{note}"


def step_words(step: PlanStepState) -> str:
    """`[x] 2. Run the tests · pytest passed`."""
    sign = {"done": "x", "working": ">"}.get(step.state, " ")
    why = f" · {clean_line(step.why)}" if step.why else ""
    return f"[{sign}] {step.number}. {shorten(clean_line(step.text), 160)}{why}"


def void_words(text: str) -> str:
    """What stands for text that a retry made void."""
    return f"{len(text)} characters of an unfinished reply, void"


def _figures(block: VerdictBlock | OutcomeBlock) -> str:
    text = block.figures.words
    return f"({text})" if text else ""


def _hanging(sign: str, text: str) -> Iterator[str]:
    first, *rest = text.split("\n")
    yield f"{sign}{first}".rstrip()
    for line in rest:
        yield f"{' ' * len(sign)}{line}".rstrip()


def _indented(text: str, *, by: int = 4) -> Iterator[str]:
    for line in text.strip("\n").split("\n"):
        yield f"{' ' * by}{line}".rstrip()
