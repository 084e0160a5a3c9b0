"""`alter_verification`: another proof than the one that was declared; a person ratifies it."""

from __future__ import annotations

import asyncio

from pydantic import BaseModel, Field

from agent_cockpit.errors import ToolRefused
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.tools.contract_call import (
    ContractInput,
    amendment_preview,
    contract_facts,
    contract_of,
    told,
)
from agent_cockpit.tools.protocol import RunDeps, ToolResult
from agent_cockpit.workspace.workspace import shown


class AlterVerificationInput(ContractInput):
    """The new checks, and why."""

    rationale: str = Field(description="Why the declared checks are wrong, for the person.")


class AlterVerification:
    """Replaces what was declared; checks of the project itself stay."""

    name = "alter_verification"
    description = (
        "Ask to replace the checks that you declared, with the reason. A person decides; checks "
        "of the project itself cannot be replaced."
    )
    input_model: type[BaseModel] = AlterVerificationInput
    tier = 3
    phases = frozenset({"investigating", "editing"})

    async def facts(self, args: AlterVerificationInput, deps: RunDeps) -> CallFacts:
        """Asked every time, with the commands and the reason."""
        _check_rationale(args)
        each = await asyncio.to_thread(contract_facts, args, deps)
        return CallFacts(
            tool=self.name,
            tier=3,
            reason=f"changes what proves the work: {shown(args.rationale)}",
            parts=tuple(part for facts in each for part in facts.parts),
            grantable=False,
            preview=amendment_preview(args, each, deps.frozen_checks or ()),
            network=any(facts.network for facts in each),
            later=tuple(each),
        )

    async def run(self, args: AlterVerificationInput, deps: RunDeps) -> ToolResult:
        """The new contract, for the engine to put in the place of the old."""
        _check_rationale(args)
        contract = contract_of(args, args.rationale)
        return ToolResult(
            tool_name=self.name,
            success=True,
            content=f"the declared checks are now:\n{told(contract.checks)}",
            summary=f"amended to {len(contract.checks)} check(s)",
            contract=contract,
        )


def _check_rationale(args: AlterVerificationInput) -> None:
    if not args.rationale.strip():
        raise ToolRefused("the rationale is empty; say why the declared checks are wrong")
