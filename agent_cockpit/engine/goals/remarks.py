"""What the engine adds below a result when a goal goes in circles."""

from __future__ import annotations

from agent_cockpit.engine.goals.goal import Goal
from agent_cockpit.engine.goals.repeats import repeat_remark
from agent_cockpit.errors import WorkspaceError
from agent_cockpit.events.messages import ToolUseBlock
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.tools.protocol import ToolResult

SWITCH = (
    "[This is an investigation, its tree differs from where it began, and it repeats itself. If "
    "the person's words call for a change that lasts, ask for it with switch_to_editing; if not, "
    "take the changes back and answer.]"
)


async def remark_on(goal: Goal, call: ToolUseBlock, facts: CallFacts, result: ToolResult) -> str:
    """The remark for the model on a call that ran; empty when it brought something new."""
    times = goal.repeats.ran(call, facts, result)
    if times == 1:
        goal.state.escalation_thrash_streak = 0
        return ""
    remark = repeat_remark(times)
    goal.state.add_feedback(f"{call.name}: call number {times} of the same", kind="repeat")
    return f"{remark}\n{SWITCH}" if await _is_thrashing(goal) else remark


async def _is_thrashing(goal: Goal) -> bool:
    """Whether this repeat is the last straw of an investigation that edits in circles."""
    state = goal.state
    if state.task_kind != "investigate" or state.is_plan or state.escalated or not goal.mutated:
        return False
    try:
        diff, _ = await goal.baseline.changes()
    except WorkspaceError:
        return False  # the remark is advice; the verdict measures again, and says what is wrong
    if not diff:
        return False
    state.escalation_thrash_streak += 1
    if state.escalation_thrash_streak < goal.config.escalation_thrash_repeats:
        return False
    state.escalation_thrash_streak, state.escalation_nudged = 0, True
    state.add_feedback("repeats itself with changes in the tree", kind="escalation_nudge")
    return True
