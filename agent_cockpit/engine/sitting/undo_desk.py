"""`/undo` and `/redo`: the file changes of a goal taken back, and made again.

Laws: only the files that the goal changed are touched, and of them only those that nobody changed
since; a snapshot comes first; the model is told; nothing moves while a goal runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from agent_cockpit.engine.baseline import SnapshotPort, SnapshotRef
from agent_cockpit.engine.goals.measuring import path_change
from agent_cockpit.engine.sitting.goal_desk import GoalDesk
from agent_cockpit.engine.state import MetaResult
from agent_cockpit.errors import SnapshotFailed, WorkspaceError
from agent_cockpit.events.changes import ChangesMoved, LeftPath, PathChange
from agent_cockpit.events.messages import Message
from agent_cockpit.rules.undoing import (
    Step,
    of_paths,
    reversed_change,
    told_to_model,
)
from agent_cockpit.text import clean_line, shorten
from agent_cockpit.transcript.changes import moved_words
from agent_cockpit.workspace.cancellation import never
from agent_cockpit.workspace.to_the_end import to_the_end

Way = Literal["before", "after"]
_COMMANDS: dict[Way, str] = {"before": "/undo", "after": "/redo"}


@dataclass(frozen=True, slots=True)
class _Move:
    """One step on its way to the other side."""

    step: Step
    to: Way
    begins: tuple[str, ...]
    """The snapshots that the goals began with, oldest first, its own among them."""

    def carry_out(self, snapshots: SnapshotPort) -> ChangesMoved:
        """Keep what is there, move the files, and say what came of it; blocks."""
        step = self.step
        before, after = snapshots.recall(step.before), snapshots.recall(step.after)
        now, to = (after, before) if self.to == "before" else (before, after)
        kept = snapshots.take(f"before {_COMMANDS[self.to]}", cancelled=never)
        paths = {change.path for change in step.files}
        moved, left = snapshots.move(now, to, paths)
        made = of_paths(step.files, moved)
        is_undo = self.to == "before"
        return ChangesMoved(
            task_id=step.task_id,
            to=self.to,
            goal=step.goal,
            files=[reversed_change(each) for each in made] if is_undo else made,
            left=[
                *(LeftPath(path=path, why=why) for path, why in left.items()),
                *(step.left if is_undo else ()),
            ],
            unseen=list(step.unseen) if is_undo else [],
            kept=kept.ref,
            since_start=self._since_start(snapshots, moved),
        )

    def _since_start(self, snapshots: SnapshotPort, moved: Collection[str]) -> list[PathChange]:
        """How the moved files differ from where the sitting began; they are moved already, so
        what cannot be told is left out."""
        try:
            first = _oldest(snapshots, self.begins)
            changed = snapshots.changed_paths(first) if first is not None else ()
        except (WorkspaceError, OSError):
            return []
        return of_paths(map(path_change, changed), moved)


class UndoDesk(GoalDesk):
    """Moves the changes of one goal at a time, the newest first."""

    _passed: frozenset[tuple[str, Way]] = frozenset()
    """Goals with nothing to be moved, which was said: the next command means the one before."""

    @property
    def is_at_work(self) -> bool:
        """Whether something runs that files must not be moved under."""
        return self.execution.is_active

    def undo(self) -> MetaResult:
        """Take back the file changes of the newest goal that changed any and still stands.

        Content, kind and permissions of exactly the files that its edits and commands changed
        become as they were when it began; a file that somebody changed since stays and is named.
        Told in the sitting's events (`sitting.changes_moved`), to the model and in the result
        (kind `told`); `message` says why nothing was done, as while a goal runs. Blocks.
        """
        return self._move_blocking("before")

    def redo(self) -> MetaResult:
        """Make again what `undo` took back last, in the same way; until a goal changes files."""
        return self._move_blocking("after")

    async def aundo(self) -> MetaResult:
        """As `undo`, off the event loop while it waits."""
        return await self._move("before")

    async def aredo(self) -> MetaResult:
        """As `redo`, off the event loop while it waits."""
        return await self._move("after")

    def _move_blocking(self, to: Way) -> MetaResult:
        if not self.is_at_work:
            self._settle_cut_work()
        move = self._next(to)
        if isinstance(move, MetaResult):
            return move
        try:
            event = move.carry_out(self.harness.snapshots)
        except (WorkspaceError, OSError) as error:
            return MetaResult("message", _cannot(move, str(error)))
        return self._moved(move, event)

    async def _move(self, to: Way) -> MetaResult:
        if not self.is_at_work:
            await self._asettle_cut_work()
        move = self._next(to)
        if isinstance(move, MetaResult):
            return move
        self._execution.begin_turn()
        work = self._carry_out(move, was_cancelled=self._token.cancelled)
        return await to_the_end(work, give_up=lambda: None)

    async def _carry_out(self, move: _Move, *, was_cancelled: bool) -> MetaResult:
        """With the turn held, so that no goal begins meanwhile; what is sent is given back. The
        next goal's cancel token stays, unless it was cancelled meanwhile, which meant this."""
        try:
            event = await asyncio.to_thread(move.carry_out, self.harness.snapshots)
        except (WorkspaceError, OSError) as error:
            return MetaResult("message", _cannot(move, str(error)))
        finally:
            self._execution.take(self.execution.abort())
            if self._token.cancelled and not was_cancelled:
                self._goal_ended()
            self._give_back()
        return self._moved(move, event)

    def _next(self, to: Way) -> _Move | MetaResult:
        """What is to be moved, or why nothing is."""
        if self.is_at_work:
            text = f"not now: {_COMMANDS[to]} works while no goal and no check runs"
            return MetaResult("message", text)
        self._refuse_when_closed()
        step = next(iter(self._steps_ahead(to)), None)
        if step is None:
            return MetaResult("message", _NONE[to])
        steps = (*self._changes.standing, *reversed(self._changes.undone))
        move = _Move(step, to, tuple(each.before for each in steps if each.before))
        return move if step.files else self._passes(move, step.problem or _named(step.left))

    def _moved(self, move: _Move, event: ChangesMoved) -> MetaResult:
        """Record it and tell it, to the person and to the model; or why nothing moved."""
        if not event.files:
            return self._passes(move, _named(event.left) or "its files are so already")
        self._changes = self._changes.moved(event)
        self._publish(event)
        self.conversation.append(Message.of("user", told_to_model(event)))
        return MetaResult("told", moved_words(event))

    def _passes(self, move: _Move, why: str) -> MetaResult:
        """Say why a step stays, and let the next command mean the one before."""
        self._passed |= {(move.step.task_id, move.to)}
        is_last = not self._steps_ahead(move.to)
        on = "" if is_last else f"; {_COMMANDS[move.to]} again means the goal before it"
        return MetaResult("message", f"{_cannot(move, why)}{on}")

    def _steps_ahead(self, to: Way) -> list[Step]:
        """What the command means, the newest first."""
        steps = self._changes.standing if to == "before" else self._changes.undone
        return [each for each in reversed(steps) if (each.task_id, to) not in self._passed]


def _oldest(snapshots: SnapshotPort, refs: Iterable[str]) -> SnapshotRef | None:
    """The first of these that is still kept."""
    for ref in refs:
        with suppress(SnapshotFailed):
            return snapshots.recall(ref)
    return None


def _cannot(move: _Move, why: str) -> str:
    goal = shorten(clean_line(move.step.goal), 60)
    what = "taken back" if move.to == "before" else "made again"
    return f'nothing of "{goal}" was {what}: {clean_line(why)}'


def _named(left: Sequence[LeftPath]) -> str:
    named = [f"{each.path} ({each.why})" for each in left[:_NAMED]]
    more = [f"{len(left) - _NAMED} more"] if len(left) > _NAMED else []
    return ", ".join([*named, *more])


_NAMED = 5
_NONE: dict[Way, str] = {
    "before": "there is no goal whose file changes could be taken back",
    "after": "there is nothing to make again",
}
