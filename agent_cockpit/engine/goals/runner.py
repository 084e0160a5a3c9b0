"""The loop of one goal: build the context, call the model, run its calls, prove the claim.

Decisions live in `rules`; this file only puts them in order.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from agent_cockpit.engine.consent.foreign_call import facts_of, facts_to_show
from agent_cockpit.engine.execution import ExecutionCell
from agent_cockpit.engine.goals.bench import Workbench
from agent_cockpit.engine.goals.claim import settle_claim
from agent_cockpit.engine.goals.context import Context
from agent_cockpit.engine.goals.dispatch import Dispatcher
from agent_cockpit.engine.goals.goal import ApprovalController, Goal
from agent_cockpit.engine.goals.leaks import put_back_leak
from agent_cockpit.engine.goals.measuring import keep_changes
from agent_cockpit.engine.goals.openings import skill_or_words
from agent_cockpit.engine.goals.proof import Proof
from agent_cockpit.engine.goals.question import ask_person, question_in
from agent_cockpit.engine.model.instructions import STEERING_MARK
from agent_cockpit.engine.model.model_call import Completion, complete
from agent_cockpit.engine.state import TaskState, ToolCallRecord
from agent_cockpit.engine.stopping import (
    OutOfTime,
    RunCancelled,
    is_stopped_hard,
    unless_stopped,
)
from agent_cockpit.errors import ProviderError
from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import (
    AgentStart,
    CancellationObserved,
    TurnEnd,
    TurnStart,
)
from agent_cockpit.events.messages import Block, Message, TextBlock, ToolResultBlock
from agent_cockpit.events.sitting import Notice, PromptDelivered
from agent_cockpit.providers.protocol import ModelRequest
from agent_cockpit.rules.budget import BudgetUse, budget_stop, time_left_s
from agent_cockpit.rules.consent.permission import ConsentPolicy
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.rules.model.reminders import told_by
from agent_cockpit.tools.protocol import RunDeps
from agent_cockpit.workspace.cancellation import CancellationToken


class AgentRunner:
    """Runs one goal; made for it, used once. `Session.run` sets the two planes and puts
    back what was there before."""

    def __init__(
        self,
        bench: Workbench,
        *,
        execution: ExecutionCell | None = None,
        cancellation: CancellationToken | None = None,
    ) -> None:
        self.event_sink: Callable[[Event], Event] = lambda event: event
        """Takes every event of the run."""
        self.approval_controller: ApprovalController | None = None
        """Answers for calls that have to be asked about."""
        self.execution = execution or ExecutionCell()
        self.cancellation = cancellation or CancellationToken()
        self.calls: list[ToolCallRecord] = []
        """Calls that were executed or denied, in order."""
        self._bench = bench

    def policy(self) -> ConsentPolicy:
        """How this goal asks, as of now."""
        return self._bench.policy()

    async def facts_of(self, tool: str, tool_input: dict[str, Any]) -> CallFacts:
        """Facts of a call that did not come through this runner."""
        return await facts_of(self._bench.toolbox.get(tool), tool, tool_input, self._deps())

    async def facts_to_show(self, tool: str, tool_input: dict[str, Any]) -> CallFacts:
        """Facts of a call as a person changed it; `PersonCanAct` says what is wrong with it."""
        return await facts_to_show(self._bench.toolbox.get(tool), tool, tool_input, self._deps())

    async def arun(self, state: TaskState) -> TaskState:
        """Run the goal until `state.outcome` is set; raises only what nobody foresaw."""
        goal = self._goal(state)
        dispatcher, context = Dispatcher(goal), Context(goal, self._bench)
        self.calls = dispatcher.calls
        began = time.monotonic()
        goal.publish(
            AgentStart(
                task_id=state.task_id,
                goal=state.goal,
                task_kind="plan" if state.is_plan else state.task_kind,
                mode_source=state.mode_source,
            )
        )
        goal.conversation.begin_goal(self._bench.opening, task_id=state.task_id)
        if words := told_by(self._bench.opening):
            goal.publish(Notice(task_id=state.task_id, text=words))
        goal.baseline.begin()
        goal.found.begin()
        try:
            while state.outcome is None:
                if is_stopped_hard():
                    raise asyncio.CancelledError  # a tool may have swallowed it
                if goal.cancellation.cancelled:
                    raise RunCancelled
                use = _use(goal, time.monotonic() - began)
                if (reason := budget_stop(use, goal.config)) is not None:
                    self._stop_by_budget(goal, reason)
                    break
                await self._turn(goal, dispatcher, context, time_left_s(use, goal.config))
        except RunCancelled:
            self._stop_cancelled(goal)
        except OutOfTime:
            self._stop_by_budget(goal, "the goal's time is used up")
        except ProviderError as error:
            state.outcome, state.status, state.error = "incomplete", "model_error", str(error)
        finally:
            goal.conversation.end_goal()
            if await put_back_leak(goal) or goal.mutated:
                await keep_changes(goal, self._bench.changes_kept)
        state.status = state.status or "completed"
        return state

    # ── one turn ─────────────────────────────────────────────────────────────────────────────

    async def _turn(
        self, goal: Goal, dispatcher: Dispatcher, context: Context, time_left_s: float | None
    ) -> None:
        state = goal.state
        request = await context.request(time_left_s)
        if request is None:
            self._stop_by_budget(goal, "this goal alone no longer fits the model's window")
            return
        state.iterations += 1
        goal.publish(
            TurnStart(task_id=state.task_id, turn=state.iterations, iteration=state.iterations)
        )
        try:
            completion = await self._call_model(goal, context, request, time_left_s)
            goal.execution.take(goal.execution.value.provider_started())
            message = completion.message
            goal.conversation.append(message, task_id=state.task_id)
            state.last_text = message.text or state.last_text
            state.stop_reason = completion.stop_reason or None
            if (question := question_in(message.calls)) is not None:
                self._answer(goal, ask_person(goal, question, message.calls))
            elif message.calls:
                results = await dispatcher.run_batch(message.calls, message.text)
                self._answer(goal, results)
            else:
                await settle_claim(goal, message.text, conversational=self._bench.conversational)
        finally:
            goal.publish(TurnEnd(task_id=state.task_id, turn=state.iterations))

    async def _call_model(
        self, goal: Goal, context: Context, request: ModelRequest, time_left_s: float | None
    ) -> Completion:
        """The model's reply; a conversation that proves too long is made shorter, once."""
        while True:
            try:
                completion = await self._complete(goal, request, time_left_s)
            except ProviderError as error:
                if error.kind != "overflow":
                    raise
                request = await context.smaller(request, error, time_left_s)
            else:
                context.used(request, completion)
                return completion

    async def _complete(
        self, goal: Goal, request: ModelRequest, time_left_s: float | None
    ) -> Completion:
        return await unless_stopped(
            complete(
                self._bench.provider,
                request,
                config=goal.config,
                publish=goal.publish,
                task_id=goal.state.task_id,
            ),
            goal.cancellation,
            time_left_s=time_left_s,
        )

    def _answer(self, goal: Goal, results: tuple[ToolResultBlock, ...]) -> None:
        """The results, and after them what the person wrote meanwhile, in one message.

        A goal that ends here leaves what was written in the queue, for the next one.
        """
        blocks: list[Block] = list(results)
        if goal.state.outcome is None and not goal.cancellation.cancelled:
            steering = goal.execution.take(goal.execution.value.dequeue_steering()).value
            texts = [text for text in steering if isinstance(text, str)]
            if texts:
                read = [skill_or_words(text, self._bench.skills) for text in texts]
                blocks.append(TextBlock(text="\n\n".join([STEERING_MARK, *read])))
                goal.publish(PromptDelivered(task_id=goal.state.task_id, texts=texts))
                goal.repeats.forget()
        goal.conversation.append(
            Message(role="user", blocks=tuple(blocks)), task_id=goal.state.task_id
        )

    # ── ends ─────────────────────────────────────────────────────────────────────────────────

    def _stop_by_budget(self, goal: Goal, reason: str) -> None:
        state = goal.state
        state.add_feedback(reason, kind="budget")
        state.outcome, state.status = "incomplete", "max_turns"
        text = f"This goal ended early: {reason}."
        goal.publish(Notice(task_id=state.task_id, level="warning", text=text))

    def _stop_cancelled(self, goal: Goal) -> None:
        state = goal.state
        state.add_feedback("run cancelled", kind="cancelled")
        state.outcome, state.status = "incomplete", "cancelled"
        reason = goal.cancellation.reason or "cancelled"
        goal.publish(CancellationObserved(task_id=state.task_id, reason=reason))

    def _deps(self) -> RunDeps:
        """What the facts of a call are found with, outside of a batch."""
        bench, boundaries = self._bench, dict(self.execution.value.boundaries)
        return RunDeps(workspace=bench.workspace, config=bench.config, boundaries=boundaries)

    def _goal(self, state: TaskState) -> Goal:
        bench = self._bench
        publish = self.event_sink
        return Goal(
            state=state,
            config=bench.config,
            workspace=bench.workspace,
            toolbox=bench.toolbox,
            conversation=bench.conversation,
            execution=self.execution,
            cancellation=self.cancellation,
            baseline=bench.baseline,
            found=bench.found or bench.baseline,
            proof=Proof(
                state,
                resolved=bench.checks,
                had_tests=bench.had_tests,
                max_nudges=bench.config.max_declaration_nudges,
                verifier=bench.verifier,
                baseline=bench.baseline,
                publish=publish,
            ),
            approver=bench.approver,
            check_trust=bench.check_trust,
            policy=bench.policy,
            controller=self._controller,
            publish=publish,
            sync=bench.sync,
            unattended=bench.unattended,
            refused=bench.refused,
            planner=bench.planner,
            mutated=state.continues is not None and bool(state.files_modified),
        )

    def _controller(self) -> ApprovalController:
        if self.approval_controller is None:
            raise RuntimeError("a call has to be asked about, and nobody is set to answer")
        return self.approval_controller


def _use(goal: Goal, elapsed_s: float) -> BudgetUse:
    state = goal.state
    return BudgetUse(
        iterations=state.iterations,
        consecutive_failures=state.consecutive_failures,
        refusals=state.refusals,
        repair_failures=state.repair_failures,
        elapsed_s=elapsed_s,
        waited_s=goal.waited_s,
        cost=state.cost,
    )
