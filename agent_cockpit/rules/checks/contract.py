"""What may count as a proof: the checks that a model declares for its own work.

Law: a declared check can fail, and each declared kind of change has one that would.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from agent_cockpit.errors import ToolRefused
from agent_cockpit.events.checks import PlannedCheck
from agent_cockpit.rules.checks.verification import change_kind
from agent_cockpit.rules.shell.real_program import program_of
from agent_cockpit.text import reveal_line, shorten

CHANGE_KINDS = ("code", "content")
MOST_CHECKS = 20
LONGEST_COMMAND = 4000

_INSPECTORS = frozenset({"test", "[", "grep", "rg", "cmp", "diff", "cat", "ls", "stat"})
_SHOWERS = frozenset({"head", "tail", "wc"})
_EMPTY = frozenset(
    {
        *("true", "false", ":", "echo", "printf", "pwd", "sleep", "sort", "uniq", "cut", "tr"),
        *("exit", "return", "command", "type", "which", "hash"),
        *("mkdir", "touch", "rm", "cp", "mv", "chmod", "dirname", "basename"),
    }
)
"""Programs that prove nothing about code; the two sets above look without judging it."""
_SHELL_ONLY = frozenset({"cd", "export", "set", "unset", "alias", "source", "."})
_ONLY_TALKS = frozenset({"--version", "--help", "--collect-only"})


def contract_checks(
    commands: Sequence[str], change_kinds: Sequence[str]
) -> tuple[PlannedCheck, ...]:
    """The declared checks, one for each command, or for each part of an `&&` chain.

    Raises `ToolRefused` with what to write instead: nothing declared, shell syntax that
    hides an exit code, or a kind of change that no check covers.
    """
    if not commands:
        raise ToolRefused("declare at least one check: a command that fails while work is undone")
    if len(commands) > MOST_CHECKS:
        raise ToolRefused(f"declare at most {MOST_CHECKS} checks")
    if not change_kinds or any(kind not in CHANGE_KINDS for kind in change_kinds):
        raise ToolRefused(f"change_kinds takes one or more of {', '.join(CHANGE_KINDS)}")
    chains = [_stages(command) for command in commands]
    for kind in dict.fromkeys(change_kinds):
        if not any(_covers(kind, words) for chain in chains for _, words in chain):
            raise ToolRefused(_UNCOVERED[kind])
    checks: list[PlannedCheck] = []
    for at, chain in enumerate(chains, 1):
        checks += [
            PlannedCheck(
                name=f"declared_{len(checks) + place}",
                command=text,
                kind="declared",
                provenance="model-declared",
                chain=f"declared:{at}" if len(chain) > 1 else None,
            )
            for place, (text, _) in enumerate(chain, 1)
        ]
    return tuple(checks)


_UNCOVERED = {
    "code": (
        "no check would notice broken code: declare a command that runs or compiles it, such as "
        "its tests"
    ),
    "content": (
        "no check looks at the prose: declare one that names the file and can fail, such as "
        "`grep -q 'new section' README.md`"
    ),
}


def _covers(kind: str, words: list[str]) -> bool:
    program = program_of(words)
    looks = program in _INSPECTORS or program in _SHOWERS
    if not program or program in _EMPTY:
        return False
    if kind == "code":
        return not looks and not _ONLY_TALKS.intersection(words)
    operands = [word for word in words[1:] if not word.startswith("-")]
    return any(change_kind(word) == "content" for word in operands)


def _stages(command: str) -> list[tuple[str, list[str]]]:
    """Text and words of each part of a chain."""
    if len(command) > LONGEST_COMMAND:
        raise ToolRefused(f"a check takes at most {LONGEST_COMMAND} characters")
    stages: list[tuple[str, list[str]]] = []
    for part in _parts(command):
        text = part.strip()
        try:
            words = shlex.split(text)
        except ValueError:
            raise ToolRefused(f"unbalanced quotes in `{_shown(command)}`") from None
        if not words:
            raise ToolRefused(f"an empty command in `{_shown(command)}`")
        if words[0] in _SHELL_ONLY:
            raise ToolRefused(
                f"`{words[0]}` does nothing for the next part of `{_shown(command)}`: each part "
                "runs by itself in the workspace; use options such as `make -C folder`, or a script"
            )
        stages.append((text, words))
    return stages


_SYNTAX = re.compile(r"&&|\|\||\$\(|<<|>>|[;&|<>()`\n]")


def _parts(command: str) -> list[str]:
    """`command` cut at each `&&`; any other shell syntax outside quotes is refused."""
    parts: list[str] = [""]
    quote, at = "", 0
    while at < len(command):
        char = command[at]
        operator = _SYNTAX.match(command, at)
        if char == "\\" and quote != "'":
            parts[-1] += command[at : at + 2]
            at += 2
        elif quote != "'" and operator and operator[0] in ("`", "$("):
            raise _hides(operator[0], command)
        elif quote:
            quote = "" if char == quote else quote
            parts[-1] += char
            at += 1
        elif operator and operator[0] == "&&":
            parts.append("")
            at += 2
        elif operator:
            raise _hides(operator[0], command)
        elif _turns(char, parts[-1]):
            raise _hides(char, command)
        else:
            quote = char if char in "'\"" else ""
            parts[-1] += char
            at += 1
    return parts


def _turns(char: str, before: str) -> bool:
    """Whether `char` negates the exit code, or begins a comment."""
    if char == "!":
        return not before.strip()
    return char == "#" and (not before or before[-1].isspace())


def _hides(operator: str, command: str) -> ToolRefused:
    name = "a line break" if operator == "\n" else f"`{operator}`"
    return ToolRefused(
        f"{name} in `{_shown(command)}` can hide an exit code: a check is one command, or several "
        "joined by `&&`; put anything more into a script"
    )


def _shown(command: str) -> str:
    return shorten(reveal_line(command), 200)
