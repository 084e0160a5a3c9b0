"""What a person is about to name at the cursor: a file, a command, or what follows a command.

Law: what is offered for a mention is read as that mention by `grounding.references`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agent_cockpit.rules.grounding import mention
from agent_cockpit.rules.meta_commands import COMMANDS, MetaCommand

_MENTION = re.compile(r"(?<![\w@.`/])@(?:\"([^\"]*)|([^\s@\"']*))$")
_REST = re.compile(r"[^\s@\"']*")
_LINES = re.compile(r":\d*(?:-\d*)?$")
_COMMAND = re.compile(r"/(\S*)$")
_ARGUMENT = re.compile(r"/(\S+)[ ]+(?:(\S+)[ ]+)?(\S*)$")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is being written: `query` so far, in the columns `start` to `end` of its line.

    `lines` is what a mention says about lines so far, such as `:10-`. Of an argument `command`
    is the command and `behind` the argument before it.
    """

    kind: Literal["file", "command", "argument"]
    query: str
    start: int
    end: int
    lines: str = ""
    command: str = ""
    behind: str = ""


@dataclass(frozen=True, slots=True)
class Accepted:
    """What takes the place of what was wanted, and how far before its end the cursor goes."""

    text: str
    back: int = 0


def wanted_at(line: str, column: int, *, is_first: bool) -> Wanted | None:
    """What is being named in `line` before `column`; commands only stand in the first line."""
    before = line[:column]
    if is_first and line.startswith("/"):
        return _after_slash(line, before)
    match = _MENTION.search(before)
    if match is None:
        return None
    quoted, plain = match.groups()
    if quoted is not None:
        rest = line[column:]
        closing = re.match(r"[^\"@]*\"(?::[\d-]*)?", rest)
        return _file(quoted, match.start(), column + (closing.end() if closing else 0))
    rest_of_word = _REST.match(line, column)
    return _file(plain, match.start(), rest_of_word.end() if rest_of_word else column)


def accept_file(wanted: Wanted, path: str, line: str) -> Accepted | None:
    """The mention of a chosen path, with the lines that were written; None where it cannot be
    named. Behind a file the writing goes on; in a folder it goes on to what is in it."""
    is_folder = path.endswith("/")
    lines = "" if is_folder else wanted.lines.rstrip(":-")
    written = mention(path, lines)
    if written is None:
        return None
    if is_folder:
        return Accepted(written, back=1 if written.endswith('"') else 0)
    follows = line[wanted.end : wanted.end + 1]
    return Accepted(written if follows.isspace() else f"{written} ")


def arguments_of(wanted: Wanted, commands: Sequence[MetaCommand] = COMMANDS) -> tuple[str, ...]:
    """What the usage of the command says may stand there: words, and in capitals kinds of
    things, such as `PATH`."""
    place = 1 if wanted.behind else 0
    found = [
        pattern[place]
        for command in commands
        if wanted.command in (command.name, *command.aliases)
        for pattern in argument_patterns(command.usage)
        if len(pattern) > place and (not wanted.behind or pattern[0] == wanted.behind)
    ]
    return tuple(dict.fromkeys(found))


def argument_patterns(usage: str) -> list[tuple[str, ...]]:
    """The ways to write what follows a command: `/diff [goal|head]` has two of one word each.
    A description, such as `[what to keep]`, is none."""
    _, _, rest = usage.partition(" ")
    group = re.match(r"[\[<]([^\]>]*)[\]>]$", rest)
    ways = group[1].split("|") if group else [rest]
    patterns = [tuple(re.findall(r"[^\s\[\]<>]+", way)) for way in ways]
    return [pattern for pattern in patterns if pattern and sum(map(str.islower, pattern)) < 2]


def _after_slash(line: str, before: str) -> Wanted | None:
    if match := _COMMAND.fullmatch(before):
        rest = re.compile(r"\S*").match(line, len(before))
        return Wanted("command", match[1], 0, rest.end() if rest else len(before))
    if match := _ARGUMENT.fullmatch(before):
        rest = re.compile(r"\S*").match(line, len(before))
        end = rest.end() if rest else len(before)
        command, behind = match[1].lower(), match[2] or ""
        return Wanted("argument", match[3], match.start(3), end, command=command, behind=behind)
    return None


def _file(written: str, start: int, end: int) -> Wanted:
    lines = _LINES.search(written)
    query = written[: lines.start()] if lines else written
    return Wanted("file", query, start, end, lines=lines[0] if lines else "")
