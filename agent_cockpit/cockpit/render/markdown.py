"""Markdown to styled lines: the model's words with their structure, calm and flat.

Law: raw HTML and anything else that is not understood shows as the text that it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode
from rich.style import Style
from rich.text import Text

from agent_cockpit.cockpit.render.code import code_lines
from agent_cockpit.cockpit.render.page import Page
from agent_cockpit.cockpit.render.table import table_lines
from agent_cockpit.cockpit.render.wrapping import continued, wrap
from agent_cockpit.text import clean, clean_line

PARSE_CHARS = 100_000
"""Longer single pieces are shown as they are; no answer that a person reads has them."""


_MOST_LEVELS = 60
"""A piece that is nested deeper is shown as it was written; the parser drops what is in it."""


def parsed(source: str) -> list[Token]:
    """The tokens of a Markdown text, none of its words lost."""
    tokens = _parser().parse(source)
    if all(token.level < _MOST_LEVELS for token in tokens):
        return tokens
    lines = source.split("\n")
    kept: list[Token] = []
    first = 0
    for token in tokens:
        if token.level == 0 and token.nesting >= 0:
            first = len(kept)
            kept.append(token)
        elif token.level >= _MOST_LEVELS and (lines_of := kept[first].map) is not None:
            start, end = lines_of
            text = "\n".join(lines[start:end]).rstrip("\n")
            kept[first:] = [Token("as_written", "", 0, content=text, map=[start, end])]
        elif kept[-1].type != "as_written":
            kept.append(token)
    return kept


@cache
def _parser() -> MarkdownIt:
    """CommonMark with tables and strike-through, without HTML."""
    options = {"html": False, "maxNesting": _MOST_LEVELS + 4}
    return MarkdownIt("commonmark", options).enable(["table", "strikethrough"])


class ListItems(NamedTuple):
    """Items of a list: their lines, which of them have words of their own, whether they were
    written without blank lines between them (which only words tell), the number of the first,
    how wide their signs are, and on which line of the text the last one begins."""

    lines: list[list[Text]]
    have_words: list[bool]
    is_tight: bool
    start: int
    indent: int
    last_line: int


def markdown_lines(source: str, page: Page, width: int) -> list[Text]:
    """The lines of a whole Markdown text, at most `width` cells each, none at its ends blank."""
    if len(source) > PARSE_CHARS:
        return wrap(Text(source, style=page.ink.text), width, page.console)
    return token_lines(parsed(source), page, width)


def token_lines(tokens: Sequence[Token], page: Page, width: int) -> list[Text]:
    """The lines of parsed top-level tokens."""
    return _Writer(page).blocks(SyntaxTreeNode(tokens).children, width)


class _Writer:
    """Writes nodes as lines; holds nothing but the page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._ink = page.ink

    def blocks(
        self, nodes: Sequence[SyntaxTreeNode], width: int, *, is_tight: bool = False
    ) -> list[Text]:
        lines: list[Text] = []
        for node in nodes:
            written = self._block(node, width)
            if lines and written and not is_tight:
                lines.append(Text())
            lines += written
        return lines

    def _block(self, node: SyntaxTreeNode, width: int) -> list[Text]:
        match node.type:
            case "paragraph":
                return self._wrapped(self._inline(node), width)
            case "heading":
                level = int(node.tag[1:] or 1)
                style = self._ink.strong + Style(underline=level == 1)
                return self._wrapped(self._inline(node, style), width)
            case "fence" | "code_block":
                language = clean_line(node.info).split(" ")[0] if node.info else ""
                code = node.content.removesuffix("\n")
                return code_lines(code, language, self._page, width)
            case "bullet_list" | "ordered_list":
                return self._list(node, width)
            case "blockquote":
                inner = self.blocks(node.children, max(1, width - 2))
                return [self._hung("▏ ", self._ink.faint, line) for line in inner]
            case "hr":
                return [Text("─" * width, style=self._ink.faint)]
            case "table":
                is_right = _right_columns(node)
                return table_lines(self.rows(node), self._page, width, is_right=is_right)
            case _:
                return self._wrapped(Text(node.content or "", style=self._ink.text), width)

    def rows(self, node: SyntaxTreeNode) -> list[list[Text]]:
        """The cells of each row of a table, its head first."""
        rows = (row for part in node.children for row in part.children)
        return [[self._inline(cell) for cell in row.children] for row in rows]

    def _list(self, node: SyntaxTreeNode, width: int) -> list[Text]:
        is_tight = _is_tight(node)
        lines: list[Text] = []
        for item in self.items(node, width, is_tight=is_tight):
            if lines and not is_tight:
                lines.append(Text())
            lines += item
        return lines

    def items(
        self, node: SyntaxTreeNode, width: int, *, is_tight: bool, before: int = 0
    ) -> list[list[Text]]:
        """The lines of each item of a list that has `before` items before these."""
        signs, indent = _signs(node, before)
        items: list[list[Text]] = []
        for sign, item in zip(signs, node.children, strict=True):
            inner = self.blocks(item.children, max(1, width - indent), is_tight=is_tight)
            leads = [sign.rjust(indent), *[" " * indent] * len(inner)]
            lines = zip(leads, inner or [Text()], strict=False)
            items.append([self._hung(lead, self._ink.muted, line) for lead, line in lines])
        return items

    def _hung(self, lead: str, ink: Style, line: Text) -> Text:
        return continued(Text.assemble((lead, ink), line), line)

    def _wrapped(self, text: Text, width: int) -> list[Text]:
        return wrap(text, width, self._page.console)

    def _inline(self, node: SyntaxTreeNode, style: Style | None = None) -> Text:
        text = Text(style=style or self._ink.text)
        for child in node.children:
            for piece in child.children if child.type == "inline" else [child]:
                self._append(text, piece, Style())
        return text

    def _append(self, text: Text, node: SyntaxTreeNode, style: Style) -> None:
        match node.type:
            case "text" | "html_inline" | "text_special":
                # `&#x202e;` was harmless text when it was cleaned, and is none any more
                text.append(clean(node.content), style)
            case "softbreak":
                text.append(" ", style)
            case "hardbreak":
                text.append("\n")
            case "code_inline":
                text.append(node.content, style + self._ink.live)
            case "strong":
                self._append_all(text, node, style + Style(bold=True))
            case "em":
                self._append_all(text, node, style + Style(italic=True))
            case "s":
                self._append_all(text, node, style + Style(strike=True))
            case "link":
                before = len(text.plain)
                self._append_all(text, node, style + Style(underline=True))
                target = clean_line(str(node.attrs.get("href", "")))
                if target.removeprefix("mailto:") != text.plain[before:]:
                    self._append_address(text, target)
            case "image":
                what = ": ".join(part for part in ("image", clean_line(node.content)) if part)
                text.append(f"[{what}]", style + self._ink.muted)
                address = clean_line(str(node.attrs.get("src", "")))
                kind, comma, _ = address.partition(",")
                is_inline = address.startswith("data:") and comma
                self._append_address(text, f"{kind},…" if is_inline else address)
            case _:
                text.append(clean(node.content or ""), style)
                self._append_all(text, node, style)

    def _append_address(self, text: Text, address: str) -> None:
        if address:
            text.append(f" ({address})", self._ink.muted)

    def _append_all(self, text: Text, node: SyntaxTreeNode, style: Style) -> None:
        for child in node.children:
            self._append(text, child, style)


