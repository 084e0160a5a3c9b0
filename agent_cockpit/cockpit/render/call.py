"""A tool call: one line while nothing is wrong, its diff or output where that matters."""

from __future__ import annotations

from collections.abc import Set

from rich.style import Style
from rich.text import Text
from textual.strip import Strip

from agent_cockpit.cockpit.render.fold import Fold, line_limit, shortened, tail
from agent_cockpit.cockpit.render.ink import Ink
from agent_cockpit.cockpit.render.page import NARROW_CELLS, Page
from agent_cockpit.cockpit.render.wrapping import joined
from agent_cockpit.text import clean, clean_line, shorten
from agent_cockpit.transcript.blocks import CallBlock
from agent_cockpit.transcript.plain import STATE_WORDS
from agent_cockpit.transcript.results import output_text, result_words
from agent_cockpit.transcript.wording import PERSON_COMMAND, call_label, call_subject, duration

_LABEL_CELLS = 7
_DURATION_CELLS = 8
_LIVE_LINES = 5
_FAILURE_LINES = 12
_OWN_LINES = 30
"""Who runs a command themselves wants to see what it says."""
_FIELD_CHARS = 4_000
_DIFF_LINES = 40
_SIGNS = {"failed": "✘", "refused": "✘", "denied": "✘", "interrupted": "■", "waiting": "?"}
_CALL_INDENT = 2
"""Calls stand one step inside the answer that they belong to."""


def call_lines(
    block: CallBlock, page: Page, fold: Fold, folded_hunks: Set[int] = frozenset()
) -> list[Strip]:
    """The call's line, and below it as much as the fold shows."""
    body = _body(block, page, fold, folded_hunks)
    head = _head(block, page, is_open=bool(body), is_whole=fold == "open")
    return [*head, *body]


def _head(block: CallBlock, page: Page, *, is_open: bool, is_whole: bool) -> list[Strip]:
    ink = page.ink
    label_ink, subject_ink = _weights(block, ink)
    is_wide = page.width >= NARROW_CELLS
    label_cells = _LABEL_CELLS if is_wide else 0
    label = f"{call_label(block.tool):<{label_cells}} "
    subject = call_subject(block.tool, block.input)
    left = Text.assemble((label, label_ink), (subject, subject_ink))
    is_told = bool(block.diff) or (block.state == "denied" and bool(block.decided))
    words = "" if is_told else result_words(block)
    if words and block.state in ("done", "failed", "refused", "denied"):
        left.append(f" · {words}" if subject else words, ink.muted)
    mark = page.spinner if block.state == "running" else ("▾" if is_open else "▸")
    return page.row(
        left,
        _figures(block, ink, page.ticking, is_wide=is_wide),
        mark=mark,
        ink=label_ink if block.state in ("running", "waiting", "failed") else ink.muted,
        indent=_CALL_INDENT,
        is_whole=is_whole,
    )


def _weights(block: CallBlock, ink: Ink) -> tuple[Style, Style]:
    """The inks of label and subject: live and failed calls stand out, others recede."""
    bold = Style(bold=True)
    if block.tool == PERSON_COMMAND and block.state == "done":
        return ink.text, ink.text
    match block.state:
        case "running":
            return ink.live, ink.text
        case "waiting":
            return ink.warning + bold, ink.text
        case "failed":
            return ink.error, ink.text
        case _:
            return ink.muted, ink.muted


def _figures(block: CallBlock, ink: Ink, ticking: str, *, is_wide: bool) -> Text:
    """What one compares, at the right edge: changes, who decided, state, exit code, time."""
    changes = Text()
    if block.diff:
        changes = Text.assemble(
            (f"+{block.added}", ink.success), " ", (f"−{block.removed}", ink.error)
        )
    decided = block.decided
    state = Text()
    if block.state in _SIGNS:
        words = f"{_SIGNS[block.state]} {STATE_WORDS[block.state]}"
        if block.state == "denied" and decided:
            words, decided = f"{_SIGNS[block.state]} {decided}", ""
        is_loud = block.state in ("failed", "waiting")
        loud = (ink.error if block.state == "failed" else ink.warning) + Style(bold=True)
        state = Text(words, style=loud if is_loud else ink.muted)
    exit_code = Text()
    if block.exit_code is not None:
        exit_code = Text(f"exit {block.exit_code}", style=ink.muted)
    took = Text()
    cells = _DURATION_CELLS if is_wide else 0
    if block.duration_ms is not None:
        took = Text(f"{duration(block.duration_ms):>{cells}}", style=ink.muted)
    elif block.state == "running" and ticking:
        took = Text(f"{ticking:>{cells}}", style=ink.live)
    between = "   " if is_wide else "  "
    return joined([changes, Text(decided, style=ink.muted), state, exit_code, took], between)


def _body(block: CallBlock, page: Page, fold: Fold, folded_hunks: Set[int]) -> list[Strip]:
    indent = page.body_indent
    if fold == "closed":
        return []
    is_own = block.tool == PERSON_COMMAND
    if block.state == "running":
        return _live(block.output, page, indent) if block.output.strip() else []
    strips = [*_input(block, page, indent), *_why(block, page, indent)] if fold == "open" else []
    if block.diff:
        from agent_cockpit.cockpit.render.diff import diff_lines

        limit = line_limit(_DIFF_LINES, fold)
        body, undrawn = diff_lines(
            block.diff, page, indent=indent, limit=limit, folded=folded_hunks
        )
        strips += shortened(body, _DIFF_LINES, fold, page, indent=indent, undrawn=undrawn)
    elif output_text(block).strip() and (fold == "open" or block.state == "failed" or is_own):
        limit = _OWN_LINES if is_own else _FAILURE_LINES
        strips += tail(output_text(block), limit, fold, page, indent=indent)
    return strips


def _input(block: CallBlock, page: Page, indent: int) -> list[Strip]:
    """What a call was given, where neither its line nor its diff says it."""
    strips: list[Strip] = []
    if block.diff:
        return strips
    for name, value in block.input.items():
        text = clean(value if isinstance(value, str) else str(value)).strip("\n")
        if text in call_subject(block.tool, block.input):
            continue
        field = Text.assemble(
            (f"{clean_line(str(name))}  ", page.ink.muted),
            (shorten(text, _FIELD_CHARS), page.ink.text),
        )
        strips += page.paragraph(field, indent=indent)
    return strips


def _why(block: CallBlock, page: Page, indent: int) -> list[Strip]:
    """Who or what let the call run, and when."""
    if not block.why:
        return []
    at = f"{page.clock(block.decided_at)} · " if block.decided_at is not None else ""
    return page.paragraph(Text(f"why  {at}{block.why}", style=page.ink.muted), indent=indent)


def _live(output: str, page: Page, indent: int) -> list[Strip]:
    """The last lines that are not blank."""
    lines = [line for line in output.split("\n") if line.strip()][-_LIVE_LINES:]
    text = Text("\n".join(lines), style=page.ink.muted)
    return page.paragraph(text, indent=indent)[-_LIVE_LINES:]
