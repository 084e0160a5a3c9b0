"""`run_linter`: the project's own linter."""

from __future__ import annotations

from dataclasses import replace

from pydantic import BaseModel

from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.tools.check_call import check_command, check_facts
from agent_cockpit.tools.command_call import run_shell, short_command
from agent_cockpit.tools.facts import ALL_PHASES
from agent_cockpit.tools.protocol import RunDeps, ToolResult
from agent_cockpit.tools.schema import ToolInput


class RunLinterInput(ToolInput):
    """Nothing to choose."""


class RunLinter:
    """Only the command that the settings or the project name."""

    name = "run_linter"
    description = "Run the project's linter and give its output and exit code."
    input_model: type[BaseModel] = RunLinterInput
    tier = 2
    phases = ALL_PHASES

    async def facts(self, args: RunLinterInput, deps: RunDeps) -> CallFacts:
        """It runs the project's linter, with the project's settings."""
        return check_facts(self.name, check_command("lint", deps), "linter", deps)

    async def run(self, args: RunLinterInput, deps: RunDeps) -> ToolResult:
        """The output, head and tail, and the exit code."""
        command = check_command("lint", deps)
        result = await run_shell(self.name, command, deps, name="linter")
        return replace(result, content=f"$ {short_command(command)}\n{result.content}")
