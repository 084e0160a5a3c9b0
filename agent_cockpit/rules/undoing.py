"""What a goal changed of the tree, told from what others changed; which goal `/undo` and `/redo`
mean.

Law: what cannot be told to be the goal's own work is somebody else's, and stays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from agent_cockpit.events.changes import ChangesKept, ChangesMoved, LeftPath, PathChange

SLACK_NS = 50_000_000
"""A file's time comes from a coarser clock, which may lag behind."""

Whose = Literal["goal", "both", "others"]


@dataclass(frozen=True, slots=True)
class Work:
    """A call of the goal and the time in which it ran, in ns; `writes` are the files that an edit
    names, None of a command, which may write any."""

    began_ns: int
    ended_ns: int
    writes: frozenset[str] | None = None

    def covers(self, at_ns: int) -> bool:
        """Whether something that changed then may have been changed by it."""
        return self.began_ns - SLACK_NS <= at_ns <= self.ended_ns + SLACK_NS


@dataclass(frozen=True, slots=True)
class Differing:
    """A file that differs at the goal's end: when it changed last, None where it is gone, and
    when each folder above it did, the nearest first."""

    path: str
    changed_ns: int | None
    folders_ns: tuple[int, ...] = ()


def whose(
    differing: Differing, work: Sequence[Work], *, began_ns: int, foreign: Collection[str] = ()
) -> Whose:
    """Who changed a file since the goal began; `foreign` are files that somebody else had
    changed in that time when a call of the goal began.

    A file that is gone keeps no time; to bring it back takes nothing from anybody, so it is a
    command's doing where there was one. A file that is older than the goal came with a folder
    that was moved.
    """
    path, at_ns = differing.path, differing.changed_ns
    named = any(path in (each.writes or ()) for each in work)
    commands = [each for each in work if each.writes is None]
    if at_ns is None:
        is_own = named or bool(commands)
    elif at_ns < began_ns:
        is_own = any(each.covers(at) for each in commands for at in differing.folders_ns)
    else:
        own = (each for each in work if each.writes is None or path in each.writes)
        is_own = any(each.covers(at_ns) for each in own)
    if is_own:
        return "both" if path in foreign else "goal"
    return "both" if named else "others"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What one goal changed: the two snapshots, and the files that can be taken back. `problem`
    says why none can, `left` which stay because they are not the goal's alone, `unseen` what no
    snapshot holds."""

    task_id: str
    goal: str
    before: str = ""
    after: str = ""
    files: tuple[PathChange, ...] = ()
    left: tuple[LeftPath, ...] = ()
    unseen: tuple[str, ...] = ()
    problem: str = ""

    @classmethod
    def of(cls, event: ChangesKept) -> Step:
        """The step that a goal's end tells of."""
        return cls(
            task_id=event.task_id or "",
            goal=event.goal,
            before=event.before,
            after=event.after,
            files=tuple(event.files),
            left=tuple(event.left),
            unseen=tuple(event.unseen),
            problem=event.problem,
        )


@dataclass(frozen=True, slots=True)
class ChangeHistory:
    """The steps that stand, oldest first, and those that were taken back, the newest last."""

    standing: tuple[Step, ...] = ()
    undone: tuple[Step, ...] = ()

    def kept(self, event: ChangesKept) -> ChangeHistory:
        """After one more goal: what it built on cannot be made again any more."""
        return ChangeHistory((*self.standing, Step.of(event)))

    def moved(self, event: ChangesMoved) -> ChangeHistory:
        """After a step went to the other side, with those of its files that did."""
        stays, goes = (
            (self.standing, self.undone) if event.to == "before" else (self.undone, self.standing)
        )
        step = next((each for each in reversed(stays) if each.task_id == event.task_id), None)
        if step is None:
            return self
        stays = tuple(each for each in stays if each is not step)
        paths = {change.path for change in event.files}
        step = replace(step, files=tuple(each for each in step.files if each.path in paths))
        goes = (*goes, step) if step.files else goes
        return ChangeHistory(stays, goes) if event.to == "before" else ChangeHistory(goes, stays)


def reversed_change(change: PathChange) -> PathChange:
    """What taking a change back does to its file."""
    status: Literal["A", "M", "D"] = (
        "D" if change.status == "A" else "A" if change.status == "D" else "M"
    )
    return change.model_copy(
        update={"status": status, "added": change.removed, "removed": change.added}
    )


def told_to_model(event: ChangesMoved) -> str:
    """What the model must know in the next goal."""
    did = (
        "took back what this goal had changed"
        if event.to == "before"
        else "had the changes of this goal made again, which they had taken back"
    )
    lines = [f"- {_NOW[each.status]}: {each.path}" for each in event.files]
    lines += [f"- left as it is: {each.path} ({each.why})" for each in event.left]
    lines += [f"- not taken back: {each}" for each in event.unseen]
    if len(lines) > _LINES_TOLD:
        lines = [*lines[:_LINES_TOLD], f"- and {len(lines) - _LINES_TOLD} more files"]
    again = "Look at these files again before you rely on what they hold.]"
    return "\n".join([f"[The person {did}: {event.goal}", *lines, again])


_NOW = {"A": "there now", "M": "changed", "D": "gone now"}
_LINES_TOLD = 50
"""A command may change thousands of files; these are enough to look at."""


def of_paths(changes: Iterable[PathChange], paths: Collection[str]) -> list[PathChange]:
    """Those of the changes that are about these paths."""
    return [change for change in changes if change.path in paths]
