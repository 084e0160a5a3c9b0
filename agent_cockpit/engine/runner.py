"""The loop of one goal: build the context, call the model, run its calls, prove the claim.

Decisions live in `rules`; this file only puts them in order.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from agent_cockpit.engine.bench import Workbench
from agent_cockpit.engine.claim import settle_claim
from agent_cockpit.engine.dispatch import Dispatcher
from agent_cockpit.engine.execution import ExecutionCell
from agent_cockpit.engine.foreign_call import facts_of
from agent_cockpit.engine.goal import ApprovalController, Goal
from agent_cockpit.engine.instructions import STEERING_MARK
from agent_cockpit.engine.model_call import Completion, complete
from agent_cockpit.engine.proof import Proof
from agent_cockpit.engine.state import TaskState, ToolCallRecord
from agent_cockpit.engine.stopping import OutOfTime, RunCancelled, unless_stopped
from agent_cockpit.errors import ProviderError, WorkspaceError
from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import (
    AgentStart,
    CancellationObserved,
    ModelDecisionEvent,
    ModelUsage,
    TurnEnd,
    TurnStart,
)
from agent_cockpit.events.messages import Block, Message, TextBlock, ToolResultBlock, ToolUseBlock
from agent_cockpit.events.sitting import ContextEstimated, Notice, PromptDelivered
from agent_cockpit.providers.protocol import ModelRequest, ToolSchema
from agent_cockpit.rules.budget import BudgetUse, budget_stop, time_left_s
from agent_cockpit.rules.context import fit
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.rules.permission import ConsentPolicy
from agent_cockpit.tools.protocol import RunDeps
from agent_cockpit.workspace.cancellation import CancellationToken

ASK_USER = ToolSchema(
    "ask_user",
    "Put one question to the person and end this goal; their answer opens the next one.",
    {
        "type": "object",
        "properties": {"question": {"type": "string"}},
        "required": ["question"],
        "additionalProperties": False,
    },
)
QUESTION_ASKED = "The question was put to the person; their next message answers it."
QUESTION_FIRST = "Not run: a question was put to the person in the same reply."


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
        self._schema_tokens = 0

    def policy(self) -> ConsentPolicy:
        """How this goal asks, as of now."""
        return self._bench.policy()

    async def facts_of(self, tool: str, tool_input: dict[str, Any]) -> CallFacts:
        """Facts of a call that did not come through this runner."""
        bench, boundaries = self._bench, dict(self.execution.value.boundaries)
        deps = RunDeps(workspace=bench.workspace, config=bench.config, boundaries=boundaries)
        return await facts_of(bench.toolbox.get(tool), tool, tool_input, deps)

    async def arun(self, state: TaskState) -> TaskState:
        """Run the goal until `state.outcome` is set; raises only what nobody foresaw."""
        goal = self._goal(state)
        dispatcher = Dispatcher(goal)
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
        goal.conversation.append(self._bench.opening, task_id=state.task_id)
        goal.baseline.begin()
        try:
            while state.outcome is None:
                if goal.cancellation.cancelled:
                    raise RunCancelled
                use = _use(goal, time.monotonic() - began)
                if (reason := budget_stop(use, goal.config)) is not None:
                    self._stop_by_budget(goal, reason)
                    break
                await self._turn(goal, dispatcher, time_left_s(use, goal.config))
        except RunCancelled:
            self._stop_cancelled(goal)
        except OutOfTime:
            self._stop_by_budget(goal, "the goal's time is used up")
        except ProviderError as error:
            state.outcome, state.status, state.error = "incomplete", "model_error", str(error)
        finally:
            if goal.mutated:
                await self._measure_changes(goal)
        state.status = state.status or "completed"
        return state

    # ── one turn ─────────────────────────────────────────────────────────────────────────────

    async def _turn(self, goal: Goal, dispatcher: Dispatcher, time_left_s: float | None) -> None:
        state = goal.state
        request = self._request(goal)
        if request is None:
            self._stop_by_budget(goal, "this goal alone no longer fits the model's window")
            return
        state.iterations += 1
        goal.publish(
            TurnStart(task_id=state.task_id, turn=state.iterations, iteration=state.iterations)
        )
        try:
            completion = await self._call_model(goal, request, time_left_s)
            goal.execution.take(goal.execution.value.provider_started())
            self._record_usage(goal, completion)
            message = completion.message
            goal.conversation.append(message, task_id=state.task_id)
            state.last_text = message.text or state.last_text
            state.stop_reason = completion.stop_reason or None
            question = next((call for call in message.calls if call.name == ASK_USER.name), None)
            if question is not None:
                self._ask_person(goal, question, message.calls)
            elif message.calls:
                results = await dispatcher.run_batch(message.calls, message.text)
                self._answer(goal, results)
            else:
                await settle_claim(goal, message.text, conversational=self._bench.conversational)
        finally:
            goal.publish(TurnEnd(task_id=state.task_id, turn=state.iterations))

    def _request(self, goal: Goal) -> ModelRequest | None:
        """The next model call, within the window; None when nothing more can be left out."""
        state, bench = goal.state, self._bench
        if repairs := goal.conversation.repair():
            text = (
                f"The conversation was mended: {repairs.synthesized} missing results made up, "
                f"{repairs.dropped} stray ones dropped."
            )
            goal.publish(Notice(task_id=state.task_id, level="warning", text=text))
        tools = tuple(
            ToolSchema(tool.name, tool.description, bench.toolbox.input_schema(tool))
            for tool in goal.admitted_tools()
        )
        tools = (*tools, ASK_USER)
        schema_tokens = sum(len(str(tool.input_schema)) + len(tool.description) for tool in tools)
        window = min(
            goal.config.max_context_tokens,
            bench.provider.context_window or goal.config.max_context_tokens,
        )
        budget = window - schema_tokens // 4
        fitted = fit(goal.conversation.history(), budget)
        if fitted.tokens > budget:
            return None
        if fitted.dropped_messages:
            text = f"{fitted.dropped_messages} old messages no longer fit and are not shown to it."
            goal.publish(Notice(task_id=state.task_id, text=text))
        if not state.prompt_tokens:
            tokens = fitted.tokens + schema_tokens // 4
            goal.publish(ContextEstimated(task_id=state.task_id, tokens=tokens, window=window))
        mode = "plan" if state.is_plan else "build" if state.is_build else state.task_kind
        return ModelRequest(
            messages=fitted.messages, tools=tools, mode=mode, effort=goal.config.effort
        )

    async def _call_model(
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
                blocks.append(TextBlock(text="\n\n".join([STEERING_MARK, *texts])))
                goal.publish(PromptDelivered(task_id=goal.state.task_id, texts=texts))
        goal.conversation.append(
            Message(role="user", blocks=tuple(blocks)), task_id=goal.state.task_id
        )

    def _ask_person(
        self, goal: Goal, question: ToolUseBlock, calls: tuple[ToolUseBlock, ...]
    ) -> None:
        """End the goal with a question; nothing else of the reply runs."""
        state = goal.state
        text = str(question.input.get("question") or "").strip() or "How should I go on?"
        goal.publish(
            ModelDecisionEvent(
                task_id=state.task_id, turn=state.iterations, action_type="ask_user", action=text
            )
        )
        results = tuple(
            ToolResultBlock(
                call_id=call.call_id,
                content=QUESTION_ASKED if call is question else QUESTION_FIRST,
                is_error=call is not question,
            )
            for call in calls
        )
        state.open_questions.append(text)
        state.block(f"needs input: {text}")
        self._answer(goal, results)

    async def _measure_changes(self, goal: Goal) -> None:
        """Bring what differs from the goal's start into its record; how the goal ended stays."""
        try:
            _, changed = await goal.baseline.changes()
            goal.state.files_modified |= set(changed)
        except WorkspaceError as error:
            text = f"What this goal changed could not be measured: {error}"
            goal.publish(Notice(task_id=goal.state.task_id, level="warning", text=text))

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

    def _record_usage(self, goal: Goal, completion: Completion) -> None:
        usage, state = completion.usage, goal.state
        if usage is None:
            return
        state.prompt_tokens += usage.prompt_tokens
        state.completion_tokens += usage.completion_tokens
        state.cached_tokens += usage.cached_tokens
        goal.publish(
            ModelUsage(
                task_id=state.task_id,
                turn=state.iterations,
                prompt_tokens=usage.prompt_tokens,
                completion_tokens=usage.completion_tokens,
                cached_tokens=usage.cached_tokens,
            )
        )
        window = self._bench.provider.context_window or goal.config.max_context_tokens
        goal.publish(
            ContextEstimated(
                task_id=state.task_id,
                tokens=usage.prompt_tokens + usage.completion_tokens,
                window=window,
                real=True,
            )
        )

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
    )
