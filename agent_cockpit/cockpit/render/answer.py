"""What the model says to the person: Markdown, drawn while it is still being written.

Law: a piece that is followed by another is drawn once; each frame draws the last piece only.
"""

from __future__ import annotations

import re

from rich.text import Text
from textual.strip import Strip

from agent_cockpit.cockpit.render.code import code_lines
from agent_cockpit.cockpit.render.markdown import (
    PARSE_CHARS,
    markdown_lines,
    parsed,
    token_lines,
)
from agent_cockpit.cockpit.render.page import Page
from agent_cockpit.transcript.blocks import AnswerBlock
from agent_cockpit.transcript.plain import void_words

_MARK = "◆"
_REFERENCE = re.compile(r"^ {0,3}\[[^\]\n]+\]:", re.MULTILINE)
"""A link's address may stand after its use: such a text is drawn again as a whole, at its end."""
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^\n]*)\n")
_FENCE_STEP_LINES = 24
"""So many lines of an open code block are coloured at once, and then left alone."""


def answer_lines(block: AnswerBlock, page: Page) -> list[Strip]:
    """A finished answer."""
    if block.is_void:
        words = Text(void_words(block.text), style=page.ink.muted)
        return page.paragraph(words, mark="·")
    return _marked(markdown_lines(block.text, page, page.room()), page)


class StreamingAnswer:
    """Draws one answer as it grows, on one page; another page needs another of these."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._done: list[Strip] = []
        self._done_text = ""
        self._fence = _OpenFence(page)

    def lines(self, text: str) -> list[Strip]:
        """All lines of `text` so far; a text that is no continuation is drawn from its start."""
        rest = self._take_finished(text)
        return self._done + self._placed(
            self._fence.lines(rest) or markdown_lines(rest, self._page, self._page.room())
        )

    def finished(self, text: str) -> list[Strip]:
        """The lines of the whole text, now that no more will come."""
        if _REFERENCE.search(text):
            return _marked(markdown_lines(text, self._page, self._page.room()), self._page)
        rest = self._take_finished(text)
        return self._done + self._placed(markdown_lines(rest, self._page, self._page.room()))

    def _take_finished(self, text: str) -> str:
        """Draw every piece that is followed by another, once; the text of the last one."""
        if not text.startswith(self._done_text):
            self._done, self._done_text = [], ""
            self._fence = _OpenFence(self._page)
        rest = text[len(self._done_text) :]
        if len(rest) > PARSE_CHARS or self._fence.goes_on(rest):
            return rest
        tokens = parsed(rest)
        tops = [n for n, token in enumerate(tokens) if token.level == 0 and token.nesting >= 0]
        lines = tokens[tops[-1]].map if len(tops) > 1 else None
        if lines is None:
            return rest
        cut = _line_offset(rest, lines[0])
        self._done += self._placed(token_lines(tokens[: tops[-1]], self._page, self._page.room()))
        self._done_text += rest[:cut]
        self._fence = _OpenFence(self._page)
        return rest[cut:]

    def _placed(self, lines: list[Text]) -> list[Strip]:
        """The strips of a piece: the first of all with the mark, a later one after a blank."""
        if not self._done:
            return _marked(lines, self._page)
        return [self._page.line(line) for line in (Text(), *lines)] if lines else []


class _OpenFence:
    """A code block whose end has not come: its lines are drawn in steps, each step once."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._done: list[Text] = []
        self._taken = 0

    def goes_on(self, rest: str) -> bool:
        """Whether `rest` is one code block so far, with no end in sight."""
        head = _FENCE.match(rest)
        return head is not None and head[1] not in rest[head.end() :]

    def lines(self, rest: str) -> list[Text]:
        """The lines of `rest` when it is one open code block, else none."""
        head = _FENCE.match(rest)
        if head is None or not self.goes_on(rest):
            return []
        language = head[2].strip().split(" ")[0]
        body = rest[head.end() :].removesuffix("\n").split("\n")
        while len(body) - self._taken > _FENCE_STEP_LINES:
            self._done += self._drawn(body[self._taken : self._taken + _FENCE_STEP_LINES], language)
            self._taken += _FENCE_STEP_LINES
        return self._done + self._drawn(body[self._taken :], language)

    def _drawn(self, lines: list[str], language: str) -> list[Text]:
        return code_lines("\n".join(lines), language, self._page, self._page.room())


def _line_offset(text: str, line: int) -> int:
    """Where line number `line`, from 0, begins."""
    at = 0
    for _ in range(line):
        at = text.index("\n", at) + 1
    return at


def _marked(lines: list[Text], page: Page) -> list[Strip]:
    return [
        page.line(line, mark=_MARK if number == 0 else "", ink=page.ink.live)
        for number, line in enumerate(lines or [Text()])
    ]
