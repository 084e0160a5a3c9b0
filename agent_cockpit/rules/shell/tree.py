"""A shell line taken apart: every simple command in it, wherever it is nested.

Law: nothing is guessed. What this file does not fully model is listed in `problems`, and
who judges the line fails closed on it. The grammar's own tree never leaves this file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_cockpit.rules.shell.grammar import (
    ARITHMETIC,
    CONTAINERS,
    DEEPEST,
    SIMPLE,
    SUBSTITUTIONS,
    WORDS,
    below,
    parse,
    passes_over,
)
from agent_cockpit.rules.shell.words import Word, substitutions, unquote

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True, slots=True)
class Redirect:
    """One redirection to or from `target`; `writes` says which."""

    writes: bool
    target: Word


@dataclass(frozen=True, slots=True, kw_only=True)
class SimpleCommand:
    """One program start (or, without words, assignments and redirections by themselves).

    `fed` says where its standard input comes from if that is in the line: "pipe", "text"
    (a here-document or here-string), or "".
    """

    text: str
    words: tuple[Word, ...] = ()
    assignments: tuple[tuple[str, Word], ...] = ()
    redirects: tuple[Redirect, ...] = ()
    fed: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something not modelled; `runs_code` where it can hide any command at all."""

    text: str
    runs_code: bool = False


@dataclass(frozen=True, slots=True)
class ShellTree:
    """The commands in the order they are written, the functions defined, and what is unclear."""

    commands: tuple[SimpleCommand, ...]
    functions: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def read_line(command: str) -> ShellTree:
    """Take `command` apart; never raises, whatever the text is."""
    source = command.encode("utf-8", "replace")
    reader = _Reader(source)
    root = parse(source)
    if root.has_error:
        reader.problem("is not complete shell syntax")
    if passes_over(root, source):
        reader.problem("has text that the grammar passes over", runs_code=True)
    reader.statement(root, 0, fed="")
    return ShellTree(tuple(reader.commands), tuple(reader.functions), tuple(reader.problems))


class _Around:
    """What stands around a simple command: gathered while its redirections are read."""

    def __init__(self, fed: str) -> None:
        self.fed = fed
        self.redirects: list[Redirect] = []
        self.words: list[Word] = []
        self.rest: list[Node] = []


