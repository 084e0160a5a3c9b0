"""What the model says to the person: Markdown, drawn while it is still being written.

Law: a piece that is followed by another is drawn once; each frame draws the last piece only.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from markdown_it.token import Token
from rich.text import Text
from textual.strip import Strip

from agent_cockpit.cockpit.render.closed_code import ClosedCode
from agent_cockpit.cockpit.render.code import code_lines
from agent_cockpit.cockpit.render.fence import Fence, fence_of
from agent_cockpit.cockpit.render.list_so_far import ListSoFar, is_list
from agent_cockpit.cockpit.render.markdown import (
    PARSE_CHARS,
    markdown_lines,
    parsed,
    token_lines,
)
from agent_cockpit.cockpit.render.open_piece import STEP_LINES, OpenPiece
from agent_cockpit.cockpit.render.page import Page
from agent_cockpit.cockpit.render.table_so_far import TableSoFar, is_table
from agent_cockpit.cockpit.render.wrapping import wrap
from agent_cockpit.transcript.blocks import AnswerBlock
from agent_cockpit.transcript.plain import void_words

_MARK = "◆"
_REFERENCE = re.compile(r"^[ \t>*+\-\d.)]*\[(?:[^\\\[\]]|\\.){1,999}\]:", re.MULTILINE | re.DOTALL)
"""A link's address may stand after its use, also in an item or a quotation: such a text is drawn
again as a whole, at its end."""
_UNSURE = re.compile(r"\s*(?:[-*_+|:][-*_+|: \t]*|#{1,6}|\d{1,9}[.)]?|`{3,}[^`]*|)")
"""A line that begins or ends a piece as it stands, and may be part of the one above when a letter
more has come: `#` and `#12`, `-` and `->`, `1` and `1.`, "```a" and "```a`", `|-` and `|-1`, a
blank and a word behind it."""
PIECE_CHARS = 5_000
"""A longer piece shows as the text that it is until its end comes: drawing all of it anew for
every frame would hold the keys up."""


def answer_lines(block: AnswerBlock, page: Page) -> list[Strip]:
    """A finished answer."""
    if block.is_void:
        words = Text(void_words(block.text), style=page.ink.muted)
        return page.paragraph(words, mark="·")
    return _marked(markdown_lines(block.text, page, page.room()), page)


class StreamingAnswer:
    """Draws one answer as it grows, on one page; another page needs another of these.

    `parse` makes Markdown's tokens of a piece.
    """

    def __init__(self, page: Page, *, parse: Callable[[str], list[Token]] | None = None) -> None:
        self._page = page
        self._parse = parse or parsed
        self._done: list[Strip] = []
        self._done_text = ""
        self._parse_from = 0
        """A long piece is looked at again only when it is longer by a quarter."""
        self._is_last = False
        """Whether the text has ended."""
        self._piece: OpenPiece | None = None
        self._piece_is = ""
        self._so_far: ListSoFar | TableSoFar | None = None
        self._drawn: tuple[tuple[str, bool], list[Strip]] | None = None
        """The piece that was drawn last, and what of: its text, and whether it is the first."""
        self._closed: list[tuple[int, ClosedCode]] = []
        """Long code blocks that are still to be coloured anew, and where they stand."""

    @property
    def is_behind(self) -> bool:
        """Whether the same text would look otherwise in the next frame."""
        return bool(self._closed)

    def lines(self, text: str) -> list[Strip]:
        """All lines of `text` so far; a text that is no continuation is drawn from its start."""
        self._is_last = False
        last_line = text[text.rfind("\n") + 1 :]
        sure = text.removesuffix(last_line) if _UNSURE.fullmatch(last_line) else text
        rest, tokens = self._take_finished(sure)
        if len(sure) < len(text) and _is_open_code(rest):  # all of it is code, or the code's end
            rest, tokens = self._take_finished(text)
        self._colour_on()
        return self._done + self._open(rest, tokens) or _marked([], self._page)

    def finished(self, text: str) -> list[Strip]:
        """The lines of the whole text, now that no more will come."""
        if _REFERENCE.search(text):
            return _marked(markdown_lines(text, self._page, self._page.room()), self._page)
        self._parse_from, self._is_last = 0, True
        rest, tokens = self._take_finished(text)
        self._colour_on()
        if self._so_far is not None:
            return self._done + self._so_far.whole()
        if len(rest) > PARSE_CHARS:
            return self._done + self._open(rest, None)
        tokens = self._parse(rest) if tokens is None else tokens
        return self._done + self._whole(rest, tokens) or _marked([], self._page)

    def _take_finished(self, text: str) -> tuple[str, list[Token] | None]:
        """Draw every piece that is followed by another, once; the text of the last one, and its
        tokens where it was parsed."""
        if not text.startswith(self._done_text):
            self._done, self._done_text, self._parse_from = [], "", 0
            self._piece = self._so_far = None
            self._closed = []
        rest = text[len(self._done_text) :]
        if self._so_far is not None:
            so_far, self._so_far = self._so_far, None
            if self._goes_on(so_far, rest):
                return (rest, []) if self._so_far is not None else self._take_finished(text)
        fence = fence_of(rest)
        if fence is not None and self._takes_code(rest, fence):
            return self._take_finished(text)
        is_open_code = fence is not None and fence.is_open
        is_one_line = len(rest) > PIECE_CHARS and "\n" not in rest and not self._is_last
        if len(rest) < self._parse_from or len(rest) > PARSE_CHARS or is_open_code or is_one_line:
            return rest, None
        tokens = self._parse(rest)
        tops = _tops(tokens)
        lines = tokens[tops[-1]].map if len(tops) > 1 else None
        if lines is None:
            if is_list(tokens):
                self._so_far = ListSoFar(self._page, tokens, self._placed)
                self._so_far.goes_on(rest, tokens)
            elif is_table(tokens):
                self._goes_on(TableSoFar(self._page, rest, tokens, self._placed), rest)
            elif len(rest) > PIECE_CHARS:
                self._parse_from = len(rest) + len(rest) // 4
            return rest, tokens
        cut = _line_offset(rest, lines[0])
        self._done += self._whole(rest[:cut], tokens[: tops[-1]])
        self._done_text += rest[:cut]
        self._piece, self._so_far, self._parse_from = None, None, 0
        tokens = tokens[tops[-1] :]
        return self._take_finished(text) if is_table(tokens) else (rest[cut:], tokens)

    def _goes_on(self, so_far: ListSoFar | TableSoFar, rest: str) -> bool:
        """Whether the text is still that list or table, or that with something behind it; only
        what its items or rows so far do not hold is read."""
        new = rest[len(so_far.text) :]
        most = PIECE_CHARS + 4 * len(so_far.opening)  # a row of many columns is long
        if not rest.startswith(so_far.text) or len(new) > most:
            return False
        if not self._is_last and isinstance(so_far, TableSoFar) and so_far.shows(new):
            self._so_far = so_far
            return True
        read = so_far.opening + new
        tokens = self._parse(read)
        behind = _tops(tokens)[1:]
        if not so_far.goes_on(new, tokens[: behind[0]] if behind else tokens):
            return False
        after = tokens[behind[0]].map if behind else None
        if after is None:
            self._so_far = so_far
        else:
            self._done += so_far.whole()
            self._done_text += rest[: len(rest) - len(read) + _line_offset(read, after[0])]
        return not behind or after is not None

    def _open(self, rest: str, tokens: list[Token] | None) -> list[Strip]:
        """The last piece: an open code block in its colours, another one as Markdown, or
        letter by letter once it is long."""
        page, room = self._page, self._page.room()
        if self._so_far is not None:
            return self._so_far.strips
        if tokens is not None and len(rest) <= PIECE_CHARS:
            return self._whole(rest, tokens)
        if (fence := fence_of(rest)) is not None:
            return self._code(fence)
        if self._piece is None or self._piece_is != "text":

            def draw(lines: list[str]) -> list[Text]:
                return wrap(Text("\n".join(lines), style=page.ink.text), room, page.console)

            self._piece, self._piece_is = OpenPiece(page, draw, mark=self._next_mark), "text"
        return self._piece.strips(rest.removesuffix("\n"))

    def _code(self, fence: Fence) -> list[Strip]:
        """The strips of a code block that is drawn in steps while it grows."""
        page, room = self._page, self._page.room()
        if self._piece is None or self._piece_is != fence.head:

            def draw(lines: list[str]) -> list[Text]:
                return code_lines("\n".join(lines), fence.language, page, room)

            self._piece, self._piece_is = OpenPiece(page, draw, mark=self._next_mark), fence.head
        return self._piece.strips(fence.code)

    def _takes_code(self, rest: str, fence: Fence) -> bool:
        """Whether that is a long code block that has ended: it is kept as it was drawn then."""
        end = len(rest) if fence.end is None and self._is_last else fence.end
        is_long = len(rest) > PIECE_CHARS or fence.code.count("\n") > 2 * STEP_LINES
        if end is None or not is_long or fence.head[0] == " ":
            return False
        closed = ClosedCode(self._page, fence, self._code(fence), mark=self._next_mark)
        if not closed.is_coloured:
            self._closed.append((len(self._done), closed))
        self._done += closed.strips
        self._done_text += rest[:end]
        self._piece, self._so_far, self._parse_from = None, None, 0
        return True

    def _colour_on(self) -> None:
        """Colour one step of a code block that has ended."""
        if self._closed:
            at, code = self._closed[0]
            count = len(code.strips)
            code.colour_on()
            self._done[at : at + count] = code.strips
            if code.is_coloured:
                moved = len(code.strips) - count
                self._closed = [(other + moved, late) for other, late in self._closed[1:]]

    @property
    def _next_mark(self) -> str:
        """What stands before the next piece."""
        return "" if self._done else _MARK

    def _whole(self, source: str, tokens: list[Token]) -> list[Strip]:
        """The strips of a piece of the text as Markdown, drawn once while it reads the same."""
        of = (source.rstrip("\n") if _is_closed(tokens) else source, not self._done)
        if self._drawn is None or self._drawn[0] != of:
            lines = token_lines(tokens, self._page, self._page.room())
            self._drawn = (of, self._placed(lines))
        return self._drawn[1]

    def _placed(self, lines: list[Text]) -> list[Strip]:
        """The strips of a piece: the first of all with the mark, a later one after a blank."""
        if not lines:
            return []
        if not self._done:
            return _marked(lines, self._page)
        return [self._page.line(line) for line in (Text(), *lines)]


def _is_closed(tokens: list[Token]) -> bool:
    """Whether line breaks behind the piece add nothing to it."""
    first = tokens[0] if tokens else None
    if first is not None and first.type == "fence" and first.map is not None:
        return first.map[1] - first.map[0] == first.content.count("\n") + 2
    return first is not None and first.type in ("table_open", "paragraph_open", "heading_open")


def _tops(tokens: list[Token]) -> list[int]:
    """Where the pieces of the text begin."""
    return [n for n, token in enumerate(tokens) if token.level == 0 and token.nesting >= 0]


def _is_open_code(text: str) -> bool:
    """Whether a text is one code block so far, with no end in sight."""
    fence = fence_of(text)
    return fence is not None and fence.is_open


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
