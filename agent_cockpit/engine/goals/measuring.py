"""What a goal changed in the tree, measured at its end and kept so that it can be taken back.

Law: how the goal ended stays as it is, whatever cannot be measured.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from agent_cockpit.engine.baseline import ChangedFile, SnapshotPort, Span
from agent_cockpit.engine.goals.goal import CHECK_TOOLS, Goal
from agent_cockpit.engine.record.recalled_changes import CutWork
from agent_cockpit.errors import WorkspaceError
from agent_cockpit.events.changes import ChangesKept, LeftPath, PathChange, TreeKept
from agent_cockpit.events.sitting import Notice
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.rules.undoing import Differing, Whose, Work, whose
from agent_cockpit.workspace.cancellation import never
from agent_cockpit.workspace.time_machine.file_facts import changed_at_ns

_LEFT: dict[Whose, str] = {
    "both": "changed by somebody else too while the goal ran",
    "others": "changed while the goal ran, by none of its edits or commands",
}

_AFTER_THE_CUT = "changed after the record broke off, by the command that ran or by somebody else"


async def about_to_change(goal: Goal, facts: CallFacts) -> None:
    """Wait for the goal's first snapshot and see what somebody else changed before this call."""
    before = await goal.found.ref()
    if before and not goal.is_tree_told:
        goal.is_tree_told = True
        goal.publish(TreeKept(task_id=goal.state.task_id, before=before))
    if facts.command is None:
        _see_others_work(goal, facts.writes)
    elif before:
        await see_others_work(goal)


async def see_others_work(goal: Goal) -> None:
    """Note which files somebody else has changed since the last snapshot: before a command, which
    may change any of them, and before another snapshot is the last one."""
    try:
        touched = await goal.found.touched()
    except WorkspaceError:  # the measure at the goal's end fails too then, and says so
        return
    await asyncio.to_thread(_see_others_work, goal, touched)


def _see_others_work(goal: Goal, paths: Collection[str]) -> None:
    began_ns = goal.found.begun_ns
    for path in paths:
        at_ns = changed_at_ns(goal.workspace.root / path)
        if at_ns is not None and at_ns > began_ns and not any(w.covers(at_ns) for w in goal.work):
            goal.foreign.add(path)


def did_change(goal: Goal, facts: CallFacts, began_ns: int) -> None:
    """A call has just ended. Checks are not counted: they take long, and a person who edits
    meanwhile must not lose that to an undo."""
    if facts.mutates and facts.tool not in CHECK_TOOLS:
        writes = None if facts.command is not None else frozenset(facts.writes)
        goal.work.append(Work(began_ns, time.time_ns(), writes))


async def keep_changes(goal: Goal, kept: Callable[[ChangesKept], object]) -> None:
    """Bring what differs from the goal's start into its record, and say what of it can be taken
    back, to the sitting too."""
    state = goal.state
    unseen: list[str] = []
    try:
        span = await goal.found.span()
        commands = [each for each in goal.work if each.writes is None]
        if span is not None and commands:
            unseen = await goal.found.unseen(span, lambda at: any(w.covers(at) for w in commands))
        if goal.found is goal.baseline:
            changed = {change.path for change in span.changed} if span else set()
        else:
            changed = set((await goal.baseline.changes())[1])
        state.files_modified |= changed
    except WorkspaceError as error:
        text = f"What this goal changed could not be measured: {error}"
        goal.publish(Notice(task_id=state.task_id, level="warning", text=text))
        span, problem = None, str(error)
    else:
        problem = goal.found.failure or "" if span is None else ""
    event = _event(goal, span, problem).model_copy(update={"unseen": unseen})
    if event.files or event.problem or any(each.why == _LEFT["both"] for each in event.left):
        goal.publish(event)
        kept(event)


def _event(goal: Goal, span: Span | None, problem: str) -> ChangesKept:
    state = goal.state
    if span is None:
        return ChangesKept(task_id=state.task_id, goal=state.goal, problem=problem)
    files, left = sort_out(
        goal.workspace.root,
        (*span.changed, *span.folders),
        goal.work,
        began_ns=goal.found.begun_ns,
        foreign=goal.foreign,
    )
    return ChangesKept(
        task_id=state.task_id,
        goal=state.goal,
        before=span.before.ref,
        after=span.after.ref,
        files=files,
        left=left,
    )


def keep_cut_changes(snapshots: SnapshotPort, root: Path, cut: CutWork) -> ChangesKept | None:
    """What a goal changed whose process ended before it did, as the tree tells it now; None when
    nothing. Blocks."""
    told = ChangesKept(task_id=cut.task_id, goal=cut.goal)
    try:
        before = snapshots.recall(cut.before)
        now = snapshots.take("after an interruption", cancelled=never)
        changed = (*snapshots.changed_paths(before, now), *snapshots.changed_folders(before, now))
    except (WorkspaceError, OSError) as error:
        return told.model_copy(update={"problem": str(error)})
    files, left = sort_out(root, changed, cut.work, began_ns=cut.began_ns, foreign=set())
    if cut.in_a_command:
        left = [LeftPath(path=each.path, why=_AFTER_THE_CUT) for each in left]
    span = {"before": before.ref, "after": now.ref, "files": files, "left": left}
    return told.model_copy(update=span) if files or (left and cut.in_a_command) else None


def sort_out(
    root: Path,
    changed: Sequence[ChangedFile],
    work: Sequence[Work],
    *,
    began_ns: int,
    foreign: set[str],
) -> tuple[list[PathChange], list[LeftPath]]:
    """The goal's own changes, and the files that are left as they are; looks at the disk."""
    files: list[PathChange] = []
    left: list[LeftPath] = []
    for change in changed:
        differing = Differing(
            change.path, changed_at_ns(root / change.path), _folders_ns(root, change.path)
        )
        who = whose(differing, work, began_ns=began_ns, foreign=foreign)
        if who == "goal":
            files.append(path_change(change))
        else:
            left.append(LeftPath(path=change.path, why=_LEFT[who]))
    return files, left


def path_change(change: ChangedFile) -> PathChange:
    """A difference as events tell it."""
    return PathChange(
        path=change.path, status=change.status, added=change.added, removed=change.removed
    )


def _folders_ns(root: Path, path: str) -> tuple[int, ...]:
    folders = [root / parent for parent in Path(path).parents if str(parent) != "."]
    times = (changed_at_ns(folder) for folder in folders)
    return tuple(at_ns for at_ns in times if at_ns is not None)
