"""A goal's record turned into its `Report` (turns B4, K13)."""

from __future__ import annotations

from collections.abc import Sequence

from agent_cockpit.engine.state import Report, TaskState, ToolCallRecord, Usage


def report_of(state: TaskState, *, session_id: str, calls: Sequence[ToolCallRecord]) -> Report:
    """The report of a terminal state; counts are this goal's alone.

    `final_message` is the answer; of a blocked goal its question, and of one that was cut
    short its last words.
    """
    status = state.status or "completed"
    final: str | None
    if state.outcome == "blocked" and state.open_questions:
        final = state.open_questions[-1]
    elif status == "completed":
        final = state.final_answer
    elif status in ("cancelled", "max_turns"):
        final = state.last_text
    else:
        final = None
    return Report(
        status=status,
        outcome=state.outcome,
        final_message=final,
        turns=state.iterations,
        tool_calls=list(calls),
        usage=Usage(
            input_tokens=state.prompt_tokens,
            output_tokens=state.completion_tokens,
            cache_read_tokens=state.cached_tokens,
        ),
        session_id=session_id,
        stop_reason=state.stop_reason,
        error=state.error,
        files_changed=sorted(state.files_modified),
        verification=state.verifier_results[-1] if state.verifier_results else None,
    )