def list_items(
    tokens: Sequence[Token], page: Page, *, is_tight: bool, first: int | None = None
) -> ListItems:
    """The lines of the items of the one list that these tokens are, whose first has the number
    `first` where the tokens do not know that."""
    node = SyntaxTreeNode(tokens).children[0]
    start = int(node.attrs.get("start", 1))
    before = 0 if first is None else first - start
    lines = _Writer(page).items(node, page.room(), is_tight=is_tight, before=before)
    last = node.children[-1].map
    words = [any(child.type == "paragraph" for child in item.children) for item in node.children]
    indent = _signs(node, before)[1]
    return ListItems(lines, words, _is_tight(node), start, indent, last[0] if last else 0)


def table_rows(tokens: Sequence[Token], page: Page) -> list[list[Text]]:
    """The cells of each row of these parts of a table."""
    return _Writer(page).rows(SyntaxTreeNode(tokens))


def right_columns(tokens: Sequence[Token]) -> list[bool]:
    """Which columns of the one table that these tokens are end at their right edge."""
    return _right_columns(SyntaxTreeNode(tokens).children[0])


def _signs(node: SyntaxTreeNode, before: int) -> tuple[list[str], int]:
    """What stands before each item of a list, and how wide the widest is."""
    start = int(node.attrs.get("start", 1)) + before
    is_ordered = node.type == "ordered_list"
    numbers = range(start, start + len(node.children))
    signs = [f"{number}. " if is_ordered else "• " for number in numbers]
    return signs, max((len(sign) for sign in signs), default=2)


def _is_tight(node: SyntaxTreeNode) -> bool:
    """Whether a list was written without blank lines: its paragraphs are hidden then."""
    return all(
        child.hidden
        for item in node.children
        for child in item.children
        if child.type == "paragraph"
    )


def _right_columns(table: SyntaxTreeNode) -> list[bool]:
    """Which columns its second row asks to end at their right edge."""
    head = table.children[0].children[0]
    return ["right" in str(cell.attrs.get("style", "")) for cell in head.children]
