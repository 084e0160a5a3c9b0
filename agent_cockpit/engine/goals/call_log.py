"""What became of each call of a goal: the result for the model, the event for the person, and
the goal's own record, written together so that they cannot differ."""

from __future__ import annotations

import time
from collections.abc import Sequence

from agent_cockpit.engine.consent.broker import Answer
from agent_cockpit.engine.goals.goal import Goal
from agent_cockpit.engine.state import CommandRecord, ToolCallRecord
from agent_cockpit.events.harness import ToolEnd
from agent_cockpit.events.messages import ToolResultBlock, ToolUseBlock
from agent_cockpit.events.sitting import Notice
from agent_cockpit.rules.diff_lines import split_hunks
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.text import head_and_tail, shorten
from agent_cockpit.tools.protocol import ToolResult

REFUSED_CHARACTERS = 4000
"""How much of the refused hunks the model is told."""
NOT_RUN_CANCELLED = "Not run: the person cancelled this goal."


class CallLog:
    """Writes the end of every call of one goal."""

    def __init__(self, goal: Goal) -> None:
        self._goal = goal
        self.calls: list[ToolCallRecord] = []
        """Calls that were executed or denied, in order."""
        self.results: dict[str, ToolResultBlock] = {}
        """What the model is told of them, by call id."""

    def finished(
        self,
        call: ToolUseBlock,
        facts: CallFacts,
        result: ToolResult,
        *,
        began_s: float,
        preface: str = "",
        remark: str = "",
    ) -> ToolResultBlock:
        """A call ran; `began_s` is its start on the monotonic clock. For the model, `preface`
        says above the result what a person did to the call, `remark` the engine's own below."""
        goal = self._goal
        self._apply(call, facts, result)
        content = result.content if result.success else result.error or "It failed."
        if not result.success and result.content:
            content = f"{content}\n{result.content}"
        end = ToolEnd(
            task_id=goal.state.task_id,
            call_id=call.call_id,
            tool=call.name,
            success=result.success,
            summary=result.summary,
            content=content,
            diff=result.diff,
            exit_code=result.exit_code,
            stopped=result.cancelled,
            duration_ms=round((time.monotonic() - began_s) * 1000),
        )
        goal.execution.take(goal.execution.value.tool_completed(end))
        goal.publish(end)
        if preface:
            content = f"{preface}\n{content}"
        if remark:
            content = f"{content}\n{remark}"
        return self._told(result_of(call, content, is_error=not result.success))

    def _apply(self, call: ToolUseBlock, facts: CallFacts, result: ToolResult) -> None:
        """Bring what the call came to into the goal's record."""
        goal, state = self._goal, self._goal.state
        self.calls.append(
            ToolCallRecord(
                id=call.call_id,
                name=call.name,
                args=call.input,
                ok=result.success,
                summary=result.summary,
                exit_code=result.exit_code,
            )
        )
        state.files_read |= set(result.files_read)
        state.files_modified |= set(result.files_changed)
        state.inspected |= {*facts.reads, *result.files_seen}
        state.refusals = 0
        if facts.command is not None:
            state.inspected.add(facts.command)
            state.commands_run.append(
                CommandRecord(
                    step=state.iterations,
                    command=facts.command,
                    exit_code=result.exit_code,
                    summary=result.summary,
                )
            )
        if result.success:
            state.consecutive_failures, state.latest_error = 0, None
            state.add_feedback(result.summary, kind="tool_result")
        else:
            state.consecutive_failures += 1
            state.latest_error = result.error
            state.add_feedback(result.error or "failed", kind="tool_error")
        if result.contract is not None and result.success:
            amends = call.name == "alter_verification"
            (goal.proof.amend if amends else goal.proof.declare)(result.contract)
        if result.escalate and result.success:
            goal.escalate()
        for path in result.files_changed[: 1 if result.line_shifts else 0]:
            goal.shift_boundary(path, result.line_shifts)

    def denied(self, call: ToolUseBlock, answer: Answer) -> ToolResultBlock:
        """A call that was asked about and not allowed."""
        if self._goal.cancellation.cancelled:
            return result_of(call, NOT_RUN_CANCELLED)
        by = "the person" if answer.via == "human" else "the engine"
        why = f": {answer.note}" if answer.note else "."
        text = f"Denied by {by}{why} It was not run; do not ask for the same again."
        return self.refused(call, text, denial=answer.note or f"denied by {by}")

    def void(self, call: ToolUseBlock, changed: str) -> ToolResultBlock:
        """A call that was allowed, and that is not any more what the person saw."""
        goal = self._goal
        first, _, rest = changed.partition("\n")
        text = f"your yes is void: {first}"
        goal.publish(
            Notice(task_id=goal.state.task_id, level="warning", text=f"{text}\n{rest}".rstrip("\n"))
        )
        words = f"Not run: {first.rstrip(':')} while the person decided, so their yes is void. "
        return self.refused(call, words + "Look again, and repeat the call if it is still right.")

    def refused(
        self, call: ToolUseBlock, text: str, *, failure: bool = False, denial: str | None = None
    ) -> ToolResultBlock:
        """A result in place of a run, visible to the person and counted."""
        goal, state = self._goal, self._goal.state
        if failure:
            state.consecutive_failures += 1
        else:
            state.refusals += 1
        state.latest_error = text
        state.add_feedback(text, kind="tool_error" if failure else "permission_blocked")
        if denial is not None or not failure:
            goal.remember_refusal(call, denial or text)
        self.calls.append(
            ToolCallRecord(
                id=call.call_id, name=call.name, args=call.input, ok=False, denial_reason=denial
            )
        )
        goal.publish(
            ToolEnd(
                task_id=state.task_id,
                call_id=call.call_id,
                tool=call.name,
                success=False,
                summary=shorten(text, 200),
                content=text,
                refused=True,
            )
        )
        return self._told(result_of(call, text))

    def _told(self, block: ToolResultBlock) -> ToolResultBlock:
        self.results[block.call_id] = block
        return block


def kept_words(diff: str, kept: Sequence[int], note: str) -> str:
    """What the model is told of an edit that was allowed in part."""
    _, hunks = split_hunks(diff)
    refused = "\n".join(hunk for place, hunk in enumerate(hunks) if place not in kept)
    why = f": {note}" if note else ""
    shown = head_and_tail(refused, REFUSED_CHARACTERS)
    return (
        f"The person took {len(kept)} of the {len(hunks)} hunks of this edit and refused the "
        f"rest{why}. Do not make these changes again:\n{shown}"
    )


def result_of(call: ToolUseBlock, content: str, *, is_error: bool = True) -> ToolResultBlock:
    """The block that answers `call`."""
    return ToolResultBlock(
        call_id=call.call_id, content=content or "(no output)", is_error=is_error
    )
