"""The calls of one reply, from proposal to result: what may run is run, and recorded.

Laws: every call gets exactly one result, in the order of the calls; nothing runs without its
permit; plan mode is read again right before a call runs.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace

from agent_cockpit.engine.goals.call_log import NOT_RUN_CANCELLED, CallLog, result_of
from agent_cockpit.engine.goals.goal import Goal, RanCommand
from agent_cockpit.engine.goals.measuring import about_to_change, did_change
from agent_cockpit.engine.goals.permits import PLAN_ENTERED, Permits, Ready, deps_of
from agent_cockpit.engine.goals.remarks import remark_on
from agent_cockpit.engine.state import ToolCallRecord
from agent_cockpit.engine.stopping import is_stopped_hard
from agent_cockpit.errors import ToolRefused
from agent_cockpit.events.harness import ModelDecisionEvent, ToolStart
from agent_cockpit.events.messages import Message, ToolResultBlock, ToolUseBlock
from agent_cockpit.events.sitting import CallProposed
from agent_cockpit.text import shorten
from agent_cockpit.tools.protocol import ToolResult

CUT = "Not run: this goal was cut short."


READS_AT_ONCE = 8
"""More would only wait for the same disk, and a reply may ask for hundreds of children."""


class Dispatcher:
    """Runs batches of calls for one goal. Reads of a batch run side by side, everything else
    alone and in order. Waits that a person causes are added to `goal.waited_s`."""

    def __init__(self, goal: Goal) -> None:
        self._goal = goal
        self._log = CallLog(goal)
        self._permits = Permits(goal, self._log)
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
            for place, call in enumerate(calls, start=1):
                if self._goal.cancellation.cancelled:
                    results[call.call_id] = result_of(call, NOT_RUN_CANCELLED)
                    continue
                ready = await self._permits.prepare(call)
                if isinstance(ready, Ready) and self._permits.only_reads(ready):
                    vetoed = await self._permits.vetoed(ready)
                    if vetoed is None:
                        allowed = replace(ready, allowed_by=self._permits.reason(ready))
                        reading[call.call_id] = asyncio.create_task(self._read(allowed))
                    else:
                        results[call.call_id] = vetoed
                    continue
                await asyncio.gather(*reading.values())
                if isinstance(ready, Ready):
                    ready = await self._permits.permit(ready, calls[place:])
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

    async def _read(self, ready: Ready) -> ToolResultBlock:
        async with self._reads:
            if self._goal.cancellation.cancelled:
                return result_of(ready.call, NOT_RUN_CANCELLED)
            return await self._execute(ready)

    async def _execute(self, ready: Ready) -> ToolResultBlock:
        goal, call = self._goal, ready.call
        is_watched = goal.state.is_plan and ready.facts.command is not None
        if is_watched:
            await goal.baseline.ready()  # else it would show what the command has left behind
            if goal.cancellation.cancelled:
                return result_of(call, NOT_RUN_CANCELLED)
        if ready.facts.mutates:
            await about_to_change(goal, ready.facts)
            await goal.baseline.remember(ready.facts.writes)
            goal.tell_of_lost_baseline()
            await goal.sync()
            if goal.cancellation.cancelled:
                return result_of(call, NOT_RUN_CANCELLED)
            if goal.execution.value.mode == "plan":
                return self._log.refused(call, PLAN_ENTERED)
            goal.mutated = True
        start = ToolStart(
            task_id=goal.state.task_id,
            call_id=call.call_id,
            tool=call.name,
            input=call.input,
            allowed_by=ready.allowed_by,
        )
        goal.execution.take(goal.execution.value.tool_started(start))
        goal.publish(start)
        began_s, began_ns = time.monotonic(), time.time_ns()
        try:
            deps = deps_of(goal, call, ready.facts.fingerprint, ready.kept)
            result = await ready.tool.run(ready.args, deps)
        except ToolRefused as error:
            result = ToolResult(tool_name=call.name, success=False, error=str(error))
        except asyncio.CancelledError:
            result = ToolResult(tool_name=call.name, success=False, error="stopped", cancelled=True)
            if not is_stopped_hard():
                result = replace(result, error="The tool stopped itself.", cancelled=False)
                return self._finish(ready, result, began_s)
            self._finish(ready, result, began_s)
            raise
        except Exception as error:  # a tool's fault is the model's to read, not the goal's end
            text = f"The tool failed: {type(error).__name__}: {error}"
            result = ToolResult(tool_name=call.name, success=False, error=text)
        finally:
            did_change(goal, ready.facts, began_ns)
            if is_watched:
                ran = RanCommand(call, ready.facts.command or "", began_ns, time.time_ns())
                goal.ran_while_planning.append(ran)
        remark = ""
        try:
            remark = await remark_on(goal, call, ready.facts, result)
        finally:  # what ran has an end, whatever happens while it is looked at
            ended = self._finish(ready, result, began_s, remark)
        return ended

    def _finish(
        self, ready: Ready, result: ToolResult, began_s: float, remark: str = ""
    ) -> ToolResultBlock:
        return self._log.finished(
            ready.call,
            ready.facts,
            result,
            began_s=began_s,
            preface=ready.preface,
            remark=remark,
        )
