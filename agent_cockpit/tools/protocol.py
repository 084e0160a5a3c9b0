"""What a tool is, and what it is given; the engine knows tools by this file alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from pydantic import BaseModel

from agent_cockpit.events.checks import PlannedCheck
from agent_cockpit.rules.consent.edit_boundary import EditBoundary
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.settings import HarnessConfig
from agent_cockpit.workspace.cancellation import CancellationToken
from agent_cockpit.workspace.child_output import unheard
from agent_cockpit.workspace.workspace import Workspace


@dataclass(slots=True, kw_only=True)
class RunDeps:
    """What a call may use; made by the runner, one a call.

    `boundaries` maps absolute paths to the lines that may be edited. `frozen_checks` is the
    frozen plan, None before the freeze. `heard` takes pieces of live output; it is called
    on the event loop. `approved_fingerprint` is that of the facts that were allowed; an edit
    that would now come to something else is refused ("": nothing to compare with).
    `kept_hunks` are the hunks of its diff that were allowed, counted from 0; None: all.
    """

    workspace: Workspace
    config: HarnessConfig
    cancellation: CancellationToken = field(default_factory=CancellationToken)
    frozen_checks: tuple[PlannedCheck, ...] | None = None
    boundaries: dict[str, EditBoundary] = field(default_factory=dict)
    heard: Callable[[str], None] = unheard
    approved_fingerprint: str = ""
    kept_hunks: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredContract:
    """What the model promises to be checked by; buffered until the engine freezes it."""

    checks: tuple[PlannedCheck, ...]
    change_kinds: tuple[str, ...]
    rationale: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a call came to. Never an exception: a failure is a result that the model reads.

    `content` is for the model (head and tail of long output), `summary` one line for the
    person, `error` the reason of a failure. `files_read`, `files_seen` (in part, as by a
    search) and `files_changed` are paths relative to the workspace; `diff` is what an edit
    changed, `line_shifts` how it moved lines of the file: (line from 0, how many lines
    longer), as they were applied.
    """

    tool_name: str
    success: bool
    content: str = ""
    summary: str = ""
    error: str | None = None
    files_read: tuple[str, ...] = ()
    files_seen: tuple[str, ...] = ()
    files_changed: tuple[str, ...] = ()
    diff: str = ""
    line_shifts: tuple[tuple[int, int], ...] = ()
    exit_code: int | None = None
    cancelled: bool = False
    contract: DeclaredContract | None = None
    escalate: bool = False
    terminate: bool = False


class Tool(Protocol):
    """One tool: a name, a schema, a static tier, facts, and the doing.

    `facts` touches nothing that it does not have to read; `run` may assume that permission
    was given for exactly these facts. Both may raise `ToolRefused` (its text goes to the
    model); anything else that they raise becomes a failed result too.
    """

    name: str
    description: str
    input_model: type[BaseModel]
    tier: int
    phases: frozenset[str]

    async def facts(self, args: Any, deps: RunDeps) -> CallFacts:
        """What the call would do, without doing it."""
        ...

    async def run(self, args: Any, deps: RunDeps) -> ToolResult:
        """Do it."""
        ...
