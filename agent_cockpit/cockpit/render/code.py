"""Code with its words coloured; whatever cannot be coloured is shown plain."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from pygments.lexer import Lexer  # type: ignore[import-untyped]
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename  # type: ignore[import-untyped]
from pygments.token import (  # type: ignore[import-untyped]
    Comment,
    Generic,
    Keyword,
    Literal,
    Name,
    Number,
    Operator,
    String,
)
from pygments.util import ClassNotFound  # type: ignore[import-untyped]
from rich.style import Style
from rich.text import Text

from agent_cockpit.cockpit.render.ink import Ink
from agent_cockpit.cockpit.render.page import Page
from agent_cockpit.cockpit.render.wrapping import continued, fill, wrap

_HIGHLIGHT_CHARS = 20_000
"""Longer code is shown plain: colouring it would hold the screen up."""


def code_lines(code: str, language: str, page: Page, width: int) -> list[Text]:
    """The lines of a code block, each `width` cells wide on its own ground."""
    return [row for rows in code_rows(code, language, page, width) for row in rows]


def code_rows(code: str, language: str, page: Page, width: int) -> Iterator[list[Text]]:
    """The same, line after line of the code with all rows that it takes; only as much is read of
    it as is asked for."""
    for line in highlighted(code, _by_name(language), page.ink):
        rows: list[Text] = []
        for piece in wrap(line, max(1, width - 2), page.console):
            padded = Text(" ", style=page.ink.code)
            padded.append_text(piece)
            rows.append(continued(fill(padded, width), piece))
        yield rows


def may_colour(code: str, language: str) -> bool:
    """Whether the code is shown in colours."""
    return _by_name(language) is not None and len(code) <= _HIGHLIGHT_CHARS


def highlighted(code: str, lexer: Lexer | None, ink: Ink) -> Iterator[Text]:
    """The lines of `code` in colours, letter for letter; plain without a lexer."""
    left = iter(code.split("\n"))
    line, begins, at = Text(next(left)), 0, 0
    inks: dict[object, Style | None] = {}
    for token, piece in lexer.get_tokens(code) if lexer and len(code) <= _HIGHLIGHT_CHARS else ():
        if token not in inks:
            inks[token] = _style(token, ink)
        style, end = inks[token], at + len(piece)
        while end > begins + len(line):
            if style is not None:
                line.stylize(style, max(0, at - begins), len(line))
            yield line
            begins += len(line) + 1
            if (following := next(left, None)) is None:
                return
            line = Text(following)
        if style is not None:
            line.stylize(style, max(0, at - begins), end - begins)
        at = end
    yield line
    yield from map(Text, left)


@lru_cache(maxsize=64)
def _by_name(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False) if language else None
    except ClassNotFound:
        return None


@lru_cache(maxsize=64)
def lexer_for_path(path: str) -> Lexer | None:
    """The lexer that a file's name asks for."""
    try:
        return get_lexer_for_filename(path, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def _style(token: object, ink: Ink) -> Style | None:
    """The ink of a token: words of the language, literals and comments, and what a diff adds
    and takes away; the rest is text."""
    for family, style in (
        (Comment, ink.muted),
        (Keyword, ink.live),
        (Operator.Word, ink.live),
        (String, ink.success),
        (Number, ink.person),
        (Literal, ink.success),
        (Name.Decorator, ink.person),
        (Name.Function, ink.strong),
        (Name.Class, ink.strong),
        (Name.Tag, ink.live),
        (Name.Attribute, ink.person),
        (Generic.Inserted, ink.success),
        (Generic.Deleted, ink.error),
        (Generic.Heading, ink.muted),
        (Generic.Subheading, ink.muted),
        (Generic.Prompt, ink.muted),
    ):
        if token in family:
            return style
    return None
