"""Whether a proposed call may run: validate, judge, ask, and look again after the answer.

Laws: nothing gets a permit that `rules.consent.permission` did not allow; a person's yes holds for
what they were shown, and is void when that is not so any more.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Protocol, runtime_checkable

from pydantic import BaseModel, ValidationError

from agent_cockpit.engine.consent.broker import Answer
from agent_cockpit.engine.consent.foreign_call import what_is_wrong
from agent_cockpit.engine.goals.call_log import NOT_RUN_CANCELLED, CallLog, kept_words, result_of
from agent_cockpit.engine.goals.goal import Goal
from agent_cockpit.engine.goals.planner import propose_checks
from agent_cockpit.engine.stopping import RunCancelled, unless_stopped
from agent_cockpit.errors import ToolRefused
from agent_cockpit.events.messages import ToolResultBlock, ToolUseBlock
from agent_cockpit.events.sitting import ToolProgress
from agent_cockpit.rules.consent.approval import ToolApproval
from agent_cockpit.rules.consent.permission import Allow, Refuse, Verdict, judge
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.text import shorten
from agent_cockpit.tools.protocol import RunDeps, Tool
from agent_cockpit.workspace.editing.witness import Sight, look, what_changed

PLAN_ENTERED = (
    "Not run: plan mode was entered meanwhile. Only reading is possible until the person "
    "leaves it with /exec."
)


MOST_AHEAD = 20
"""How many calls of a reply are told before their turn; nobody reads more at once."""
EDITS_ALREADY = "Not asked: this goal may edit already. Go on with the change."


@dataclass(frozen=True, slots=True)
class Ready:
    """A call that may run: its tool, checked input, and facts."""

    call: ToolUseBlock
    tool: Tool
    args: BaseModel
    facts: CallFacts
    preface: str = ""
    """What a person did to the call, for the model."""
    kept: tuple[int, ...] | None = None
    """The hunks of an edit that were allowed; None: all of it."""
    allowed_by: str = ""


@runtime_checkable
class LooksAhead(Protocol):
    """A controller that takes answers before their turn."""

    def look_ahead(self, calls: Sequence[tuple[ToolApproval, str, CallFacts]]) -> None: ...


class Permits:
    """Gives or refuses them for one goal. Waits that a person causes are added to
    `goal.waited_s`."""

    def __init__(self, goal: Goal, log: CallLog) -> None:
        self._goal = goal
        self._log = log

    async def prepare(self, call: ToolUseBlock) -> Ready | ToolResultBlock:
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
            return self._log.refused(call, what_is_wrong(tool.name, error), failure=True)
        return await self._with_facts(Ready(call, tool, args, CallFacts(tool=tool.name, tier=4)))

    async def _with_facts(self, ready: Ready) -> Ready | ToolResultBlock:
        goal, call, tool = self._goal, ready.call, ready.tool
        try:
            facts = await tool.facts(ready.args, deps_of(goal, call, ""))
        except ToolRefused as error:
            return self._log.refused(call, str(error), failure=True)
        except Exception as error:  # as in a run: the model's to read, and nothing was done
            text = f"The call could not be judged, so nothing ran: {type(error).__name__}: {error}"
            return self._log.refused(call, text, failure=True)
        if tool.name == "switch_to_editing" and goal.state.task_kind != "investigate":
            return self._log.refused(call, EDITS_ALREADY)
        facts = goal.as_judged(facts)
        if goal.state.is_plan and tool.name not in {t.name for t in goal.admitted_tools()}:
            if facts.mutates:
                return self._judged_out(call, facts)
            return self._log.refused(call, f"{tool.name} is not available while planning.")
        return replace(ready, facts=facts)

    def _judged_out(self, call: ToolUseBlock, facts: CallFacts) -> ToolResultBlock:
        verdict = judge(facts, self._goal.policy(), plan_gate=True, trusted=None, grants=())
        reason = verdict.reason if isinstance(verdict, Refuse) else PLAN_ENTERED
        return self._log.refused(call, reason)

    def only_reads(self, ready: Ready) -> bool:
        """Whether the call changes nothing and nobody is asked: it may run beside others."""
        is_allowed = isinstance(self._verdict(ready), Allow) and not self._edit_gate(ready)
        return is_allowed and not ready.facts.mutates

    def _verdict(self, ready: Ready) -> Verdict:
        goal = self._goal
        return judge(ready.facts, goal.policy(), plan_gate=goal.plan_gate, trusted=None, grants=())

    def reason(self, ready: Ready) -> str:
        """Why nobody has to be asked."""
        return self._verdict(ready).reason

    def _edit_gate(self, ready: Ready) -> bool:
        return ready.tool.tier == 1 and self._goal.state.task_kind != "investigate"

    async def permit(
        self, ready: Ready, behind: Sequence[ToolUseBlock] = ()
    ) -> Ready | ToolResultBlock:
        """The call once it may run, or its refusal; `behind` are the calls after it."""
        goal, call = self._goal, ready.call
        verdict = self._verdict(ready)
        if isinstance(verdict, Refuse):
            return self._log.refused(call, verdict.reason)
        if self._edit_gate(ready):
            await propose_checks(goal)
            refusal = goal.proof.refusal_of_edit()
            if refusal is not None:
                return self._log.refused(call, refusal)
            goal.change_phase("editing")
        if (vetoed := await self.vetoed(ready)) is not None:
            return vetoed
        if isinstance(verdict, Allow):
            return replace(ready, allowed_by=verdict.reason)
        if (asked_enough := goal.repeats.refusal(call)) is not None:
            return self._log.refused(call, asked_enough)
        await self._look_ahead(behind)
        answered = await self._asked(ready, verdict.reason)
        if isinstance(answered, Ready) and ready.tool.tier == 1 and not self._edit_gate(ready):
            return await self._escalated(answered)
        if isinstance(answered, Ready) and answered.call == call and answered.kept is None:
            goal.checks_were_trusted(ready.facts)
        return answered

    async def _escalated(self, ready: Ready) -> Ready | ToolResultBlock:
        """The first edit of what was an investigation until a person allowed it."""
        goal = self._goal
        if ready.facts.tier == 1:
            return ready
        goal.escalate()
        await propose_checks(goal)
        refusal = goal.proof.refusal_of_edit()
        if refusal is not None:
            return self._log.refused(ready.call, refusal)
        goal.change_phase("editing")
        return ready

    async def _look_ahead(self, behind: Sequence[ToolUseBlock]) -> None:
        """Tell of the calls that will ask too; what is wrong with one is told in its turn."""
        controller = self._goal.controller()
        if not behind or not isinstance(controller, LooksAhead):
            return
        found: list[tuple[ToolApproval, str, CallFacts]] = []
        for call in behind[:MOST_AHEAD]:
            tool = self._goal.toolbox.get(call.name)
            if tool is None or call.broken is not None:
                continue
            try:
                args = tool.input_model.model_validate(call.input)
                facts = await tool.facts(args, deps_of(self._goal, call, ""))
            except Exception:  # what is wrong with it is said when it is its turn
                continue
            facts = self._goal.as_judged(facts)
            verdict = self._verdict(Ready(call, tool, args, facts))
            if not isinstance(verdict, Allow | Refuse):
                reason = facts.reason or verdict.reason
                approval = ToolApproval(call.call_id, call.name, dict(call.input), facts.preview)
                found.append((approval, reason, facts))
        if found:
            controller.look_ahead(found)

    async def _asked(self, ready: Ready, reason: str) -> Ready | ToolResultBlock:
        """The call as a person allowed it, while it still is what they were shown."""
        call, seen = ready.call, await self._sight(ready.facts)
        answer = await self._ask(ready, reason)
        if not answer.allowed:
            if answer.via == "human":
                self._goal.repeats.denied(call, answer.note)
            return self._log.denied(call, answer)
        if answer.via == "human" and (void := what_changed(seen, await self._sight(ready.facts))):
            return self._log.void(call, void)
        if answer.edited is not None and answer.edited != call.input:
            edited = await self._edited(ready, answer)
            return edited if isinstance(edited, ToolResultBlock) else self._in_part(edited, answer)
        if answer.via == "human":
            again = await self._with_facts(ready)
            if isinstance(again, ToolResultBlock):
                return again
            if again.facts != ready.facts:
                return self._log.void(call, "it would now do something else")
        return self._in_part(ready, answer)

    def _in_part(self, ready: Ready, answer: Answer) -> Ready | ToolResultBlock:
        """The call with no more of its hunks than the person took."""
        if answer.kept is None:
            return ready
        if not set(answer.kept) <= set(range(ready.facts.hunks)):
            return self._log.void(ready.call, "it has no such parts")
        words = kept_words(ready.facts.preview, answer.kept, answer.note)
        preface = "\n".join(filter(None, (ready.preface, words)))
        return replace(ready, kept=answer.kept, preface=preface)

    async def _sight(self, facts: CallFacts) -> dict[str, Sight]:
        """The files of a call; of an edit also what is in them."""
        root, paths = self._goal.workspace.root, {*facts.reads, *facts.writes}
        return await asyncio.to_thread(look, root, paths, contents=facts.command is None)

    async def vetoed(self, ready: Ready) -> ToolResultBlock | None:
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
                reason,
                dict(call.input),
                facts=ready.facts,
            )
        finally:
            goal.waited_s += time.monotonic() - began
        return controller.answer_to(call.call_id) or Answer(allowed=allowed)

    async def _edited(self, ready: Ready, answer: Answer) -> Ready | ToolResultBlock:
        """A call that the person changed: checked and judged like any other, not asked again."""
        values = answer.edited or {}
        call = ready.call.model_copy(update={"input": values})
        try:
            args = ready.tool.input_model.model_validate(values)
        except ValidationError as error:
            return self._log.refused(call, what_is_wrong(call.name, error), failure=True)
        preface = f"The person changed this call before it ran, to {call.input}."
        again = await self._with_facts(Ready(call, ready.tool, args, ready.facts, preface))
        if isinstance(again, Ready):
            verdict = self._verdict(again)
            if isinstance(verdict, Refuse):
                return self._log.refused(call, verdict.reason)
            if answer.shown_fingerprint not in ("", again.facts.fingerprint):
                return self._log.void(call, "what it would change is not what was shown")
            return await self.vetoed(again) or again
        return again


def deps_of(
    goal: Goal, call: ToolUseBlock, fingerprint: str, kept: tuple[int, ...] | None = None
) -> RunDeps:
    """What the tool of a call is given."""

    def heard(delta: str) -> None:
        goal.publish(ToolProgress(task_id=goal.state.task_id, call_id=call.call_id, delta=delta))

    return RunDeps(
        workspace=goal.workspace,
        config=goal.config,
        cancellation=goal.cancellation,
        frozen_checks=goal.proof.checks or None,
        boundaries=dict(goal.execution.value.boundaries),
        heard=heard,
        approved_fingerprint=fingerprint,
        kept_hunks=kept,
    )
