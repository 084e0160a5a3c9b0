"""What the engine needs from outside and what front ends bind to, as protocols met by shape."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from agent_cockpit.events.base import Event
from agent_cockpit.tools.protocol import Tool

if TYPE_CHECKING:
    from pathlib import Path

    from agent_cockpit.engine.baseline import SnapshotPort
    from agent_cockpit.engine.state import PlanDecision
    from agent_cockpit.engine.surroundings import Discovered, Surroundings
    from agent_cockpit.events.checks import CheckResult, PlannedCheck, VerifierResult
    from agent_cockpit.providers.protocol import Provider
    from agent_cockpit.rules.checks.verification import Claim
    from agent_cockpit.rules.consent.permission import ConsentPolicy
    from agent_cockpit.settings import HarnessConfig
    from agent_cockpit.workspace.cancellation import CancellationToken
    from agent_cockpit.workspace.workspace import Workspace

Decide = Callable[[str], "PlanDecision | Awaitable[PlanDecision | None] | None"]
"""Shown each proposed plan; returns the person's decision, None for leaving it."""


class SittingSource(Protocol):
    """The least that a cockpit can be put on: a live sitting, one goal's session wrapped, or
    a replayed journal."""

    def events(self) -> AsyncIterator[Event]:
        """All events from now on, in order, until the source is over; subscribed at the call."""
        ...

    async def resolve_approval(
        self,
        approval_id: str,
        *,
        allow: bool,
        remember: bool = False,
        reason: str = "",
        scope: str | None = None,
        edited: dict[str, Any] | None = None,
        kept: Sequence[int] | None = None,
    ) -> None:
        """Decide the pending call `approval_id`, of an edit only the `kept` hunks; a settled id
        does nothing."""
        ...

    async def cancel(self, reason: str = "cancelled") -> None:
        """Stop the running goal, if there is one."""
        ...


class ToolBox(Protocol):
    """The tools that there are; `tools.registry` behind a protocol."""

    def get(self, name: str) -> Tool | None:
        """The tool of that name."""
        ...

    def admitted_for(self, phase: str, kind: str, *, plan: bool = False) -> tuple[Tool, ...]:
        """The tools that a goal of this kind is offered in this phase."""
        ...

    def input_schema(self, tool: Tool) -> dict[str, Any]:
        """JSON schema of the tool's input, as a model is told."""
        ...


class CheckTrust(Protocol):
    """Whether a person allowed this folder's own checks to run (contracts 4)."""

    def is_trusted(self, commands: tuple[str, ...]) -> bool:
        """Whether all of them were allowed in this folder."""
        ...

    def trust(self, commands: tuple[str, ...]) -> None:
        """Remember that they were."""
        ...

    def listed(self) -> tuple[str, ...]:
        """All that are remembered for this folder."""
        ...

    def revoke(self, command: str) -> None:
        """Forget one; it is asked about again."""
        ...


class TrustAllChecks:
    """Without a person, starting the run was the consent."""

    def is_trusted(self, commands: tuple[str, ...]) -> bool:
        """Always."""
        return True

    def trust(self, commands: tuple[str, ...]) -> None:
        """Nothing to remember."""

    def listed(self) -> tuple[str, ...]:
        """None: nothing was asked."""
        return ()

    def revoke(self, command: str) -> None:
        """Nothing to forget."""


class ModeClassifier(Protocol):
    """Routes a prompt to edit, investigate or test_only; None when it cannot tell."""

    async def classify(self, prompt: str, *, history: list[str]) -> str | None: ...


class Planner(Protocol):
    """Proposes checks for a workspace."""

    async def propose(self) -> list[PlannedCheck]: ...


class Approver(Protocol):
    """One more veto, consulted for every call that nothing refused (contracts 4)."""

    async def decide(self, tool: str, tool_input: dict[str, Any]) -> str | None:
        """None allows (and skips no other question); a text refuses with that reason."""
        ...


class Harness(Protocol):
    """Settings and concrete parts behind a sitting; `agent_cockpit.harness` is ours."""

    config: HarnessConfig
    unattended: bool
    asks_edits: bool
    base_policy: ConsentPolicy
    check_trust: CheckTrust
    notices: tuple[str, ...]
    workspace: Workspace
    workspace_root: str
    sandbox_name: str
    """What holds commands, in one word; `none` when nothing does."""

    @property
    def snapshots(self) -> SnapshotPort:
        """The snapshots of the sitting."""
        ...

    def open_provider(self) -> Provider:
        """The voice that the settings name; `SettingsError` says what to set."""
        ...

    def open_classifier(self) -> ModeClassifier | None:
        """The router that the settings name, if any."""
        ...

    def discover(self, roots: tuple[Path, ...] = ()) -> Discovered:
        """The instructions and skills that there are now, `roots` included; blocks."""
        ...

    def look_around(
        self, prompt: str, *, must_be_clean: bool, roots: tuple[Path, ...] = ()
    ) -> Surroundings:
        """What there is before a goal; blocks, and touches nothing.

        Raises `DirtyWorkspaceError` where the tree had to be clean.
        """
        ...

    def branch(self) -> str:
        """The branch that the folder is on, a short commit id without one, empty outside a
        repository; cheap once it was asked for, never raises."""
        ...

    def verifier(self) -> VerifierPort:
        """What runs checks in this workspace."""
        ...

    def open_planner(self, documents: Mapping[str, str]) -> Planner | None:
        """What proposes checks from these documents, if the settings name a model for it."""
        ...

    def toolbox(self) -> ToolBox:
        """The tools of a goal, made anew."""
        ...


class AllowAll:
    """The default approver: no veto."""

    async def decide(self, tool: str, tool_input: dict[str, Any]) -> str | None:
        """Always None."""
        return None


class VerifierPort(Protocol):
    """Runs the checks of a claim and concludes."""

    async def verify(
        self,
        claim: Claim,
        *,
        cancellation: CancellationToken,
        started: Callable[[PlannedCheck], None],
        finished: Callable[[CheckResult], None],
        heard: Callable[[str], None],
    ) -> VerifierResult: ...

    async def floor(self, changed: Sequence[str], *, alone: bool) -> PlannedCheck | None: ...
