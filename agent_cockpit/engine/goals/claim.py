"""A final answer is a claim: the checks decide what it is worth, and what happens then."""

from __future__ import annotations

import time

from agent_cockpit.engine.goals.goal import Goal
from agent_cockpit.engine.goals.leaks import put_back_leak
from agent_cockpit.engine.goals.measuring import see_others_work
from agent_cockpit.engine.goals.planner import propose_checks
from agent_cockpit.engine.goals.question import end_with_question
from agent_cockpit.engine.stopping import RunCancelled, unless_stopped
from agent_cockpit.events.checks import PlannedCheck, VerifierResult
from agent_cockpit.events.harness import ModelDecisionEvent
from agent_cockpit.events.messages import Message
from agent_cockpit.rules.checks.smoke_floor import FLOOR_KINDS
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.workspace.sandbox.protocol import OF_A_CHECK


async def settle_claim(goal: Goal, answer: str, *, conversational: bool) -> None:
    """Measure the model's final answer: success, or back to it with the failing output.

    When it was sent back often enough the goal ends: as a question to the person where the
    run is conversational, else as failed. A cancel on the way raises `RunCancelled`.
    """
    state = goal.state
    state.final_answer = answer
    goal.publish(
        ModelDecisionEvent(
            task_id=state.task_id,
            turn=state.iterations,
            action_type="final_answer",
            action=answer,
        )
    )
    if goal.mutated and state.task_kind == "edit":
        await propose_checks(goal)
        refusal = goal.proof.refusal_of_edit()
        if refusal is not None:
            _tell_model(goal, refusal)
            return
    if not await _may_run_checks(goal):
        if goal.cancellation.cancelled:
            raise RunCancelled
        question = "The checks were not allowed to run, so nothing is proven. How should I go on?"
        state.denied_for_want_of_person += goal.unattended
        end_with_question(goal, question)
        return
    came_from = state.phase
    goal.change_phase("verifying")
    if state.is_plan:
        goal.mutated = await put_back_leak(goal)
    elif goal.mutated:
        await see_others_work(goal)
    verdict = await unless_stopped(
        goal.proof.verdict(answer, mutated=goal.mutated, cancellation=goal.cancellation),
        goal.cancellation,
    )
    if verdict.passed:
        state.outcome = "success"
        return
    goal.change_phase("editing" if came_from == "verifying" else came_from)
    _send_back(goal, verdict, conversational)


def _send_back(goal: Goal, verdict: VerifierResult, conversational: bool) -> None:
    state = goal.state
    state.repair_failures += 1
    detail = "\n\n".join(part for part in (verdict.detail, verdict.recommended_next_action) if part)
    state.add_feedback(verdict.summary, detail, kind="verification")
    if state.is_plan:
        state.outcome = "failed"
    elif state.repair_failures < goal.config.max_repair_attempts:
        _tell_model(goal, f"Not done yet: {verdict.summary}\n\n{detail}")
    elif conversational:
        attempts = f"{state.repair_failures} attempt{'s' * (state.repair_failures != 1)}"
        question = f"Still not proven after {attempts}: {verdict.summary}. How should I go on?"
        end_with_question(goal, question)
    else:
        state.outcome = "failed"


async def _may_run_checks(goal: Goal) -> bool:
    """Whether the goal's checks may run: a person is asked once a folder for its own ones.

    What the model declared was asked about when it was declared; the floor runs nothing.
    """
    plan = goal.state.verification_plan or ()
    if not goal.mutated or goal.state.task_kind == "investigate" or not plan:
        return True
    asked = tuple(check for check in plan if check.kind not in ("declared", *FLOOR_KINDS))
    commands = tuple(check.command for check in asked)
    if goal.check_trust.is_trusted(commands):
        return True
    controller, began = goal.controller(), time.monotonic()
    approval_id = f"checks-{goal.state.task_id}-{goal.state.repair_failures}"
    shown = {"command": " && ".join(commands)}
    try:
        allowed = await controller.request_approval(
            approval_id,
            "run_tests",
            _reason(asked),
            shown,
            facts=_facts(goal, asked),
        )
    finally:
        goal.waited_s += time.monotonic() - began
    answer = controller.answer_to(approval_id)
    if not allowed or (answer is not None and answer.edited not in (None, shown)):
        return False  # the plan is frozen: a yes to something else is no yes to it
    goal.check_trust.trust(commands)
    return True


def _facts(goal: Goal, plan: tuple[PlannedCheck, ...]) -> CallFacts:
    """What a person is asked about: the commands, and of several where each comes from."""
    listed = [f"{check.command}   ({check.provenance})" for check in plan]
    return CallFacts(
        tool="run_tests",
        tier=3,
        reason=_reason(plan),
        command=" && ".join(check.command for check in plan),
        preview="\n".join(listed) if len(listed) > 1 else "",
        grantable=False,
        confinement=goal.workspace.sandbox.describe(OF_A_CHECK),
    )


def _reason(plan: tuple[PlannedCheck, ...]) -> str:
    if len(plan) == 1:
        return f"runs this folder's own check for the first time · from {plan[0].provenance}"
    return "runs this folder's own checks for the first time"


def _tell_model(goal: Goal, text: str) -> None:
    goal.conversation.append(Message.of("user", text), task_id=goal.state.task_id)
