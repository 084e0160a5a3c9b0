"""The bash grammar (tree-sitter): its parser, its kinds of nodes, and what it passes over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

DEEPEST = 60
"""Nesting beyond this is not judged; nobody writes it, and Python's own stack ends."""


def parse(source: bytes) -> Node:
    """The root of the tree; a tree comes of any bytes, with their places.

    The grammar's scanner reads beyond its tables at characters above U+00FF, which can end
    the process (`{` and an emoji do). A shell takes such characters as they come, so each of
    their bytes is shown to the grammar as a comma: plain in a word, and in no name.
    """
    return _parser().parse(source.translate(_ASCII)).root_node


def passes_over(root: Node, source: bytes) -> bool:
    """Whether text belongs to no token: the grammar drops escaped blanks and lone signs.

    A lone `-` before a here-document is dropped as well, and means nothing.
    """
    return any(_SKIPPED.search(gap) for gap in _gaps(root, source) if gap.strip() != b"-")


def below(node: Node, depth: int = 0, *, into_substitutions: bool = True) -> Iterator[Node | None]:
    """`node` and all below it; None where it is too deep."""
    if depth > DEEPEST:
        yield None
        return
    yield node
    if into_substitutions or node.type not in SUBSTITUTIONS:
        for child in node.named_children:
            yield from below(child, depth + 1, into_substitutions=into_substitutions)


def _gaps(root: Node, source: bytes) -> Iterator[bytes]:
    """What stands between the tokens of the tree."""
    end = 0
    cursor = root.walk()
    while True:
        node = cursor.node
        if node is not None and node.type != "heredoc_body" and cursor.goto_first_child():
            continue
        if node is not None:
            yield source[end : node.start_byte]
            end = max(end, node.end_byte)
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                yield source[end:]
                return


@lru_cache(maxsize=1)
def _parser() -> Parser:
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_bash.language()))


_ASCII = bytes(byte if byte < 0x80 else ord(",") for byte in range(256))
_SKIPPED = re.compile(rb"(?:[^\s\\]|\\[^\n]|\\\Z)")
SUBSTITUTIONS = ("command_substitution", "process_substitution")
ARITHMETIC = ("c_style_for_statement",)
SIMPLE = (
    "command",
    "declaration_command",
    "unset_command",
    "test_command",
    "variable_assignment",
    "variable_assignments",
)
CONTAINERS = (
    "program",
    "list",
    "subshell",
    "compound_statement",
    "if_statement",
    "elif_clause",
    "else_clause",
    "while_statement",
    "for_statement",
    "case_statement",
    "case_item",
    "do_group",
    "negated_command",
    "function_definition",
)
WORDS = (
    "word",
    "number",
    "string",
    "raw_string",
    "ansi_c_string",
    "translated_string",
    "concatenation",
    "simple_expansion",
    "expansion",
    "command_substitution",
    "process_substitution",
    "arithmetic_expansion",
    "brace_expression",
    "variable_name",
    "extglob_pattern",
    "regex",
)
