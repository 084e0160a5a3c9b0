"""`run_tests`: the project's own tests."""

from __future__ import annotations

import shlex
from dataclasses import replace

from pydantic import BaseModel, Field

from agent_cockpit.errors import ToolRefused
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.rules.shell.real_program import program_of
from agent_cockpit.tools.check_call import check_command, check_facts
from agent_cockpit.tools.command_call import run_shell, short_command
from agent_cockpit.tools.facts import ALL_PHASES
from agent_cockpit.tools.protocol import RunDeps, ToolResult
from agent_cockpit.tools.schema import ToolInput
from agent_cockpit.workspace.workspace import shown

NO_SUCH_TARGET = 4
"""pytest's exit code for a target that it cannot find."""


class RunTestsInput(ToolInput):
    """All tests, or some."""

    target: str | None = Field(
        default=None, description="With pytest: files or `file.py::test_name`; empty: all tests."
    )


class RunTests:
    """A target is appended for pytest alone: other programs read such words differently."""

    name = "run_tests"
    description = "Run the project's tests and give their output and exit code."
    input_model: type[BaseModel] = RunTestsInput
    tier = 2
    phases = ALL_PHASES

    async def facts(self, args: RunTestsInput, deps: RunDeps) -> CallFacts:
        """It runs the project's code."""
        return check_facts(self.name, _command(args, deps), "tests", deps)

    async def run(self, args: RunTestsInput, deps: RunDeps) -> ToolResult:
        """The output, head and tail, and the exit code."""
        command = _command(args, deps)
        result = await run_shell(self.name, command, deps, name="tests")
        if args.target and result.exit_code == NO_SUCH_TARGET:
            error = f"the target `{shown(args.target)}` was not found; its output:"
            return replace(result, success=False, error=error)
        return replace(result, content=f"$ {short_command(command)}\n{result.content}")


def _command(args: RunTestsInput, deps: RunDeps) -> str:
    command = check_command("test", deps)
    if not args.target or not args.target.strip():
        return command
    if program_of(_words(command)) != "pytest":
        raise ToolRefused(
            f"a target works with pytest only, and the tests run by `{short_command(command)}`; "
            "run all of them, or a part with run_command"
        )
    targets = _words(args.target)
    for target in targets:
        if target.startswith("-"):
            raise ToolRefused(
                f"`{shown(target)}` is an option, not a target; use run_command for options"
            )
        deps.workspace.locate(target.partition("::")[0])
    return f"{command} {shlex.join(targets)}"


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        raise ToolRefused(f"unbalanced quotes in `{shown(text)}`") from None
