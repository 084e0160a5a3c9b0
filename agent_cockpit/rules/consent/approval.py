"""What a person may be asked about a call, and what a "trust this" of theirs covers.

Law: trust in a command covers exactly that text; one more space is another command.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

TrustScope = Literal["session", "turn"]
"""`turn` ends with the goal's run, `session` with the sitting."""

ApprovalDecision = Literal["approve", "approve_session", "approve_turn", "reject"]

SHELL_TOOLS = frozenset({"run_command", "shell"})
MCP_TOOLS = frozenset({"call_mcp_tool", "list_mcp_tools"})


@dataclass(frozen=True, slots=True)
class ToolApproval:
    """One call that needs an approval: the record, and the event that announces it.

    `tool_call_id` is our own id of the call and serves as the approval's id; `preview`
    is what the person is shown of it.
    """

    tool_call_id: str
    name: str
    args: Mapping[str, Any] = field(default_factory=dict)
    preview: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "args", MappingProxyType(dict(self.args)))

    @property
    def trust_key(self) -> str:
        """What trusting this call would be remembered under."""
        return trust_key(self.name, self.args)


def trust_key(name: str, args: Mapping[str, Any]) -> str:
    """The most exact name that trust in this call goes by.

    A shell call gives `tool:command` with the text as it is, an MCP call (and a shell call
    without a command) `tool:digest` of all its arguments in any order; every other tool is
    trusted as a whole, by its bare name.
    """
    if name in SHELL_TOOLS:
        command = args.get("command")
        return f"{name}:{command if isinstance(command, str) else _digest(args)}"
    if name in MCP_TOOLS or name.startswith("mcp_"):
        return f"{name}:{_digest(args)}"
    return name


def _digest(args: Mapping[str, Any]) -> str:
    canonical = json.dumps(dict(args), sort_keys=True, separators=(",", ":"), default=repr)
    return hashlib.sha256(canonical.encode()).hexdigest()
