"""What one goal is given to work with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from agent_cockpit.engine.baseline import Baseline
from agent_cockpit.engine.model.conversation import Conversation
from agent_cockpit.engine.ports import (
    AllowAll,
    Approver,
    CheckTrust,
    Planner,
    ToolBox,
    TrustAllChecks,
    VerifierPort,
)
from agent_cockpit.events.changes import ChangesKept
from agent_cockpit.events.checks import PlannedCheck
from agent_cockpit.events.messages import Message
from agent_cockpit.providers.protocol import Provider
from agent_cockpit.rules.consent.permission import ConsentPolicy
from agent_cockpit.rules.model.skills import Skill
from agent_cockpit.settings import HarnessConfig
from agent_cockpit.workspace.workspace import Workspace


async def _no_sync() -> None:
    return None


@dataclass(frozen=True, kw_only=True)
class Workbench:
    """The parts of one goal; `opening` is its first message, `refused` the sitting's recent
    refusals, `sync` waits until the record is on the disk."""

    config: HarnessConfig
    provider: Provider
    workspace: Workspace
    toolbox: ToolBox
    verifier: VerifierPort
    baseline: Baseline
    conversation: Conversation
    opening: Message
    found: Baseline | None = None
    """The tree as this goal finds it, where `baseline` is that of a goal it goes on with."""
    changes_kept: Callable[[ChangesKept], object] = lambda _: None
    """Told what the goal changed that can be taken back."""
    checks: tuple[PlannedCheck, ...] = ()
    had_tests: bool = False
    skills: tuple[Skill, ...] = ()
    planner: Planner | None = None
    conversational: bool = True
    unattended: bool = False
    policy: Callable[[], ConsentPolicy] = ConsentPolicy
    check_trust: CheckTrust = field(default_factory=TrustAllChecks)
    approver: Approver = field(default_factory=AllowAll)
    refused: list[str] = field(default_factory=list)
    sync: Callable[[], Awaitable[None]] = _no_sync
