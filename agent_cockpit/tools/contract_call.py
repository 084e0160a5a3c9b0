"""What declaring and amending a contract share: input, validation, and what would be run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from agent_cockpit.errors import ToolRefused
from agent_cockpit.events.checks import PlannedCheck
from agent_cockpit.rules.checks.contract import contract_checks
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.text import reveal_line
from agent_cockpit.tools.command_call import command_facts, short_command
from agent_cockpit.tools.protocol import DeclaredContract, RunDeps
from agent_cockpit.tools.schema import ToolInput


class DeclaredCheckInput(ToolInput):
    """One command that proves the work by exit code 0."""

    command: str = Field(description="One command, or several joined by `&&`; no other syntax.")
    kind: str = Field(default="test", description="What sort of check it is, in a word.")


class ContractInput(ToolInput):
    """The checks, and what sorts of files the work will change."""

    checks: list[DeclaredCheckInput]
    change_kinds: list[Literal["code", "content"]] = Field(
        default=["code"], description="content: prose such as .md files; code: all else."
    )


def contract_of(args: ContractInput, rationale: str = "") -> DeclaredContract:
    """The contract, or `ToolRefused` with what is wrong with it."""
    return DeclaredContract(
        checks=contract_checks([check.command for check in args.checks], args.change_kinds),
        change_kinds=tuple(dict.fromkeys(args.change_kinds)),
        rationale=rationale,
    )


def contract_facts(args: ContractInput, deps: RunDeps) -> list[CallFacts]:
    """The facts of each check's command; `ToolRefused` for one that nobody should run unasked.

    The engine runs the checks later without another question, so each is judged now, as if
    it were called.
    """
    checks = contract_of(args).checks
    each = [command_facts("run_command", check.command, deps) for check in checks]
    for facts in each:
        if facts.refusal is not None or facts.tier >= 4:
            raise ToolRefused(
                f"`{short_command(facts.command or '')}` cannot be a check: "
                f"{facts.refusal or facts.reason}"
            )
    return each


def contract_preview(each: Sequence[CallFacts]) -> str:
    """Every command that would be run to prove the work."""
    return "\n".join(facts.preview for facts in each)


def amendment_preview(
    args: ContractInput, each: Sequence[CallFacts], plan: Sequence[PlannedCheck]
) -> str:
    """The checks as a diff from what was declared to what would be, then what each new one does.

    Checks that an amendment cannot touch stand there as they are.
    """
    old = [check.command for check in plan if check.kind == "declared"]
    new = [check.command for check in contract_of(args).checks]
    kept = [check.command for check in plan if check.kind != "declared"]
    lines = ["@@ what proves the work @@"]
    lines += [f"-{reveal_line(command)}" for command in old if command not in new]
    lines += [f"+{reveal_line(command)}" for command in new if command not in old]
    lines += [f" {reveal_line(command)}" for command in (*old, *kept) if command in (*new, *kept)]
    lines += [f"@@ for changes of {' and '.join(dict.fromkeys(args.change_kinds))}; what runs @@"]
    lines += [f" {line}" for line in contract_preview(each).split("\n")]
    return "\n".join(lines)


def told(checks: Sequence[PlannedCheck]) -> str:
    """The checks, one a line, for the model."""
    return "\n".join(f"{check.name}: {check.command}" for check in checks)
