"""Every tool by name, and which of them a goal is offered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agent_cockpit.tools.alter_verification import AlterVerification
from agent_cockpit.tools.declare_verification import DeclareVerification
from agent_cockpit.tools.delete_file import DeleteFile
from agent_cockpit.tools.list_files import ListFiles
from agent_cockpit.tools.protocol import Tool
from agent_cockpit.tools.read_file import ReadFile
from agent_cockpit.tools.run_command import RunCommand
from agent_cockpit.tools.run_linter import RunLinter
from agent_cockpit.tools.run_tests import RunTests
from agent_cockpit.tools.schema import input_schema
from agent_cockpit.tools.search_repo import SearchRepo
from agent_cockpit.tools.str_replace import StrReplace
from agent_cockpit.tools.switch_to_editing import SwitchToEditing
from agent_cockpit.tools.write_file import WriteFile

WHILE_PLANNING = frozenset({"read_file", "list_files", "search_repo", "run_command"})
"""A plan only reads; of commands, those that only read get past the plan gate."""


def all_tools() -> tuple[Tool, ...]:
    """A new set of the tools that there are, in the order in which a model is told of them."""
    return (
        ReadFile(),
        ListFiles(),
        SearchRepo(),
        StrReplace(),
        WriteFile(),
        DeleteFile(),
        RunTests(),
        RunLinter(),
        RunCommand(),
        DeclareVerification(),
        AlterVerification(),
        SwitchToEditing(),
    )


class Registry:
    """Tools by name; a later one of the same name takes the place of the earlier."""

    def __init__(self, tools: Iterable[Tool] | None = None) -> None:
        self._tools = {tool.name: tool for tool in (all_tools() if tools is None else tools)}

    def register(self, tool: Tool) -> None:
        """Add a tool, or put it in the place of the one that has its name."""
        self._tools[tool.name] = tool

    def get(self, name: str) -> Tool | None:
        """The tool of that name."""
        return self._tools.get(name)

    def admitted_for(self, phase: str, kind: str, *, plan: bool = False) -> tuple[Tool, ...]:
        """The tools that a goal of this kind is offered in this phase.

        Edits are offered from the start: to an edit goal they begin the editing, and an
        investigation may try something and take it back. What is offered is advice; consent
        is asked for call by call.
        """
        return tuple(tool for tool in self._tools.values() if _is_admitted(tool, phase, kind, plan))

    def input_schema(self, tool: Tool) -> dict[str, Any]:
        """JSON schema of the tool's input, as a model is told."""
        return input_schema(tool.input_model)


def _is_admitted(tool: Tool, phase: str, kind: str, plan: bool) -> bool:
    if plan:
        return tool.name in WHILE_PLANNING
    if tool.name == "switch_to_editing":
        return kind == "investigate"
    return phase in tool.phases or tool.tier == 1
