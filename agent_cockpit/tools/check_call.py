"""What `run_tests` and `run_linter` share: the project's own command, found and run."""

from __future__ import annotations

from typing import Literal

from agent_cockpit.errors import ToolRefused
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.tools.command_call import short_command
from agent_cockpit.tools.command_limits import command_fingerprint
from agent_cockpit.tools.facts import every_call
from agent_cockpit.tools.protocol import RunDeps
from agent_cockpit.workspace.project.check_files import present_python
from agent_cockpit.workspace.sandbox.protocol import OF_A_CHECK


def check_command(kind: Literal["test", "lint"], deps: RunDeps) -> str:
    """The configured command, else the first frozen check of this kind; else `ToolRefused`."""
    config = deps.config
    configured = config.test_command if kind == "test" else config.lint_command
    if configured.strip():
        return present_python(configured.strip())
    for check in deps.frozen_checks or ():
        if check.kind == kind:
            return check.command
    raise ToolRefused(
        f"this project has no known {kind} command (setting {kind}_command, environment "
        f"AGENT_COCKPIT_{kind.upper()}_COMMAND); propose one with run_command"
    )


def check_facts(tool: str, command: str, what: str, deps: RunDeps) -> CallFacts:
    """The facts of running a project's own check: its code runs, whatever that does."""
    return CallFacts(
        tool=tool,
        tier=2,
        reason=f"runs the project's {what}: `{short_command(command)}`",
        command=command,
        prefix=tool,
        scope_words=every_call(tool),
        fingerprint=command_fingerprint(command, OF_A_CHECK),
        confinement=deps.workspace.sandbox.describe(OF_A_CHECK),
    )
