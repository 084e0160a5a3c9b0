"""Plan, decide, build: one goal in up to three kinds of runs (document 003)."""

from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING

from agent_cockpit.engine.ports import Decide
from agent_cockpit.engine.state import PlanDecision, TaskState
from agent_cockpit.events.sitting import PlanDecided, PlanProposed

if TYPE_CHECKING:
    from agent_cockpit.engine.session import Session
    from agent_cockpit.engine.session_state import ReplSession

MAX_REVISIONS = 10
"""After this many notes without an approval the goal ends as incomplete."""


async def run_plan_flow(
    repl: ReplSession, prompt: str, decide: Decide | None, *, admitted: bool = False
) -> TaskState:
    """Run the flow and record the goal once; its terminal state.

    A plan that cannot be approved is recorded and returned; so is one that the person
    leaves. `admitted`: the turn machine stands in this prompt's run already.
    """
    note: str | None = None
    plan = ""
    for version in range(1, MAX_REVISIONS + 1):
        session = await repl.astart_plan(prompt, revision=note, previous=plan)
        session.admitted = admitted and version == 1
        state = await _run(repl, prompt, session)
        if not repl.plan_is_approvable(state):
            return repl.record_goal(prompt, state)
        plan = repl.extract_plan(state)
        repl.publish(PlanProposed(task_id=state.task_id, text=plan, version=version))
        decision = await _decision(decide, plan)
        if decision is None:
            repl.publish(PlanDecided(task_id=state.task_id, decision="left"))
            return repl.record_goal(prompt, state)
        if decision.approved:
            plan = decision.text.strip() or plan
            repl.publish(PlanDecided(task_id=state.task_id, decision="approved", text=plan))
            build = await repl.astart_build(prompt, plan)
            build.takes_queue = admitted
            return repl.record_goal(prompt, await _run(repl, prompt, build))
        note = decision.text
        repl.publish(PlanDecided(task_id=state.task_id, decision="revised", text=note))
    reason = f"no plan was approved after {MAX_REVISIONS} revisions"
    state.add_feedback(reason, kind="blocker")
    state.outcome = "incomplete"
    return repl.record_goal(prompt, state)


async def _run(repl: ReplSession, prompt: str, session: Session) -> TaskState:
    """Run one goal of the flow; a hard cancel ends the flow, and it is recorded so far."""
    try:
        return await session.run()
    except asyncio.CancelledError:
        repl.record_goal(prompt, session.state)
        raise


async def _decision(decide: Decide | None, plan: str) -> PlanDecision | None:
    if decide is None:
        return None
    answer = decide(plan)
    return await answer if inspect.isawaitable(answer) else answer
