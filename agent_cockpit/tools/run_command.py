"""`run_command`: one line for the shell."""

from __future__ import annotations

import asyncio

from pydantic import BaseModel, Field

from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.tools.command_call import command_facts, run_shell, short_command
from agent_cockpit.tools.facts import ALL_PHASES
from agent_cockpit.tools.protocol import RunDeps, ToolResult
from agent_cockpit.tools.schema import ToolInput


class RunCommandInput(ToolInput):
    """The line."""

    command: str = Field(description="A line for bash, run in the workspace.")


class RunCommand:
    """How far a line is trusted is read from its parts, never from its first word."""

    name = "run_command"
    description = (
        "Run a shell command in the workspace, without stdin. Gives its output and exit code. "
        "What it leaves in the background ends with it. A person may be asked first."
    )
    input_model: type[BaseModel] = RunCommandInput
    tier = 3
    phases = ALL_PHASES

    async def facts(self, args: RunCommandInput, deps: RunDeps) -> CallFacts:
        """What each part of the line would do."""
        return await asyncio.to_thread(command_facts, self.name, args.command, deps)

    async def run(self, args: RunCommandInput, deps: RunDeps) -> ToolResult:
        """Its output, head and tail, and its exit code."""
        name = f"`{short_command(args.command)}`"
        return await run_shell(self.name, args.command, deps, name=name)
