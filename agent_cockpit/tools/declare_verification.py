"""`declare_verification`: by what the work will be proven, where the project does not say."""

from __future__ import annotations

import asyncio

from pydantic import BaseModel

from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.tools.contract_call import (
    ContractInput,
    contract_facts,
    contract_of,
    contract_preview,
    told,
)
from agent_cockpit.tools.facts import ALL_PHASES
from agent_cockpit.tools.protocol import RunDeps, ToolResult


class DeclareVerification:
    """Declaring runs nothing; but what is declared will be run, so a person sees it now."""

    name = "declare_verification"
    description = (
        "Before editing a project without known checks: declare the commands whose exit code 0 "
        "proves the work, and which kinds of files it changes. May be repeated until the first "
        "edit; the last one counts."
    )
    input_model: type[BaseModel] = ContractInput
    tier = 0
    phases = ALL_PHASES

    async def facts(self, args: ContractInput, deps: RunDeps) -> CallFacts:
        """Tier 0 if its commands only read or are the project's own; else it is asked about
        like the commands themselves."""
        each = await asyncio.to_thread(contract_facts, args, deps)
        harmless = all(facts.tier < 3 for facts in each)
        return CallFacts(
            tool=self.name,
            tier=0 if harmless else 3,
            reason="declares the commands that will prove the work; the engine will run them",
            mutates=False,
            parts=tuple(part for facts in each for part in facts.parts),
            grantable=harmless,
            preview=contract_preview(each),
            network=any(facts.network for facts in each),
            later=tuple(each),
        )

    async def run(self, args: ContractInput, deps: RunDeps) -> ToolResult:
        """The contract, for the engine to freeze at the first edit."""
        contract = contract_of(args)
        kinds = " and ".join(contract.change_kinds)
        return ToolResult(
            tool_name=self.name,
            success=True,
            content=f"declared for changes of {kinds}:\n{told(contract.checks)}",
            summary=f"declared {len(contract.checks)} check(s)",
            contract=contract,
        )
