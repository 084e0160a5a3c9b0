"""What done means for one goal: the plan of checks, its freeze, and the verdict.

Law: the plan is fixed before the first edit and comes from the person's settings or the
project's own files; only where both are silent may the model declare it, and a later
amendment is ratified by a person.
"""

from __future__ import annotations

from collections.abc import Callable

from agent_cockpit.engine.baseline import Baseline
from agent_cockpit.engine.ports import VerifierPort
from agent_cockpit.engine.state import TaskState
from agent_cockpit.events.base import Event
from agent_cockpit.events.checks import CheckResult, PlannedCheck, VerifierResult
from agent_cockpit.events.harness import (
    DeclarationRequired,
    VerificationEnd,
    VerificationPlanFrozen,
    VerificationStart,
)
from agent_cockpit.events.sitting import CheckFinished, CheckStarted
from agent_cockpit.rules.checks.smoke_floor import FLOOR_KINDS, takes
from agent_cockpit.rules.checks.verification import Claim
from agent_cockpit.rules.citations import cites
from agent_cockpit.tools.protocol import DeclaredContract
from agent_cockpit.workspace.cancellation import CancellationToken

DECLARE_FIRST = (
    "Not done yet: no way of checking this workspace is known. Say with declare_verification "
    "which commands will prove the change, then edit."
)


class Proof:
    """Owns one goal's verification plan on its `TaskState`, from resolution to verdict."""

    def __init__(
        self,
        state: TaskState,
        *,
        resolved: tuple[PlannedCheck, ...],
        had_tests: bool,
        max_nudges: int,
        verifier: VerifierPort,
        baseline: Baseline,
        publish: Callable[[Event], Event],
    ) -> None:
        self._state = state
        self._resolved = resolved
        self._had_tests = had_tests
        self._max_nudges = max_nudges
        self._verifier = verifier
        self._baseline = baseline
        self._publish = publish
        self._declared: DeclaredContract | None = None

    @property
    def checks(self) -> tuple[PlannedCheck, ...]:
        """What run_tests and run_linter may use: the frozen plan, or what it will be."""
        if self._state.verification_plan is not None:
            return tuple(self._state.verification_plan)
        return self._resolved or (self._declared.checks if self._declared else ())

    @property
    def is_open(self) -> bool:
        """Whether nothing is frozen, and nobody has said yet what to check by."""
        return self._state.verification_plan is None and not self.checks

    def declare(self, contract: DeclaredContract) -> None:
        """Keep what the model promises to be checked by; the last declaration counts."""
        self._declared = contract

    def amend(self, contract: DeclaredContract) -> None:
        """Replace the declared checks, as a person ratified; freezes first if need be."""
        self.freeze()
        self._state.amend_declared_contract(list(contract.checks))
        self._state.declared_change_kinds = list(contract.change_kinds)
        self._announce_plan()

    def refusal_of_edit(self) -> str | None:
        """Before the first edit: why it must wait, or None with the plan frozen."""
        if self._state.verification_plan is not None:
            return None
        if self._state.task_kind == "edit" and not self.checks and self._nudge():
            return DECLARE_FIRST
        self.freeze()
        return None

    def freeze(self) -> None:
        """Fix the plan as it is known now; harmless when it is fixed already."""
        if self._state.verification_plan is not None:
            return
        self._state.freeze_verification_plan(list(self.checks))
        if not self._resolved and self._declared:
            self._state.declared_change_kinds = list(self._declared.change_kinds) or None
        self._announce_plan()

    async def verdict(
        self, answer: str, *, mutated: bool, cancellation: CancellationToken
    ) -> VerifierResult:
        """Freeze what is not frozen, run the checks, and record and announce the verdict."""
        state = self._state
        if state.task_kind != "investigate":
            self.freeze()
        self._publish(VerificationStart(task_id=state.task_id))
        diff, changed = await self._changes() if mutated else ("", ())
        if state.task_kind == "edit" and not state.is_plan:
            await self._lay_floor(changed)
        claim = Claim(
            kind=state.task_kind,
            is_plan=state.is_plan,
            answer=answer,
            plan=tuple(state.verification_plan or ()),
            diff=diff,
            changed=changed,
            change_kinds=_kinds(state),
            grounded=cites(answer, state.files_read | state.inspected),
            baseline_had_tests=self._had_tests,
        )
        result = await self._verifier.verify(
            claim,
            cancellation=cancellation,
            started=self._started,
            finished=self._finished,
            heard=lambda _: None,
        )
        state.verifier_results.append(result)
        self._publish(
            VerificationEnd(
                task_id=state.task_id,
                passed=result.passed,
                summary=result.summary,
                checks=list(result.checks),
            )
        )
        return result

    async def _lay_floor(self, changed: tuple[str, ...]) -> None:
        """Where only the model or nobody says what to run: changed code must at least parse."""
        plan = self._state.verification_plan or []
        if not takes(plan):
            return
        alone = all(check.kind in FLOOR_KINDS for check in plan)
        if self._state.lay_floor(await self._verifier.floor(changed, alone=alone)):
            self._announce_plan()

    async def _changes(self) -> tuple[str, tuple[str, ...]]:
        """What differs from the goal's start; without a snapshot, what the calls named."""
        diff, changed = await self._baseline.changes()
        if self._baseline.failure is not None:
            return "", tuple(sorted(self._state.files_modified))
        return diff, changed

    def _nudge(self) -> bool:
        """Count one refusal for want of a declaration; False once they are used up."""
        if self._state.declaration_nudges >= self._max_nudges:
            return False
        self._state.declaration_nudges += 1
        self._publish(
            DeclarationRequired(
                task_id=self._state.task_id,
                nudge=self._state.declaration_nudges,
                max_nudges=self._max_nudges,
            )
        )
        return True

    def _announce_plan(self) -> None:
        state = self._state
        plan = list(state.verification_plan or ())
        summary = ", ".join(check.command for check in plan) or "no check is known"
        state.add_feedback(summary, kind="verification_plan")
        self._publish(
            VerificationPlanFrozen(
                task_id=state.task_id,
                turn=state.iterations,
                checks=plan,
                change_kinds=state.declared_change_kinds,
            )
        )

    def _started(self, check: PlannedCheck) -> None:
        self._publish(
            CheckStarted(task_id=self._state.task_id, name=check.name, command=check.command)
        )

    def _finished(self, result: CheckResult) -> None:
        self._publish(CheckFinished(task_id=self._state.task_id, result=result))


def _kinds(state: TaskState) -> tuple[str, ...] | None:
    return None if state.declared_change_kinds is None else tuple(state.declared_change_kinds)
