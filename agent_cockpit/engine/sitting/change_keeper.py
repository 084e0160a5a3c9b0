"""What the goals of a sitting changed, kept for `/undo`; of one that an earlier process was
interrupted in, measured before anything else is changed."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from agent_cockpit.engine.goals.measuring import keep_cut_changes
from agent_cockpit.engine.record.recalled_changes import CutWork
from agent_cockpit.engine.sitting.mode_desk import ModeDesk
from agent_cockpit.events.changes import ChangesKept


class ChangeKeeper(ModeDesk):
    """Takes in what each goal changed."""

    def _changes_kept(self, event: ChangesKept) -> None:
        self._changes = self._changes.kept(event)

    def _settle_cut_work(self) -> None:
        """Bring the changes of the interrupted goal into the record; blocks."""
        if (cut := self._take_cut_work()) is not None:
            self._settled(self._measured(cut))

    async def _asettle_cut_work(self) -> None:
        """As `_settle_cut_work`, off the event loop."""
        if (cut := self._take_cut_work()) is not None:
            self._settled(await asyncio.to_thread(self._measured, cut))

    def _take_cut_work(self) -> CutWork | None:
        cut, self.past = self.past.cut_work, replace(self.past, cut_work=None)
        return cut

    def _measured(self, cut: CutWork) -> ChangesKept | None:
        return keep_cut_changes(self.harness.snapshots, Path(self.state.workspace_root), cut)

    def _settled(self, event: ChangesKept | None) -> None:
        if event is not None:
            self._publish(event)
            self._changes_kept(event)
