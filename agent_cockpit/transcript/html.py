"""A sitting as one HTML file: to look at in any browser, to send, to print.

Laws: the file asks nothing of anybody (its own policy forbids every request) and runs nothing;
text of model, tools and files is shown, never obeyed; no block is left out but what a retry made
void.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import singledispatch
from html import escape

from markdown_it import MarkdownIt

from agent_cockpit.text import clean_line
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
from agent_cockpit.transcript.diffs import FileDiff, parse_diff
from agent_cockpit.transcript.html_style import STYLE
from agent_cockpit.transcript.plain import (
    call_result,
    check_words,
    plan_words,
    step_words,
    verdict_words,
)
from agent_cockpit.transcript.results import output_text
from agent_cockpit.transcript.wording import call_label, call_subject, duration, in_zone

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_MARKDOWN.disable("image")
"""HTML in an answer is text, an image its link; links lead only where markdown-it lets them."""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_LINES = {
    "added": ("add", "+ "),
    "removed": ("del", "− "),
    "context": ("same", "  "),
    "note": ("hunk", "  "),
}
_SIGNS = {"info": "·", "warning": "!", "error": "✘"}
_OPEN_STATES = ("failed", "denied", "refused", "interrupted")


def html(blocks: Iterable[Block], *, title: str) -> str:
    """The blocks as one document that needs no other file."""
    body = "\n".join(part for block in blocks for part in _html(block))
    return (
        "<!doctype html>\n"
        '<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style></head>\n"
        f"<body><main>\n<h1>{escape(title)}</h1>\n{body}\n</main></body></html>\n"
    )


@singledispatch
def _html(block: Block) -> Iterator[str]:
    raise TypeError(f"no HTML for {type(block).__name__}")


@_html.register
def _(block: PromptBlock) -> Iterator[str]:
    when = f"<time>{in_zone(block.at, None):%Y-%m-%d %H:%M}</time>" if block.at else ""
    yield f'<section class="prompt">{when}<p>{_lines(block.text)}</p></section>'


@_html.register
def _(block: AnswerBlock) -> Iterator[str]:
    if not block.is_void:
        yield f'<section class="answer">{_MARKDOWN.render(block.text)}</section>'


@_html.register
def _(block: ThoughtBlock) -> Iterator[str]:
    if not block.is_void and block.text.strip():
        time = f" · {duration(round(block.duration_s * 1000))}" if block.duration_s else ""
        yield _folded("thought", f"thought{time}", f"<p>{_lines(block.text.strip())}</p>")


@_html.register
def _(block: CallBlock) -> Iterator[str]:
    what = f"<b>{escape(call_label(block.tool))}</b> "
    subject = f"<code>{escape(call_subject(block.tool, block.input))}</code>"
    result = f' <span class="result">{escape(call_result(block))}</span>'
    body = _diff(block.diff) if block.diff else _output(output_text(block))
    is_open = bool(block.diff) or block.state in _OPEN_STATES
    yield _folded(f"call {block.state}", what + subject + result, body, is_open=is_open)


@_html.register
def _(block: VerdictBlock) -> Iterator[str]:
    sign = {True: "✔", False: "✘", None: "◌"}[block.passed]
    kind = {True: "passed", False: "failed", None: "cut"}[block.passed]
    words = f"{sign} {escape(verdict_words(block))}{_figures(block.figures.words)}"
    rows = "".join(
        f"<li><code>{escape(check_words(check))}</code>"
        f"{_output(check.evidence) if check.state == 'fail' else ''}</li>"
        for check in block.checks
        if check.command or check.state == "fail"
    )
    yield f'<section class="verdict {kind}"><p>{words}</p><ul>{rows}</ul></section>'


@_html.register
def _(block: OutcomeBlock) -> Iterator[str]:
    words = f"{block.outcome}: {block.text}" if block.text else block.outcome
    figures = _figures(block.figures.words)
    yield f'<section class="verdict cut"><p>◌ {escape(words)}{figures}</p></section>'


@_html.register
def _(block: NoticeBlock) -> Iterator[str]:
    yield f'<p class="notice {block.level}">{_SIGNS[block.level]} {_lines(block.text)}</p>'


@_html.register
def _(block: QuestionBlock) -> Iterator[str]:
    yield f'<section class="question">{_MARKDOWN.render(block.text)}</section>'


@_html.register
def _(block: PlanBlock) -> Iterator[str]:
    text = "" if block.is_shown_above else _MARKDOWN.render(block.text)
    steps = "".join(f"<li>{escape(step_words(step))}</li>" for step in block.steps)
    yield (
        f'<section class="plan"><p>{escape(plan_words(block))}</p>{text}'
        f'<ul class="steps">{steps}</ul></section>'
    )


def _folded(kind: str, head: str, body: str, *, is_open: bool = False) -> str:
    if not body:
        return f'<p class="{kind} alone">{head}</p>'
    opened = " open" if is_open else ""
    return f'<details class="{kind}"{opened}><summary>{head}</summary>{body}</details>'


def _output(text: str) -> str:
    text = text.strip("\n")
    return f"<pre>{escape(text)}</pre>" if text else ""


def _diff(diff: str) -> str:
    """A unified diff with its lines' numbers; as it is where it cannot be read as one."""
    files = parse_diff(diff)
    if not any(file.hunks for file in files):
        return _output(diff)
    rows = (row for file in files for row in _file_rows(file, is_named=len(files) > 1))
    return f'<pre class="diff">{"".join(rows)}</pre>'


def _file_rows(file: FileDiff, *, is_named: bool) -> Iterator[str]:
    if is_named:
        yield _row("hunk", "", clean_line(file.path))
    for number, hunk in enumerate(file.hunks):
        if number:
            yield _row("hunk", "", "⋯")
        for line in hunk.lines:
            kind, sign = _LINES[line.kind]
            yield _row(kind, str(line.number) if line.kind != "note" else "", sign + line.text)


def _row(kind: str, number: str, text: str) -> str:
    return f'<span class="{kind}"><i>{number:>5}</i> {escape(text)}\n</span>'


def _figures(words: str) -> str:
    return f'<span class="result">{escape(words)}</span>' if words else ""


def _lines(text: str) -> str:
    return escape(text).replace("\n", "<br>\n")