class _Reader:
    """Walks one syntax tree and collects; lives for one `read_line`."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.commands: list[SimpleCommand] = []
        self.functions: list[str] = []
        self.problems: list[Problem] = []

    def problem(self, text: str, *, runs_code: bool = False) -> None:
        self.problems.append(Problem(text, runs_code))

    def text(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def statement(self, node: Node, depth: int, *, fed: str) -> None:
        """Collect what runs in `node`, in the order it is written."""
        if depth > DEEPEST:
            self.problem("is nested too deeply to judge", runs_code=True)
            return
        kind = node.type
        if kind in SIMPLE:
            self.simple(node, depth, _Around(fed))
        elif kind == "redirected_statement":
            self.redirected(node, depth, fed=fed)
        elif kind == "file_redirect":
            around = _Around(fed)
            self.redirect(node, depth, around)
            redirects = tuple(around.redirects)
            self.commands.append(SimpleCommand(text=self.text(node), redirects=redirects))
        elif kind == "pipeline":
            for at, child in enumerate(node.named_children):
                self.statement(child, depth + 1, fed="pipe" if at else fed)
        elif kind in ARITHMETIC:
            self.arithmetic(node, depth)
        elif kind in CONTAINERS:
            self.container(node, depth, fed=fed)
        elif kind in WORDS:
            self.value(node, depth)
        elif kind == "comment":
            if self.source[max(0, node.start_byte - 1) : node.start_byte] not in (
                b"",
                *_BEFORE_COMMENT,
            ):
                self.problem("has a comment that may be none", runs_code=True)
        else:
            self.problem("uses shell syntax that is not judged")
            self.container(node, depth, fed=fed)

    def container(self, node: Node, depth: int, *, fed: str) -> None:
        if node.type == "function_definition":
            name = node.child_by_field_name("name")
            self.functions.append(self.text(name) if name is not None else "")
        if node.type == "for_statement" and (name := node.child_by_field_name("variable")):
            assigned = ((self.text(name), Word("")),)
            self.commands.append(SimpleCommand(text=self.text(node), assignments=assigned))
        if node.type == "compound_statement" and self.text(node).startswith("(("):
            self.arithmetic(node, depth)
            return
        for child in node.named_children:
            self.statement(child, depth + 1, fed=fed)

    def redirected(self, node: Node, depth: int, *, fed: str) -> None:
        body = next((c for c in node.named_children if not c.type.endswith("_redirect")), None)
        around = _Around(fed)
        for child in node.named_children:
            if child.type.endswith("_redirect"):
                self.redirect(child, depth, around)
        if body is not None and body.type == "command":
            self.simple(body, depth + 1, around)
            return
        if around.words:
            self.problem("has words behind a redirection that cannot be placed", runs_code=True)
        if body is not None:
            self.statement(body, depth + 1, fed=around.fed)
        if around.redirects or body is None:
            redirects = tuple(around.redirects)
            self.commands.append(SimpleCommand(text=self.text(node), redirects=redirects))
        self.after(around, depth)

    def simple(self, node: Node, depth: int, around: _Around) -> None:
        words: list[Word] = []
        assignments: list[tuple[str, Word]] = []
        if node.type == "variable_assignment":
            self.assignment(node, depth, assignments)
        elif node.type not in ("command", "variable_assignments"):
            words.append(Word(self.text(node).split(None, 1)[0]))
        if node.type == "command" and any(not child.is_named for child in node.children):
            self.problem("has words that cannot be told apart", runs_code=True)
        end = -1
        for child in node.named_children if node.type != "variable_assignment" else ():
            if child.start_byte == end and not child.type.endswith("_redirect"):
                self.problem("has words that cannot be told apart", runs_code=True)
            end = child.end_byte
            if child.type == "variable_assignment":
                self.assignment(child, depth, assignments)
            elif child.type.endswith("_redirect"):
                self.redirect(child, depth, around)
            elif child.type in CONTAINERS:
                self.problem("starts a group of commands as an argument", runs_code=True)
                self.statement(child, depth + 1, fed=around.fed)
            elif child.type != "comment":
                words.append(self.value(child, depth))
        self.commands.append(
            SimpleCommand(
                text=self.text(node),
                words=(*words, *around.words),
                assignments=tuple(assignments),
                redirects=tuple(around.redirects),
                fed=around.fed,
            )
        )
        self.after(around, depth)

    def after(self, around: _Around, depth: int) -> None:
        for child in around.rest:
            self.statement(child, depth + 1, fed="pipe")

    def assignment(self, node: Node, depth: int, found: list[tuple[str, Word]]) -> None:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or name.type != "variable_name":
            self.problem("assigns to a computed place")
            self.inside(node, depth)
            return
        if value is not None and value.type == "array":
            self.inside(value, depth)
            found.append((self.text(name), Word(self.text(value), literal=False)))
            return
        word = self.value(value, depth) if value is not None else Word("")
        found.append((self.text(name), word))

    def redirect(self, node: Node, depth: int, around: _Around) -> None:
        if node.type == "herestring_redirect":
            for child in node.named_children:
                self.value(child, depth)
            around.fed = "text"
            return
        if node.type == "heredoc_redirect":
            self.heredoc(node, depth, around)
            around.fed = "text"
            return
        targets = node.children_by_field_name("destination")
        operator = next((self.text(c) for c in node.children if not c.is_named), "")
        if not targets:
            if not operator.endswith("&-"):
                self.problem("redirects in a way that is not judged")
            return
        word, *more = (self.value(target, depth) for target in targets)
        around.words.extend(more)
        if operator not in (">&", "<&") or not re.fullmatch(r"\d+-?|-", word.text):
            around.redirects.append(Redirect(writes=">" in operator, target=word))

    def heredoc(self, node: Node, depth: int, around: _Around) -> None:
        start = ends = ""
        body = ""
        for child in node.named_children:
            if child.type == "heredoc_start":
                start = self.text(child)
            elif child.type == "heredoc_body":
                body = self.text(child)
            elif child.type == "heredoc_end":
                ends = self.lines_of(child)
            elif child.type == "file_redirect":
                self.redirect(child, depth, around)
            elif child.type in WORDS:
                around.words.append(self.value(child, depth))
            elif child.type != "file_descriptor":
                around.rest.append(child)
        strip = "\t" if self.text(node).lstrip("0123456789").startswith("<<-") else ""
        closing = unquote(start).text
        plain = [line.lstrip(strip) if strip else line for line in body.split("\n")]
        if (ends.lstrip(strip) if strip else ends) != closing or closing in plain:
            self.problem("has a here-document whose end is unclear", runs_code=True)
        elif not re.search(r"""['"\\]""", start) and _runs_inside(body):
            self.problem("runs commands inside a here-document", runs_code=True)

    def lines_of(self, node: Node) -> str:
        """The whole lines that `node` lies on."""
        begin = self.source.rfind(b"\n", 0, node.start_byte) + 1
        end = self.source.find(b"\n", node.end_byte)
        return self.source[begin : end if end >= 0 else None].decode("utf-8", "replace")

    def value(self, node: Node, depth: int) -> Word:
        """A word's value; commands inside it are collected on the way."""
        raw = self.text(node)
        word = unquote(raw)
        plain = (n for n in below(node, into_substitutions=False) if n and n.type == "word")
        if any(re.search(r"(?<!\\)[();&|]", self.text(n)) for n in plain):
            self.problem("has a word with shell signs in it", runs_code=True)
        if not word.literal:
            self.inside(node, depth)
            found = sum(child is not None and child.type in SUBSTITUTIONS for child in below(node))
            if found < substitutions(raw):
                self.problem("runs a command that cannot be told apart", runs_code=True)
        return word

    def inside(self, node: Node, depth: int) -> None:
        """Collect the commands that expanding `node` would run."""
        for child in below(node, into_substitutions=False):
            if child is None:
                self.problem("is nested too deeply to judge", runs_code=True)
            elif child.type in SUBSTITUTIONS:
                for statement in child.named_children:
                    self.statement(statement, depth + 1, fed="")
            elif child.type == "expansion" and not _PLAIN_EXPANSION.match(self.text(child)):
                self.problem("computes a value in a way that is not judged")
            elif child.type == "arithmetic_expansion":
                self.arithmetic(child, depth, nested=True)

    def arithmetic(self, node: Node, depth: int, *, nested: bool = False) -> None:
        """Arithmetic on names can run commands that their values hold."""
        text = self.text(node).removeprefix("$")
        if re.search(r"[\w.]\s+-?[A-Za-z./~\"'$]", text) and node.type != "c_style_for_statement":
            self.problem("looks like arithmetic and may be a command", runs_code=True)
        elif re.search(r"[A-Za-z_$`]", text):
            self.problem("does arithmetic on values that are not known")
        if not nested:
            for child in node.named_children:
                if child.type in ("do_group", "compound_statement"):
                    self.statement(child, depth + 1, fed="")
                else:
                    self.inside(child, depth)


def _runs_inside(body: str) -> bool:
    live = re.sub(r"\\.", "", body, flags=re.S)
    return bool(re.search(r"\$[(\[]|`|\$\{(?!\w+\})", live))


_PLAIN_EXPANSION = re.compile(
    r"\$\{(#?[A-Za-z_]\w*|\d|[@*#?$!-]|[A-Za-z_]\w*\[[@*\d]+\]"
    r"|([A-Za-z_]\w*|\d)(:?[-+?]|##?|%%?|//?|\^\^?|,,?)[^@]*)\}\Z",
    re.S,
)
_BEFORE_COMMENT = (b" ", b"\t", b"\n", b";", b"&", b"|", b"(", b")")
