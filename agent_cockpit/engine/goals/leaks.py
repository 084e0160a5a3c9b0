"""What a plan goal's commands changed although they were judged to only read: found, shown,
put back.

Law: only what changed while a command of the goal ran is put back; what somebody else wrote
meanwhile is theirs.
"""

from __future__ import annotations

from pathlib import Path

from agent_cockpit.engine.baseline import ChangedFile
from agent_cockpit.engine.goals.goal import Goal, RanCommand
from agent_cockpit.errors import RestoreFailed, WorkspaceError
from agent_cockpit.events.plans import PlanLeaked
from agent_cockpit.events.sitting import Notice
from agent_cockpit.rules.undoing import SLACK_NS
from agent_cockpit.workspace.time_machine.file_facts import changed_at_ns


async def put_back_leak(goal: Goal) -> bool:
    """Compare the tree with the plan goal's start and undo what its commands did to it; whether
    something of theirs is left.

    Does nothing where no command ran since it was called last.
    """
    ran = tuple(goal.ran_while_planning)
    goal.ran_while_planning.clear()
    if not ran:
        return False
    try:
        changed = await goal.baseline.changed()
    except (WorkspaceError, OSError) as error:
        _cannot_tell(goal, str(error))
        return False
    if goal.baseline.failure is not None:
        _cannot_tell(goal, goal.baseline.failure)
        return False
    by_path = {change.path: _culprits(goal.workspace.root, change, ran) for change in changed}
    leaked = {path: calls for path, calls in by_path.items() if calls}
    if others := [path for path in by_path if path not in leaked]:
        text = f"changed while planning, by no command of this goal; left alone: {_some(others)}"
        goal.publish(Notice(task_id=goal.state.task_id, text=text))
    return bool(leaked) and await _undo(goal, leaked)


async def _undo(goal: Goal, leaked: dict[str, tuple[RanCommand, ...]]) -> bool:
    paths = sorted(leaked)
    failed: tuple[str, ...] = ()
    problem = ""
    try:
        await goal.baseline.put_back(paths)
    except RestoreFailed as error:
        failed, problem = error.failed, str(error)
    except (WorkspaceError, OSError) as error:
        failed, problem = tuple(paths), str(error)
    calls = {ran.call.call_id: ran for culprits in leaked.values() for ran in culprits}
    goal.publish(
        PlanLeaked(
            task_id=goal.state.task_id,
            call_ids=list(calls),
            commands=[ran.command for ran in calls.values()],
            restored=[path for path in paths if path not in failed],
            failed=list(failed),
            error=problem,
        )
    )
    what = f"it changed {_some(paths)}, and planning only reads"
    for ran in calls.values():
        goal.remember_refusal(ran.call, what)
    goal.state.add_feedback(what, problem or None, kind="leak")
    return bool(failed)


def _culprits(
    root: Path, change: ChangedFile, ran: tuple[RanCommand, ...]
) -> tuple[RanCommand, ...]:
    """The commands that ran when the path changed.

    A path that is gone keeps no time of its own; to bring it back takes nothing from anybody,
    so every command may have done it.
    """
    at_ns = changed_at_ns(root / change.path)
    if at_ns is None:
        parent_ns = changed_at_ns((root / change.path).parent)
        return _running_at(parent_ns, ran) or ran
    return _running_at(at_ns, ran)


def _running_at(at_ns: int | None, ran: tuple[RanCommand, ...]) -> tuple[RanCommand, ...]:
    if at_ns is None:
        return ()
    return tuple(
        each for each in ran if each.began_ns - SLACK_NS <= at_ns <= each.ended_ns + SLACK_NS
    )


def _cannot_tell(goal: Goal, why: str) -> None:
    text = f"Whether planning changed anything could not be measured: {why}"
    goal.publish(Notice(task_id=goal.state.task_id, level="warning", text=text))


def _some(paths: list[str]) -> str:
    return ", ".join(paths[:5]) + (f" and {len(paths) - 5} more" if len(paths) > 5 else "")
