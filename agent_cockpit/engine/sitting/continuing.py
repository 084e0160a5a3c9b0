"""A goal that answers the question of the one before it: the same work, counted anew.

Law: what was seen goes along to every answer; tree, plan and changes only to one of the same
kind, since only that is measured by them.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent_cockpit.engine.state import TaskState


def asking_goal(tasks: Sequence[TaskState]) -> TaskState | None:
    """The goal whose question the next prompt may answer: the last one, if it ended so."""
    last = tasks[-1] if tasks else None
    if last is None or last.is_plan or last.outcome != "blocked" or not last.open_questions:
        return None
    return last


def carry_evidence(task: TaskState, asked: TaskState) -> None:
    """Let `task` rest on what the asking goal looked at."""
    task.continues = asked.task_id
    task.files_read |= asked.files_read
    task.inspected |= asked.inspected
    task.evidence = [*asked.evidence, *task.evidence]
    task.add_feedback(asked.open_questions[-1], asked.goal, kind="answered")


def carry_work(task: TaskState, asked: TaskState) -> None:
    """Let `task` go on with the asking goal's changes, held to the same plan of checks."""
    task.files_modified |= asked.files_modified
    task.is_build = asked.is_build
    task.escalated = asked.escalated
    task.declaration_nudges = asked.declaration_nudges
    if asked.verification_plan is not None:
        task.freeze_verification_plan(asked.verification_plan)
        task.declared_change_kinds = asked.declared_change_kinds
