"""The calls of a sitting that was taken up again, as its consent counts them.

Law: what comes from here is counted and shown; nothing is allowed by it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from typing import Any

from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import ApprovalRequested, ApprovalResolved, ToolStart
from agent_cockpit.rules.consent.approval import SHELL_TOOLS, trust_key
from agent_cockpit.rules.consent.scopes import SeenCall
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.rules.shell.command_line import analyse

MOST_CALLS = 200
"""The newest of them; each command is read anew, which nobody should wait for."""


def recalled_calls(
    events: Iterable[Event], *, root: str, sensitive_globs: Collection[str]
) -> list[SeenCall]:
    """The calls that were asked about or let through by standing consent, oldest first."""
    asked: dict[str, ApprovalRequested | ToolStart] = {}
    let_through: set[str] = set()
    for event in events:
        match event:
            case ApprovalRequested(approval_id=call_id):
                asked[call_id] = event
            case ApprovalResolved(approval_id=call_id) if call_id not in asked:
                let_through.add(call_id)
            case ToolStart(call_id=call_id) if call_id in let_through:
                asked[call_id] = event
    return [
        SeenCall(
            event.task_id or "",
            trust_key(event.tool, event.input),
            _facts(event.tool, event.input, root, sensitive_globs),
        )
        for event in deque(asked.values(), maxlen=MOST_CALLS)
    ]


def _facts(
    tool: str, values: dict[str, Any], root: str, sensitive_globs: Collection[str]
) -> CallFacts:
    """As much of them as grants look at."""
    command = values.get("command")
    if tool not in SHELL_TOOLS or not isinstance(command, str):
        return CallFacts(tool=tool, tier=1, prefix=tool)
    found = analyse(command, root=root, sensitive_globs=sensitive_globs)
    return CallFacts(
        tool=tool,
        tier=found.tier,
        command=command,
        parts=found.parts,
        grantable=found.grantable,
        prefix=found.prefix,
    )
