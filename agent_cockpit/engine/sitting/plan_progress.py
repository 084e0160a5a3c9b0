"""Watches the build of an approved plan and says how far it is."""

from __future__ import annotations

from agent_cockpit.events.base import Event
from agent_cockpit.events.checks import PlannedCheck
from agent_cockpit.events.harness import (
    AgentStart,
    ApprovalResolved,
    ModelDecisionEvent,
    ToolEnd,
    ToolStart,
    VerificationEnd,
    VerificationPlanFrozen,
)
from agent_cockpit.events.plans import PlanProgressed, PlanStepState
from agent_cockpit.events.sitting import GoalRecorded
from agent_cockpit.rules.plan_progress import (
    Progress,
    Step,
    begin,
    commanded,
    edited,
    noticed,
    passed,
    said,
)
from agent_cockpit.transcript.diffs import diff_paths

_CHECK_TOOLS = ("run_tests", "run_linter")
STEPS_TOLD = 200
"""Of a longer plan only the first ones are followed: each change tells them all."""


class ProgressWatch:
    """Takes the events of one build, in order, and answers with what they change."""

    def __init__(self, plan: str, *, root: str) -> None:
        whole = begin(plan)
        self._progress = Progress(whole.steps[:STEPS_TOLD], whole.files)
        self._root = root.replace("\\", "/").rstrip("/")
        self._commands: dict[str, str] = {}
        self._allowed: set[str] = set()
        """Calls that somebody allowed: a command among them may change things."""
        self._checks: tuple[PlannedCheck, ...] = ()

    def __call__(self, event: Event) -> PlanProgressed | None:
        """How far it is now, when this event changed that."""
        before = self._progress
        if not before.steps:
            return None
        self._progress = self._after(before, event)
        if isinstance(event, AgentStart) or _shown(self._progress) != _shown(before):
            steps, strays = _shown(self._progress)
            return PlanProgressed(task_id=event.task_id, steps=list(steps), strays=list(strays))
        return None

    def _after(self, progress: Progress, event: Event) -> Progress:
        match event:
            case ModelDecisionEvent():
                words = event.action if event.action_type == "final_answer" else event.thought
                return said(progress, words)
            case ToolStart():
                if isinstance(command := event.input.get("command"), str):
                    self._commands[event.call_id] = command
                return progress
            case ApprovalResolved(allowed=True):
                self._allowed.add(event.approval_id)
                return progress
            case VerificationPlanFrozen():
                self._checks = tuple(event.checks)
                return progress
            case ToolEnd(success=True, refused=False):
                return self._after_call(progress, event)
            case VerificationEnd():
                ok = [check.command for check in event.checks if check.status == "pass"]
                return passed(progress, [one for one in ok if one], is_check=event.passed)
            case GoalRecorded():
                return noticed(progress, map(str, event.report.get("files_changed") or ()))
            case _:
                return progress

    def _after_call(self, progress: Progress, event: ToolEnd) -> Progress:
        command = self._commands.pop(event.call_id, "")
        if event.diff:
            return edited(progress, map(self._relative, diff_paths(event.diff)))
        if event.exit_code != 0:
            return progress
        if event.tool in _CHECK_TOOLS:
            is_lint = event.tool == "run_linter"
            ran = [check.command for check in self._checks if (check.kind == "lint") == is_lint]
            return passed(progress, ran, is_check=True)
        progress = passed(progress, [command], is_check=False)
        return commanded(progress, command) if event.call_id in self._allowed else progress

    def _relative(self, path: str) -> str:
        return path.removeprefix(f"{self._root}/")


def _shown(progress: Progress) -> tuple[tuple[PlanStepState, ...], tuple[str, ...]]:
    return tuple(_state(step, progress.working) for step in progress.steps), progress.strays


def _state(step: Step, working: int | None) -> PlanStepState:
    if step.is_done:
        return PlanStepState(number=step.number, text=step.text, state="done", why=step.why)
    is_working = step.number == working
    return PlanStepState(
        number=step.number, text=step.text, state="working" if is_working else "open"
    )
