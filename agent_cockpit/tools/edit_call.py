"""What the three tools that edit files share: plan, show, and do exactly what was shown."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from agent_cockpit.errors import ToolRefused
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.text import head_and_tail
from agent_cockpit.tools.facts import asked_for_settings, every_call, never, wall
from agent_cockpit.tools.protocol import RunDeps, ToolResult
from agent_cockpit.workspace.editing.commit import commit_edit
from agent_cockpit.workspace.editing.edits import OutsideBoundary, PlannedEdit
from agent_cockpit.workspace.editing.edits_in_part import hunk_count, keep_hunks
from agent_cockpit.workspace.to_the_end import in_thread
from agent_cockpit.workspace.workspace import shown

DIFF_CHARACTERS = 4000
"""How much of its diff the model gets back; the person and the record get all of it."""


class EditCall(ABC):
    """One file is changed; a subclass says how, `doing` and `did` are what the person reads."""

    name: str
    doing: str
    did: str
    tier = 1
    phases = frozenset({"editing"})

    @abstractmethod
    def plan(self, args: Any, deps: RunDeps) -> PlannedEdit:
        """The edit that `args` ask for, of the file as it is now. Blocks."""

    @abstractmethod
    def done(self, edit: PlannedEdit) -> str:
        """What was done, for the model."""

    async def facts(self, args: Any, deps: RunDeps) -> CallFacts:
        """The diff, without writing anything."""
        place = wall(args.path, deps, write=True)
        if isinstance(place, ToolRefused):
            return never(self.name, self.tier, place, mutates=True)
        try:
            edit = await asyncio.to_thread(self.plan, args, deps)
        except OutsideBoundary as refused:
            return never(self.name, self.tier, refused, mutates=True)
        facts = CallFacts(
            tool=self.name,
            tier=self.tier,
            reason=f"{self.doing} {_extent(edit)}",
            reads=() if edit.before is None else (edit.relative,),
            writes=(edit.relative,),
            prefix=self.name,
            scope_words=every_call(self.name),
            preview=edit.diff,
            fingerprint=edit.fingerprint,
            hunks=hunk_count(edit),
        )
        return asked_for_settings(facts)

    async def run(self, args: Any, deps: RunDeps) -> ToolResult:
        """Do it, if it still is what was approved."""
        return await in_thread(lambda abandoned: self._run(args, deps, abandoned))

    def _run(self, args: Any, deps: RunDeps, abandoned: Callable[[], bool]) -> ToolResult:
        edit = self.plan(args, deps)
        if deps.approved_fingerprint not in ("", edit.fingerprint):
            raise ToolRefused(
                f"`{shown(edit.relative)}` changed since it was shown; "
                "read it again and repeat the edit"
            )
        if deps.kept_hunks is not None:
            edit = keep_hunks(edit, deps.kept_hunks)
        if not commit_edit(edit, cancelled=lambda: abandoned() or deps.cancellation.cancelled):
            return ToolResult(
                tool_name=self.name,
                success=False,
                summary=f"{shown(edit.relative)} was not changed: cancelled",
                error="cancelled before anything was written",
                cancelled=True,
            )
        done = self._done(edit, deps.kept_hunks)
        return ToolResult(
            tool_name=self.name,
            success=True,
            content=f"{done}\n{head_and_tail(edit.diff, DIFF_CHARACTERS)}".rstrip(),
            summary=f"{self.did} {_extent(edit)}",
            files_changed=(edit.relative,),
            diff=edit.diff,
            line_shifts=tuple((shift.line, shift.delta) for shift in edit.shifts),
        )

    def _done(self, edit: PlannedEdit, kept: tuple[int, ...] | None) -> str:
        return self.done(edit) if kept is None else f"changed {shown(edit.relative)} in part"


def _extent(edit: PlannedEdit) -> str:
    return f"{shown(edit.relative)} (+{edit.added} -{edit.removed})"
