"""Plan, decide, build: one goal in up to three kinds of runs (document 003).

Law: from the first run to the last the sitting is busy with this prompt: what is sent while the
person decides waits in the queue, and a cancel leaves the plan.
"""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

from agent_cockpit.engine.goals.session import Session
from agent_cockpit.engine.ports import Decide
from agent_cockpit.engine.sitting.goal_desk import GoalDesk
from agent_cockpit.engine.sitting.plan_progress import ProgressWatch
from agent_cockpit.engine.state import PlanDecision, TaskState
from agent_cockpit.engine.stopping import RunCancelled, unless_stopped
from agent_cockpit.events.plans import PlanDecided, PlanProposed

MAX_REVISIONS = 10
"""After this many notes without an approval the goal ends as incomplete."""


class PlanFlow:
    """One prompt's way from plan to build; made for it, run once.

    `admitted`: the turn machine stands in this prompt's run already, and what is queued at the
    end is this caller's to send: it is in `next_prompts` then.
    """

    def __init__(
        self, sitting: GoalDesk, prompt: str, decide: Decide | None, *, admitted: bool = False
    ) -> None:
        self.next_prompts: tuple[Any, ...] = ()
        """What was queued when the flow ended, handed over for the next goal."""
        self._sitting = sitting
        self._prompt = prompt
        self._decide = decide
        self._takes_queue = admitted
        self._holds = admitted
        """Whether the turn machine is in a run that no session owns yet."""

    async def run(self) -> TaskState:
        """Run the flow and record the goal once; its terminal state.

        A plan that cannot be approved is recorded and returned; so is one that the person
        leaves.
        """
        try:
            return await self._run()
        except BaseException:
            if self._holds:
                self._sitting.let_turn_go()
            raise

    async def _run(self) -> TaskState:
        sitting, prompt, note, plan = self._sitting, self._prompt, None, ""
        for version in range(1, MAX_REVISIONS + 1):
            session = await sitting.astart_plan(prompt, revision=note, previous=plan)
            state = await self._run_session(session)
            if not sitting.plan_is_approvable(state):
                return sitting.record_goal(prompt, state)
            plan = sitting.extract_plan(state)
            sitting.publish(PlanProposed(task_id=state.task_id, text=plan, version=version))
            decision = await self._decided(plan)
            if decision is None:
                sitting.publish(PlanDecided(task_id=state.task_id, decision="left"))
                return self._rest(state)
            if decision.approved:
                return await self._build(state, plan, decision)
            note = decision.text
            if version < MAX_REVISIONS:
                sitting.publish(PlanDecided(task_id=state.task_id, decision="revised", text=note))
        return self._give_up(session, note or "")

    async def _build(self, planned: TaskState, plan: str, decision: PlanDecision) -> TaskState:
        sitting = self._sitting
        approved = decision.text.strip() or plan
        sitting.publish(
            PlanDecided(
                task_id=planned.task_id,
                decision="approved",
                text=approved,
                edited=approved.split() != plan.split(),
                accepts_edits=decision.accept_edits,
            )
        )
        if decision.accept_edits:
            sitting.accept_edits()
        build = await sitting.astart_build(self._prompt, approved)
        build.takes_queue = self._takes_queue
        build.observers.append(ProgressWatch(approved, root=sitting.state.workspace_root))
        state = await self._run_session(build)
        self.next_prompts = build.next_prompts
        return sitting.record_goal(self._prompt, state)

    async def _run_session(self, session: Session) -> TaskState:
        """Run one goal of the flow; a hard cancel ends the flow, and it is recorded so far."""
        session.admitted, self._holds = self._holds, False
        try:
            return await session.run()
        except asyncio.CancelledError:
            self._sitting.record_goal(self._prompt, session.state)
            raise

    async def _decided(self, plan: str) -> PlanDecision | None:
        """The person's decision, with the sitting busy until it is there; None for leaving."""
        if self._decide is None:
            return None
        token = self._sitting.hold_turn()
        self._holds = True
        try:
            return await unless_stopped(_answer(self._decide, plan), token)
        except RunCancelled:
            self._takes_queue = False
            return None

    def _rest(self, state: TaskState) -> TaskState:
        """End the flow without a build."""
        if self._holds:
            self._holds = False
            self.next_prompts = self._sitting.let_turn_go(hands_over=self._takes_queue)
        return self._sitting.record_goal(self._prompt, state)

    def _give_up(self, session: Session, note: str) -> TaskState:
        """The last note came without an approval: record and events say that it ends here."""
        state, reason = session.state, f"no plan was approved after {MAX_REVISIONS} versions"
        state.add_feedback(reason, kind="blocker")
        state.outcome = "incomplete"
        if session.report is not None:
            session.report = session.report.model_copy(update={"outcome": "incomplete"})
        self._sitting.publish(
            PlanDecided(
                task_id=state.task_id,
                decision="revised",
                text=note,
                outcome="incomplete",
                reason=reason,
            )
        )
        return self._rest(state)


async def _answer(decide: Decide, plan: str) -> PlanDecision | None:
    answer = decide(plan)
    return await answer if inspect.isawaitable(answer) else answer
