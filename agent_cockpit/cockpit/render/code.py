"""Code with its words coloured; whatever cannot be coloured is shown plain."""

from __future__ import annotations

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
    text = highlighted(code, _by_name(language), page.ink)
    lines: list[Text] = []
    for line in text.split("\n", allow_blank=True):
        for piece in wrap(line, max(1, width - 2), page.console):
            padded = Text(" ", style=page.ink.code)
            padded.append_text(piece)
            lines.append(continued(fill(padded, width), piece))
    return lines


def highlighted(code: str, lexer: Lexer | None, ink: Ink) -> Text:
    """`code` in colours, letter for letter; plain without a lexer."""
    text = Text(code, end="")
    if lexer is None or len(code) > _HIGHLIGHT_CHARS:
        return text
    at = 0
    inks: dict[object, Style | None] = {}
    for token, piece in lexer.get_tokens(code):
        if token not in inks:
            inks[token] = _style(token, ink)
        style = inks[token]
        if style is not None:
            text.stylize(style, at, at + len(piece))
        at += len(piece)
    return text


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
