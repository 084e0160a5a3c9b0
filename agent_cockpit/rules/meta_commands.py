"""The commands that a person types with a slash; they are done here and never reach the model."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agent_cockpit.text import clean_line, shorten


@dataclass(frozen=True, slots=True)
class MetaCommand:
    """One command: its word without the slash, how it is written, and what it does.

    `owner` says who does it: the engine in every front end, a front end that can, or the
    cockpit alone.
    """

    name: str
    usage: str
    words: str
    aliases: tuple[str, ...] = ()
    owner: Literal["engine", "front", "cockpit"] = "engine"


@dataclass(frozen=True, slots=True)
class MetaCall:
    """A typed command: its own name where it is known by an alias, and the rest of the text."""

    name: str
    argument: str


COMMANDS = (
    MetaCommand("help", "/help", "list commands and keys"),
    MetaCommand("quit", "/quit", "end the sitting", aliases=("exit",)),
    MetaCommand(
        "status", "/status", "model, mode, folder, sandbox, what is allowed, context, journal"
    ),
    MetaCommand("state", "/state", "mode, goals and turns of this sitting"),
    MetaCommand(
        "mode",
        "/mode <edit|investigate|test_only|plan|auto>",
        "say what kind the next goals are; auto: their words decide",
    ),
    MetaCommand("plan", "/plan", "plan mode: look and propose, change nothing"),
    MetaCommand("exec", "/exec", "leave plan mode"),
    MetaCommand("diff", "/diff [goal|head]", "what changed in this sitting, this goal, since HEAD"),
    MetaCommand("undo", "/undo", "take back the file changes of the last goal that changed any"),
    MetaCommand("redo", "/redo", "make again what /undo took back last"),
    MetaCommand("verify", "/verify", "run the checks that decide, now"),
    MetaCommand("permissions", "/permissions [revoke N]", "list what is allowed, or take one back"),
    MetaCommand(
        "compact",
        "/compact [what to keep]",
        "summarise older messages, so that there is room again; the record keeps them",
    ),
    MetaCommand("clear", "/clear", "a new page: model and screen begin afresh, the record stays"),
    MetaCommand("new", "/new", "a new sitting in this folder", owner="front"),
    MetaCommand(
        "resume",
        "/resume [ID]",
        "go on with another sitting of this folder, by id or name; alone: list them",
        owner="cockpit",
    ),
    MetaCommand("rename", "/rename [NAME]", "what this sitting is called in the list of sittings"),
    MetaCommand(
        "copy", "/copy [code|all]", "copy the last answer, its code, or everything", owner="front"
    ),
    MetaCommand("export", "/export [FILE]", "this sitting as .md, .html or .json, for you alone"),
    MetaCommand("instructions", "/instructions", "which AGENTS.md files the model is given"),
    MetaCommand("skills", "/skills", "which skills there are, and from where"),
    MetaCommand("skill", "/skill NAME [ARGUMENTS]", "send a skill; /skill:NAME, /NAME do it too"),
    MetaCommand("boundary", "/boundary PATH A-B", "edit this file from line A to line B only"),
    MetaCommand("boundary", "/boundary clear [PATH]", "lift one boundary, or all"),
    MetaCommand("panel", "/panel", "show or hide the side panel", owner="cockpit"),
    MetaCommand("times", "/times", "show when each block began, or no more", owner="cockpit"),
    MetaCommand("keys", "/keys", "all keys with their names for keys.toml", owner="cockpit"),
    MetaCommand("theme", "/theme [NAME]", "try and choose the cockpit's colours", owner="cockpit"),
)
"""What every front end offers. The cockpit hands its own beside these to the functions below."""


def is_meta(text: str) -> bool:
    """Whether the text is a command: its very first sign is a slash. A space before the
    slash makes it text for the model."""
    return text.startswith("/")


def parse(text: str, commands: Sequence[MetaCommand] = COMMANDS) -> MetaCall:
    """The call in a text that `is_meta`; letter case of its word does not matter.

    A slash alone asks for help. A word that is no command stays as it is, in small letters.
    """
    match = _FIRST_WORD.match(text)
    word, rest = (match[1].lower(), text[match.end() :].strip()) if match else ("", "")
    if not word:
        return MetaCall("help", "")
    for command in commands:
        if word == command.name or word in command.aliases:
            return MetaCall(command.name, rest)
    return MetaCall(word, rest)


def find_command(name: str, commands: Sequence[MetaCommand] = COMMANDS) -> MetaCommand | None:
    """The command of this name or alias."""
    return next((each for each in commands if name == each.name or name in each.aliases), None)


def close_matches(name: str, commands: Sequence[MetaCommand] = COMMANDS) -> tuple[str, ...]:
    """Up to three names that may have been meant: those that begin so, then those alike."""
    word = name.lower()[:_LONGEST_WORD]
    names = dict.fromkeys(word for each in commands for word in (each.name, *each.aliases))
    begun = [each for each in names if word and each.startswith(word)]
    alike = difflib.get_close_matches(word, names, n=3, cutoff=0.6)
    return tuple(dict.fromkeys([*begun, *alike]))[:3]


def help_text(commands: Sequence[MetaCommand] = COMMANDS) -> str:
    """One line for each way to write a command, with what they do in one column."""
    written = [", ".join([each.usage, *(f"/{name}" for name in each.aliases)]) for each in commands]
    width = max(map(len, written), default=0)
    return "\n".join(
        f"{usage:<{width}}  {each.words}" for usage, each in zip(written, commands, strict=True)
    )


def unknown_text(name: str, commands: Sequence[MetaCommand] = COMMANDS) -> str:
    """What to tell a person who typed a command that does not exist."""
    alike = " or ".join(f"/{each}" for each in close_matches(name, commands))
    meant = f" Did you mean {alike}?" if alike else " /help lists the commands."
    return (
        f"unknown command: /{shorten(clean_line(name), _LONGEST_WORD)}.{meant}"
        " To send it as text, begin with a space."
    )


_FIRST_WORD = re.compile(r"/(\S*)")

_LONGEST_WORD = 64
"""A path or a pasted line may stand where a command is expected."""
