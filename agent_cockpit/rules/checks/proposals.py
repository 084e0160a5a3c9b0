"""Which checks may be taken from a model's reading of a project's own documents.

Law: a proposal counts only if the document that it cites names its program; it proposes, and
consent, freeze and verdict treat it like a declaration.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from agent_cockpit.errors import ToolRefused
from agent_cockpit.events.checks import PlannedCheck
from agent_cockpit.rules.checks.contract import contract_checks
from agent_cockpit.rules.shell.real_program import program_of

MOST_PROPOSALS = 4
EXCERPT_CHARS = 1500
"""Of each document: what says how to check a project stands near the top, or is not said."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One command, and the document that is said to name it."""

    command: str
    source: str


def accepted(proposals: Iterable[Proposal], documents: Mapping[str, str]) -> list[PlannedCheck]:
    """The checks of the proposals that hold; of the same command, the first."""
    found: dict[str, PlannedCheck] = {}
    for at, proposal in enumerate(list(proposals)[:MOST_PROPOSALS], 1):
        command = proposal.command.strip()
        try:
            checks = contract_checks([command], ["code"])
        except ToolRefused:
            continue
        if not _is_cited(command, documents.get(proposal.source, "")):
            continue
        for check in checks:
            chain = None if check.chain is None else f"proposed:{at}"
            found.setdefault(
                check.command,
                check.model_copy(
                    update={
                        "name": f"declared_{len(found) + 1}",
                        "provenance": f"proposed:{proposal.source}",
                        "chain": chain,
                    }
                ),
            )
    return list(found.values())


def _is_cited(command: str, text: str) -> bool:
    """Whether the document names the command, or what each of its parts runs."""
    return (" " in command and _names(text, command)) or all(
        _is_named(shlex.split(part), text) for part in command.split("&&")
    )


def _is_named(words: list[str], text: str) -> bool:
    """Whether the program is named, and what it runs where it runs something else."""
    program = program_of(words)
    if not program or not _names(text, program):
        return False
    if not _RUNS_ANOTHER.fullmatch(program):
        return True
    rest = words[next(i for i, word in enumerate(words) if word.endswith(program)) + 1 :]
    operand = next((word for word in rest if not word.startswith("-")), "")
    return bool(operand) and _names(text, operand)


_RUNS_ANOTHER = re.compile(
    r"python[0-9.]*|py|node|deno|bun|ruby|php|perl|bash|sh|zsh|make|just|task|rake|npm|pnpm|yarn"
)
"""These names say little: what counts is the script or the target behind them."""


def _names(text: str, word: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None
