"""The calls of one reply, from proposal to result: validate, judge, ask, run, record.

Laws: every call gets exactly one result, in the order of the calls; nothing runs that
`rules.permission` did not allow; plan mode is read again right before a call runs.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel, ValidationError

from agent_cockpit.engine.broker import Answer
from agent_cockpit.engine.call_log import NOT_RUN_CANCELLED, CallLog, result_of
from agent_cockpit.engine.goal import Goal
from agent_cockpit.engine.state import ToolCallRecord
from agent_cockpit.engine.stopping import RunCancelled, unless_stopped
from agent_cockpit.errors import ToolRefused
from agent_cockpit.events.harness import ModelDecisionEvent, ToolStart
from agent_cockpit.events.messages import Message, ToolResultBlock, ToolUseBlock
from agent_cockpit.events.sitting import CallProposed, ToolProgress
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.rules.permission import Allow, Refuse, Verdict, judge
from agent_cockpit.text import shorten
from agent_cockpit.tools.protocol import RunDeps, Tool, ToolResult

PLAN_ENTERED = (
    "Not run: plan mode was entered meanwhile. Only reading is possible until the person "
    "leaves it with /exec."
)

CUT = "Not run: this goal was cut short."


@dataclass(frozen=True, slots=True)
class Ready:
    """A call that may run: its tool, checked input, and facts."""

    call: ToolUseBlock
    tool: Tool
    args: BaseModel
    facts: CallFacts
    edited_by_hand: bool = False


READS_AT_ONCE = 8
"""More would only wait for the same disk, and a reply may ask for hundreds of children."""


class Dispatcher:
    """Runs batches of calls for one goal. Reads of a batch run side by side, everything else
    alone and in order. Waits that a person causes are added to `goal.waited_s`."""

    def __init__(self, goal: Goal) -> None:
        self._goal = goal
        self._log = CallLog(goal)
        self._reads = asyncio.Semaphore(READS_AT_ONCE)

    @property
    def calls(self) -> list[ToolCallRecord]:
        """Calls that were executed or denied, in order; grows while the goal runs."""
        return self._log.calls

    async def run_batch(
        self, calls: Sequence[ToolUseBlock], thought: str = ""
    ) -> tuple[ToolResultBlock, ...]:
        """One result for each call, in order.

        When a fault or a hard cancel cuts the batch short, the results go to the conversation
        from here, so that it is paired at once.
        """
        results: dict[str, ToolResultBlock] = {}
        reading: dict[str, asyncio.Task[ToolResultBlock]] = {}
        for place, call in enumerate(calls):
            self._propose(call, thought if place == 0 else "")
        try:
            for call in calls:
                if self._goal.cancellation.cancelled:
                    results[call.call_id] = result_of(call, NOT_RUN_CANCELLED)
                    continue
                ready = await self._prepare(call)
                if isinstance(ready, Ready) and not ready.facts.mutates and not self._asks(ready):
                    vetoed = await self._vetoed(ready)
                    if vetoed is None:
                        reading[call.call_id] = asyncio.create_task(self._read(ready))
                    else:
                        results[call.call_id] = vetoed
                    continue
                await asyncio.gather(*reading.values())
                if isinstance(ready, Ready):
                    ready = await self._permit(ready)
                if isinstance(ready, Ready):
                    results[call.call_id] = await self._execute(ready)
                else:
                    results[call.call_id] = ready
            for call_id, task in reading.items():
                results[call_id] = await task
        except BaseException:
            for task in reading.values():
                task.cancel()
            await asyncio.gather(*reading.values(), return_exceptions=True)
            cut = [self._log.results.get(call.call_id) or result_of(call, CUT) for call in calls]
            message = Message(role="user", blocks=tuple(cut))
            self._goal.conversation.append(message, task_id=self._goal.state.task_id)
            raise
        return tuple(results[call.call_id] for call in calls)

    # ── before it runs ───────────────────────────────────────────────────────────────────────

    def _propose(self, call: ToolUseBlock, thought: str) -> None:
        goal = self._goal
        goal.publish(
            CallProposed(
                task_id=goal.state.task_id, call_id=call.call_id, tool=call.name, input=call.input
            )
        )
        goal.publish(
            ModelDecisionEvent(
                task_id=goal.state.task_id,
                turn=goal.state.iterations,
                thought=thought,
                action_type="tool_call",
                action=f"{shorten(call.name, 80)}({shorten(str(call.input), 500)})",
            )
        )

    async def _prepare(self, call: ToolUseBlock) -> Ready | ToolResultBlock:
        """The call with its facts, or the result that says why there are none."""
        goal = self._goal
        tool = goal.toolbox.get(call.name)
        if tool is None:
            names = [t.name for t in goal.admitted_tools()]
            close = get_close_matches(call.name, names, n=1)
            hint = f" Did you mean {close[0]}?" if close else f" There are: {', '.join(names)}."
            return self._log.refused(
                call, f"There is no tool named {shorten(repr(call.name), 80)}.{hint}", failure=True
            )
        if call.broken is not None:
            shown = shorten(call.broken, 300)
            cut = goal.state.stop_reason == "max_tokens"
            why = "were cut off by the length limit" if cut else "were no JSON object"
            text = f"The arguments {why}, so nothing ran. They were: {shown}"
            return self._log.refused(call, text, failure=True)
        try:
            args = tool.input_model.model_validate(call.input)
        except ValidationError as error:
            return self._log.refused(call, _what_is_wrong(tool.name, error), failure=True)
        return await self._with_facts(Ready(call, tool, args, CallFacts(tool=tool.name, tier=4)))

    async def _with_facts(self, ready: Ready) -> Ready | ToolResultBlock:
        goal, call, tool = self._goal, ready.call, ready.tool
        try:
            facts = await tool.facts(ready.args, self._deps(call, ""))
        except ToolRefused as error:
            return self._log.refused(call, str(error), failure=True)
        except Exception as error:  # as in a run: the model's to read, and nothing was done
            text = f"The call could not be judged, so nothing ran: {type(error).__name__}: {error}"
            return self._log.refused(call, text, failure=True)
        facts = goal.with_check_trust(facts)
        if goal.state.is_plan and tool.name not in {t.name for t in goal.admitted_tools()}:
            if facts.mutates:
                return self._judged_out(call, facts)
            return self._log.refused(call, f"{tool.name} is not available while planning.")
        return Ready(call, tool, ready.args, facts, ready.edited_by_hand)

    def _judged_out(self, call: ToolUseBlock, facts: CallFacts) -> ToolResultBlock:
        verdict = judge(facts, self._goal.policy(), plan_gate=True, trusted=None, grants=())
        reason = verdict.reason if isinstance(verdict, Refuse) else PLAN_ENTERED
        return self._log.refused(call, reason)

    def _asks(self, ready: Ready) -> bool:
        return not isinstance(self._verdict(ready), Allow) or bool(self._edit_gate(ready))

    def _verdict(self, ready: Ready) -> Verdict:
        goal = self._goal
        return judge(ready.facts, goal.policy(), plan_gate=goal.plan_gate, trusted=None, grants=())

    def _edit_gate(self, ready: Ready) -> bool:
        return ready.tool.tier == 1 and self._goal.state.task_kind != "investigate"

    async def _permit(self, ready: Ready) -> Ready | ToolResultBlock:
        """The call once it may run, or its refusal."""
        goal, call = self._goal, ready.call
        verdict = self._verdict(ready)
        if isinstance(verdict, Refuse):
            return self._log.refused(call, verdict.reason)
        if self._edit_gate(ready):
            refusal = goal.proof.refusal_of_edit()
            if refusal is not None:
                return self._log.refused(call, refusal)
            goal.change_phase("editing")
        if (vetoed := await self._vetoed(ready)) is not None:
            return vetoed
        if isinstance(verdict, Allow):
            return ready
        answer = await self._ask(ready, verdict.reason)
        if not answer.allowed:
            return self._log.denied(call, answer)
        if answer.edited is not None and answer.edited != call.input:
            return await self._edited(ready, answer.edited)
        goal.checks_were_trusted(ready.facts)
        return ready

    async def _vetoed(self, ready: Ready) -> ToolResultBlock | None:
        """The refusal of a call that the approver stops; a cancel does not wait for it."""
        goal, call = self._goal, ready.call
        deciding = goal.approver.decide(call.name, dict(call.input))
        try:
            veto = await unless_stopped(deciding, goal.cancellation)
        except RunCancelled:
            return result_of(call, NOT_RUN_CANCELLED)
        if veto is None:
            return None
        return self._log.refused(call, f"Denied: {veto}", denial=veto)

    async def _ask(self, ready: Ready, reason: str) -> Answer:
        goal, call = self._goal, ready.call
        began = time.monotonic()
        controller = goal.controller()
        try:
            allowed = await controller.request_approval(
                call.call_id,
                call.name,
                ready.facts.reason or reason,
                dict(call.input),
                facts=ready.facts,
            )
        finally:
            goal.waited_s += time.monotonic() - began
        return controller.answer_to(call.call_id) or Answer(allowed=allowed)

    async def _edited(self, ready: Ready, values: dict[str, Any]) -> Ready | ToolResultBlock:
        """A call that the person changed: checked and judged like any other, not asked again."""
        call = ready.call.model_copy(update={"input": values})
        try:
            args = ready.tool.input_model.model_validate(values)
        except ValidationError as error:
            return self._log.refused(call, _what_is_wrong(call.name, error), failure=True)
        again = await self._with_facts(Ready(call, ready.tool, args, ready.facts, True))
        if isinstance(again, Ready):
            verdict = self._verdict(again)
            if isinstance(verdict, Refuse):
                return self._log.refused(call, verdict.reason)
            return await self._vetoed(again) or again
        return again

    # ── running ──────────────────────────────────────────────────────────────────────────────

    async def _read(self, ready: Ready) -> ToolResultBlock:
        async with self._reads:
            if self._goal.cancellation.cancelled:
                return result_of(ready.call, NOT_RUN_CANCELLED)
            return await self._execute(ready)

    async def _execute(self, ready: Ready) -> ToolResultBlock:
        goal, call = self._goal, ready.call
        if ready.facts.mutates:
            await goal.baseline.remember(ready.facts.writes)
            goal.tell_of_lost_baseline()
            await goal.sync()
            if goal.cancellation.cancelled:
                return result_of(call, NOT_RUN_CANCELLED)
            if goal.execution.value.mode == "plan":
                return self._log.refused(call, PLAN_ENTERED)
            goal.mutated = True
        start = ToolStart(
            task_id=goal.state.task_id, call_id=call.call_id, tool=call.name, input=call.input
        )
        goal.execution.take(goal.execution.value.tool_started(start))
        goal.publish(start)
        began_s = time.monotonic()
        try:
            result = await ready.tool.run(ready.args, self._deps(call, ready.facts.fingerprint))
        except ToolRefused as error:
            result = ToolResult(tool_name=call.name, success=False, error=str(error))
        except asyncio.CancelledError:
            result = ToolResult(tool_name=call.name, success=False, error="stopped", cancelled=True)
            self._finish(ready, result, began_s)
            raise
        except Exception as error:  # a tool's fault is the model's to read, not the goal's end
            text = f"The tool failed: {type(error).__name__}: {error}"
            result = ToolResult(tool_name=call.name, success=False, error=text)
        return self._finish(ready, result, began_s)

    def _deps(self, call: ToolUseBlock, fingerprint: str) -> RunDeps:
        goal = self._goal

        def heard(delta: str) -> None:
            goal.publish(
                ToolProgress(task_id=goal.state.task_id, call_id=call.call_id, delta=delta)
            )

        return RunDeps(
            workspace=goal.workspace,
            config=goal.config,
            cancellation=goal.cancellation,
            frozen_checks=goal.proof.checks or None,
            boundaries=dict(goal.execution.value.boundaries),
            heard=heard,
            approved_fingerprint=fingerprint,
        )

    def _finish(self, ready: Ready, result: ToolResult, began_s: float) -> ToolResultBlock:
        return self._log.finished(
            ready.call,
            ready.facts,
            result,
            began_s=began_s,
            edited_by_hand=ready.edited_by_hand,
        )


def _what_is_wrong(tool: str, error: ValidationError) -> str:
    """What to change; of very much that is wrong, the beginning."""
    faults = [
        shorten(f"{'.'.join(map(str, fault['loc'])) or 'input'}: {fault['msg']}", 200)
        for fault in error.errors(include_url=False)[:10]
    ]
    more = f"; {error.error_count() - 10} more" if error.error_count() > 10 else ""
    return f"The input of {tool} is wrong, so nothing ran. {'; '.join(faults)}{more}."
