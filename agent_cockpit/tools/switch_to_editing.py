"""`switch_to_editing`: an investigation that found something to change asks to change it."""

from __future__ import annotations

from pydantic import BaseModel, Field

from agent_cockpit.errors import ToolRefused
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.tools.facts import ALL_PHASES
from agent_cockpit.tools.protocol import RunDeps, ToolResult
from agent_cockpit.tools.schema import ToolInput
from agent_cockpit.workspace.workspace import shown


class SwitchToEditingInput(ToolInput):
    """Why."""

    reason: str = Field(description="What should be changed and why, for the person.")


class SwitchToEditing:
    """One way, once a goal, and only as a person decides."""

    name = "switch_to_editing"
    description = (
        "Ask to turn this investigation into an editing goal, when the person's words call for a "
        "change that lasts. A person decides."
    )
    input_model: type[BaseModel] = SwitchToEditingInput
    tier = 3
    phases = ALL_PHASES

    async def facts(self, args: SwitchToEditingInput, deps: RunDeps) -> CallFacts:
        """Asked every time."""
        if not args.reason.strip():
            raise ToolRefused("the reason is empty; say what should be changed and why")
        return CallFacts(
            tool=self.name,
            tier=3,
            reason=f"turns this investigation into an edit: {shown(args.reason)}",
            grantable=False,
        )

    async def run(self, args: SwitchToEditingInput, deps: RunDeps) -> ToolResult:
        """Tell the engine to escalate."""
        return ToolResult(
            tool_name=self.name,
            success=True,
            content="this goal may edit now; its checks decide when it is done",
            summary="switched to editing",
            escalate=True,
        )
