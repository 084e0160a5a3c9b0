"""`run_command`: one line for the shell."""

from __future__ import annotations

import asyncio

from pydantic import BaseModel, Field

from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.tools.command_call import judged_command, run_shell, short_command
from agent_cockpit.tools.command_limits import More
from agent_cockpit.tools.facts import ALL_PHASES
from agent_cockpit.tools.protocol import RunDeps, ToolResult
from agent_cockpit.tools.schema import ToolInput
from agent_cockpit.workspace.sandbox.protocol import Limits


class RunCommandInput(ToolInput):
    """The line."""

    command: str = Field(description="A line for bash, run in the workspace.")
    network: bool = Field(
        default=False,
        description="Ask for network where the command's words do not show that it needs it.",
    )
    write_outside: bool = Field(
        default=False,
        description="Ask to write anywhere outside the workspace, not only where the line says.",
    )


class RunCommand:
    """How far a line is trusted is read from its parts, never from its first word."""

    name = "run_command"
    description = (
        "Run a shell command in the workspace, without stdin. Gives its output and exit code. "
        "What it leaves in the background ends with it. Where there is a sandbox it writes in "
        "the workspace and $TMPDIR only, and has no network; a person is asked for more."
    )
    input_model: type[BaseModel] = RunCommandInput
    tier = 3
    phases = ALL_PHASES

    async def facts(self, args: RunCommandInput, deps: RunDeps) -> CallFacts:
        """What each part of the line would do."""
        return (await self._judged(args, deps))[0]

    async def run(self, args: RunCommandInput, deps: RunDeps) -> ToolResult:
        """Its output, head and tail, and its exit code."""
        name = f"`{short_command(args.command)}`"
        _, limits = await self._judged(args, deps)
        return await run_shell(self.name, args.command, deps, name=name, limits=limits)

    async def _judged(self, args: RunCommandInput, deps: RunDeps) -> tuple[CallFacts, Limits]:
        more = More(network=args.network, outside=args.write_outside)
        return await asyncio.to_thread(judged_command, self.name, args.command, deps, more=more)
