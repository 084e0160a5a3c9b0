"""Every operation of the turn machine in every phase, and what each leaves behind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from itertools import product
from typing import Any, get_args

import pytest

from agent_cockpit.events.harness import ToolEnd, ToolStart
from agent_cockpit.rules.consent.approval import ApprovalDecision, ToolApproval
from agent_cockpit.rules.consent.edit_boundary import EditBoundary
from agent_cockpit.rules.turn_execution import Outcome, TurnExecution
from agent_cockpit.rules.turn_phases import (
    Active,
    ActiveTool,
    Activity,
    Failure,
    Idle,
    Phase,
    PhaseName,
    ToolExecution,
)

ASKED = ToolApproval("ask-1", "run_command", {"command": "git status"})
OTHER = ToolApproval("ask-2", "str_replace", {"path": "calc.py"})
RUNNING = ToolExecution((ActiveTool("call-1", "read_file"),))
ACTIVITIES: tuple[Activity, ...] = ("starting", "thinking", "completion", RUNNING)

PHASES: dict[PhaseName, Phase] = {
    "idle": Idle(),
    "starting": Active("starting"),
    "thinking": Active("thinking"),
    "approval_waiting": Active("thinking", ASKED),
    "tool_execution": Active(RUNNING),
    "completion": Active("completion"),
    "failure": Failure("the network is gone"),
}
ACTIVE: tuple[PhaseName, ...] = (
    "starting",
    "thinking",
    "approval_waiting",
    "tool_execution",
    "completion",
)


def at(phase: Phase, **changes: Any) -> TurnExecution:
    """A sitting in which there is something of everything."""
    full = TurnExecution(
        phase_value=phase,
        trust_levels={"read_file": "session", "run_command:ls": "turn"},
        pending_auto_approvals={"auto-1": "turn"} if isinstance(phase, Active) else {},
        steering_queue=("steer",),
        follow_up_queue=("follow",),
        boundaries={"/p/calc.py": EditBoundary(2, 9)},
    )
    return replace(full, **changes)


def started(call_id: str, tool: str = "read_file") -> ToolStart:
    return ToolStart(call_id=call_id, tool=tool)


def ended(call_id: str, *, success: bool = True) -> ToolEnd:
    return ToolEnd(call_id=call_id, tool="read_file", success=success)


OPERATIONS: dict[str, Callable[[TurnExecution], Outcome]] = {
    "begin_turn": lambda s: s.begin_turn(),
    "provider_started": lambda s: s.provider_started(),
    "begin_completion": lambda s: s.begin_completion(),
    "finish_completion": lambda s: s.finish_completion(),
    "queued_send_failed": lambda s: s.queued_send_failed(),
    "abort": lambda s: s.abort(),
    "fail": lambda s: s.fail("why"),
    "report_error": lambda s: s.report_error("why"),
    "update_failure": lambda s: s.update_failure("why"),
    "recover": lambda s: s.recover(),
    "request_approval": lambda s: s.request_approval(OTHER),
    "resolve_approval": lambda s: s.resolve_approval("ask-1", "approve"),
    "resolve_another": lambda s: s.resolve_approval("ask-9", "approve"),
    "resolve_any": lambda s: s.resolve_approval(None, "reject"),
    "auto_approve": lambda s: s.auto_approve(OTHER, "turn"),
    "tool_started": lambda s: s.tool_started(started("call-2")),
    "tool_started_again": lambda s: s.tool_started(started("call-1")),
    "tool_completed": lambda s: s.tool_completed(ended("call-1")),
    "tool_name": lambda s: s.tool_name("call-1"),
    "steer": lambda s: s.admit_prompt("steering", "more"),
    "follow_up": lambda s: s.admit_prompt("follow_up", "more"),
    "dequeue_steering": lambda s: s.dequeue_steering(),
    "recall_queues": lambda s: s.recall_queues(),
    "clear_queues": lambda s: s.clear_queues(),
    "enter_plan": lambda s: s.enter_plan(),
    "enter_exec": lambda s: s.enter_exec(),
    "put_trust": lambda s: s.put_trust("read_file", "turn"),
    "revoke_trust": lambda s: s.revoke_trust("read_file"),
    "set_boundary": lambda s: s.set_boundary("/p/a.py", 1, 2),
    "set_no_range": lambda s: s.set_boundary("/p/a.py", 2, 1),
    "clear_boundary": lambda s: s.clear_boundary("/p/calc.py"),
    "clear_boundaries": lambda s: s.clear_boundaries(),
    "reset": lambda s: s.reset(),
    "restore": lambda s: s.restore(),
}

# A cell is `tag>phase after`, with `=` for the phase before, or `!reason`: rejected.
TABLE = """
operation          idle                 starting            thinking            approval_waiting    tool_execution       completion          failure
begin_turn         ok>starting          !turn_active        !turn_active        !turn_active        !turn_active         !turn_active        ok>starting
provider_started   !invalid_phase       ok>thinking         !invalid_phase      !invalid_phase      !invalid_phase       !invalid_phase      !invalid_phase
begin_completion   !invalid_phase       ok>completion       ok>completion       ok>completion       ok>completion        ok>completion       !invalid_phase
finish_completion  !invalid_phase       !invalid_phase      !invalid_phase      !invalid_phase      !invalid_phase       send_next>starting  !invalid_phase
queued_send_failed !invalid_phase       ok>idle             !invalid_phase      !invalid_phase      !invalid_phase       !invalid_phase      !invalid_phase
abort              ok>idle              ok>idle             ok>idle             ok>idle             ok>idle              ok>idle             ok>idle
fail               ok>failure           ok>failure          ok>failure          ok>failure          ok>failure           ok>failure          ok>failure
report_error       ok>failure           ok>=                ok>=                ok>=                ok>=                 ok>=                ok>failure
update_failure     !invalid_phase       !invalid_phase      !invalid_phase      !invalid_phase      !invalid_phase       !invalid_phase      ok>failure
recover            unchanged>=          unchanged>=         unchanged>=         unchanged>=         unchanged>=          unchanged>=         changed>idle
request_approval   !rejected            accepted>approval_waiting accepted>approval_waiting !rejected accepted>approval_waiting accepted>approval_waiting !rejected
resolve_approval   !no_pending_approval !no_pending_approval !no_pending_approval ok>thinking       !no_pending_approval !no_pending_approval !no_pending_approval
resolve_another    !no_pending_approval !no_pending_approval !no_pending_approval !approval_not_found !no_pending_approval !no_pending_approval !no_pending_approval
resolve_any        !no_pending_approval !no_pending_approval !no_pending_approval ok>thinking       !no_pending_approval !no_pending_approval !no_pending_approval
auto_approve       !OTHER               approved>=          approved>=          approved>=          approved>=           approved>=          !OTHER
tool_started       !invalid_phase       ok>tool_execution   ok>tool_execution   ok>approval_waiting ok>tool_execution    ok>tool_execution   !invalid_phase
tool_started_again !invalid_phase       ok>tool_execution   ok>tool_execution   ok>approval_waiting !tool_already_active ok>tool_execution   !invalid_phase
tool_completed     !tool_not_active     !tool_not_active    !tool_not_active    !tool_not_active    ok>completion        !tool_not_active    !tool_not_active
tool_name          !tool_not_active     !tool_not_active    !tool_not_active    !tool_not_active    ok>=                 !tool_not_active    !tool_not_active
steer              send_now>starting    queued>=            queued>=            queued>=            queued>=             queued>=            send_now>starting
follow_up          send_now>starting    queued>=            queued>=            queued>=            queued>=             queued>=            send_now>starting
dequeue_steering   ok>=                 ok>=                ok>=                ok>=                ok>=                 ok>=                ok>=
recall_queues      ok>=                 ok>=                ok>=                ok>=                ok>=                 ok>=                ok>=
clear_queues       ok>=                 ok>=                ok>=                ok>=                ok>=                 ok>=                ok>=
enter_plan         ok>=                 ok>=                ok>=                ok>thinking         ok>=                 ok>=                ok>=
enter_exec         unchanged>=          unchanged>=         unchanged>=         unchanged>=         unchanged>=          unchanged>=         unchanged>=
put_trust          ok>=                 ok>=                ok>=                ok>=                ok>=                 ok>=                ok>=
revoke_trust       ok>=                 ok>=                ok>=                ok>=                ok>=                 ok>=                ok>=
set_boundary       ok>=                 ok>=                ok>=                ok>=                ok>=                 ok>=                ok>=
set_no_range       !text                !text               !text               !text               !text                !text               !text
clear_boundary     ok>=                 ok>=                ok>=                ok>=                ok>=                 ok>=                ok>=
clear_boundaries   ok>=                 ok>=                ok>=                ok>=                ok>=                 ok>=                ok>=
reset              ok>idle              ok>idle             ok>idle             ok>idle             ok>idle              ok>idle             ok>idle
restore            ok>idle              ok>idle             ok>idle             ok>idle             ok>idle              ok>idle             ok>idle
"""  # noqa: E501 - a table is read across


def cells() -> list[tuple[str, PhaseName, str]]:
    head, *rows = [line.split() for line in TABLE.strip().splitlines()]
    assert head[1:] == list(PHASES)
    assert [row[0] for row in rows] == list(OPERATIONS)
    return [
        (row[0], phase, cell) for row in rows for phase, cell in zip(PHASES, row[1:], strict=True)
    ]


@pytest.mark.parametrize(("operation", "phase", "cell"), cells())
def test_each_operation_in_each_phase(operation: str, phase: PhaseName, cell: str) -> None:
    before = at(PHASES[phase])
    tag, value, after = OPERATIONS[operation](before)
    if cell.startswith("!"):
        assert tag == "rejected"
        assert after is before
        expected = {"!OTHER": OTHER, "!text": value}.get(cell, cell[1:])
        assert value == expected
    else:
        expected_tag, expected_phase = cell.split(">")
        assert tag == expected_tag
        assert after.phase == (phase if expected_phase == "=" else expected_phase)


@pytest.mark.parametrize(("operation", "phase"), product(OPERATIONS, PHASES))
def test_plan_mode_changes_no_transition(operation: str, phase: PhaseName) -> None:
    before = at(PHASES[phase])
    in_exec = OPERATIONS[operation](before)
    in_plan = OPERATIONS[operation](replace(before, mode="plan"))
    if operation == "enter_exec":
        assert in_plan == ("changed", None, before)
        return
    assert in_plan[:2] == in_exec[:2]
    assert in_plan.state.phase_value == in_exec.state.phase_value
    assert in_plan.state.mode == ("exec" if operation in {"reset", "restore"} else "plan")


# ── What can be asked ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("phase", "status", "error", "tools"),
    [
        (Idle(), "idle", None, 0),
        (Failure("gone"), "error", "gone", 0),
        (Active("starting"), "idle", None, 0),
        (Active("thinking"), "thinking", None, 0),
        (Active("thinking", ASKED), "thinking", None, 0),
        (Active("starting", ASKED), "idle", None, 0),
        (Active("completion"), "tool_executing", None, 0),
        (Active(RUNNING), "tool_executing", None, 1),
        (Active(RUNNING, ASKED), "tool_executing", None, 1),
        (Active(RUNNING, ASKED, "slow"), "error", "slow", 1),
        (Active("starting", None, "slow"), "error", "slow", 0),
    ],
)
def test_what_can_be_asked_follows_from_mode_and_phase(
    phase: Phase, status: str, error: str | None, tools: int
) -> None:
    state = at(phase)
    planning = replace(state, mode="plan")
    assert (state.status, planning.status) == (status, "plan")
    for each in (state, planning):
        assert each.error == error
        assert len(each.active_tools) == tools
        assert each.active_tool_name == ("read_file" if tools else None)
        assert each.is_active is isinstance(phase, Active)
        assert each.pending_approval == (phase.approval if isinstance(phase, Active) else None)
        assert each.queues == (("steer",), ("follow",))


@pytest.mark.parametrize("phase", PHASES)
def test_only_a_sitting_at_rest_with_nothing_waiting_can_be_reclaimed(phase: PhaseName) -> None:
    bare = replace(at(PHASES[phase]), steering_queue=(), follow_up_queue=())
    assert bare.is_reclaimable is (phase in {"idle", "failure"})
    assert not replace(bare, steering_queue=("x",)).is_reclaimable
    assert not replace(bare, follow_up_queue=("x",)).is_reclaimable
    assert not replace(bare, pending_auto_approvals={"auto-1": "turn"}).is_reclaimable


# ── Beginnings ──────────────────────────────────────────────────────────────────────────────


def test_a_new_state_is_idle_and_empty() -> None:
    assert TurnExecution.new() == TurnExecution("exec", Idle(), {}, {}, (), (), {})
    assert TurnExecution.new("plan").mode == "plan"


@pytest.mark.parametrize("phase", PHASES)
def test_reset_and_restore_forget_everything(phase: PhaseName) -> None:
    full = at(PHASES[phase], mode="plan")
    assert full.reset() == full.restore() == ("ok", None, TurnExecution.new())


@pytest.mark.parametrize(
    "use",
    [
        lambda s: TurnExecution.new("fast"),  # type: ignore[arg-type]
        lambda s: s.resolve_approval("ask-1", "maybe"),
        lambda s: s.resolve_approval("ask-1", ""),
        lambda s: s.auto_approve(OTHER, "forever"),
        lambda s: s.put_trust("read_file", "once"),
        lambda s: s.admit_prompt("shout", "text"),
    ],
)
@pytest.mark.parametrize("phase", PHASES)
def test_a_word_of_no_vocabulary_is_a_bug_of_the_caller(
    phase: PhaseName, use: Callable[[Any], object]
) -> None:
    with pytest.raises(ValueError, match="is not one of"):
        use(at(PHASES[phase]))


# ── The end of a run ────────────────────────────────────────────────────────────────────────

ENDS: dict[str, Callable[[TurnExecution], Outcome]] = {
    "abort": lambda s: s.abort(),
    "fail": lambda s: s.fail("why"),
}


@pytest.mark.parametrize(("end", "phase", "mode"), product(ENDS, PHASES, ("exec", "plan")))
def test_a_cut_run_loses_what_it_owned_and_the_sitting_keeps_its_own(
    end: str, phase: PhaseName, mode: str
) -> None:
    before = at(PHASES[phase], mode=mode)
    after = ENDS[end](before).state
    rest = Idle() if end == "abort" else Failure("why")
    assert after == replace(
        before,
        phase_value=rest,
        trust_levels={"read_file": "session"},
        pending_auto_approvals={},
    )


def test_a_second_failure_replaces_the_first() -> None:
    assert at(Failure("one")).fail("two").state.error == "two"
    assert at(Failure("one")).update_failure("two").state.error == "two"


def test_finishing_sends_all_that_was_queued_steering_first() -> None:
    before = at(Active("completion"), steering_queue=("s1", "s2"), follow_up_queue=("f1",))
    tag, value, after = before.finish_completion()
    assert (tag, value) == ("send_next", ("s1", "s2", "f1"))
    assert after == replace(
        before,
        phase_value=Active("starting"),
        trust_levels={"read_file": "session"},
        pending_auto_approvals={},
        steering_queue=(),
        follow_up_queue=(),
    )


def test_finishing_with_nothing_queued_is_idle_and_drops_a_passing_error() -> None:
    before = at(Active("completion", None, "slow"), steering_queue=(), follow_up_queue=())
    tag, value, after = before.finish_completion()
    assert (tag, value, after.phase, after.error) == ("idle", None, "idle", None)
    assert dict(after.trust_levels) == {"read_file": "session"}


@pytest.mark.parametrize("activity", ACTIVITIES)
def test_a_run_does_not_finish_while_an_approval_waits(activity: Activity) -> None:
    assert at(Active(activity, ASKED)).finish_completion().value == "invalid_phase"


@pytest.mark.parametrize(("activity", "approval"), product(ACTIVITIES, (None, ASKED)))
def test_completing_forgets_tools_approval_and_error(
    activity: Activity, approval: ToolApproval | None
) -> None:
    before = at(Active(activity, approval, "slow"))
    assert before.begin_completion().state == replace(before, phase_value=Active("completion"))


def test_a_late_end_does_not_revive_a_failed_run() -> None:
    failed = at(Failure("gone"))
    assert failed.begin_completion() == ("rejected", "invalid_phase", failed)


def test_a_failed_send_leaves_no_trust_and_restores_nothing() -> None:
    sent = at(Active("completion")).finish_completion().state
    late = sent.auto_approve(OTHER, "turn").state.put_trust("read_file", "turn").state
    tag, value, after = late.queued_send_failed()
    assert (tag, value, after.phase) == ("ok", None, "idle")
    assert after.queues == ((), ())
    assert after.is_reclaimable
    assert after.trusted_scope(ToolApproval("x", "read_file")) is None


@pytest.mark.parametrize("phase", PHASES)
def test_an_error_on_the_way_ends_nothing(phase: PhaseName) -> None:
    before = at(PHASES[phase])
    after = before.report_error("slow").state
    assert after.error == "slow"
    if phase in ACTIVE:
        assert after.phase == phase
        assert replace(after, phase_value=before.phase_value) == before
    else:
        assert after == before.fail("slow").state


def test_starting_again_drops_the_message_of_a_failure() -> None:
    assert at(Failure("gone")).begin_turn().state.error is None


def test_a_provider_that_starts_clears_an_error_and_does_not_start_over_an_approval() -> None:
    assert at(Active("starting", None, "slow")).provider_started().state.error is None
    assert at(Active("starting", ASKED)).provider_started().value == "invalid_phase"


# ── Approvals ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("activity", "error", "decision"),
    product(ACTIVITIES, (None, "slow"), get_args(ApprovalDecision)),
)
def test_an_answer_puts_the_run_back_exactly_where_it_was(
    activity: Activity, error: str | None, decision: ApprovalDecision
) -> None:
    before = at(Active(activity, None, error))
    waiting = before.request_approval(ASKED).state
    assert waiting.phase == "approval_waiting"
    assert waiting.active_tools == before.active_tools
    tag, value, after = waiting.resolve_approval(ASKED.tool_call_id, decision)
    assert (tag, value) == ("ok", ASKED)
    assert after.phase_value == before.phase_value
    assert waiting.resolve_approval(None, decision).state == after


@pytest.mark.parametrize(
    ("decision", "scope"),
    [("approve", None), ("reject", None), ("approve_turn", "turn"), ("approve_session", "session")],
)
def test_only_a_lasting_approval_is_remembered_and_for_that_command_alone(
    decision: ApprovalDecision, scope: str | None
) -> None:
    after = at(Active("thinking", ASKED)).resolve_approval("ask-1", decision).state
    again = ToolApproval("ask-7", "run_command", {"command": "git status"})
    wider = ToolApproval("ask-8", "run_command", {"command": "git  status"})
    assert after.trusted_scope(again) == scope
    assert after.trusted_scope(wider) is None


def test_the_first_request_keeps_the_slot() -> None:
    waiting = at(Active("thinking", ASKED))
    assert waiting.request_approval(OTHER) == ("rejected", "rejected", waiting)
    assert waiting.pending_approval == ASKED


@pytest.mark.parametrize("phase", ACTIVE)
def test_trust_answers_beside_a_person_who_is_asked(phase: PhaseName) -> None:
    before = at(PHASES[phase])
    tag, value, after = before.auto_approve(OTHER, "session")
    assert (tag, value) == ("approved", OTHER)
    assert after.pending_auto_approvals == {"auto-1": "turn", "ask-2": "session"}
    assert after.pending_approval == before.pending_approval


# ── Tools ───────────────────────────────────────────────────────────────────────────────────


def test_a_start_tells_once_whether_trust_answered_for_it() -> None:
    trusted = at(Active("thinking")).auto_approve(OTHER, "session").state
    tag, scope, after = trusted.tool_started(started("ask-2"))
    assert (tag, scope) == ("ok", "session")
    assert "ask-2" not in after.pending_auto_approvals
    assert after.tool_started(started("call-3")).value is None


def test_tools_that_run_together_keep_their_order() -> None:
    state = at(Active("thinking"))
    for call_id, tool in (("a", "read_file"), ("b", "search_repo"), ("c", "list_files")):
        state = state.tool_started(started(call_id, tool)).state
    assert [tool.tool_call_id for tool in state.active_tools] == ["a", "b", "c"]
    assert state.active_tool_name == "list_files"
    assert state.tool_name("b").value == "search_repo"

    state = state.tool_completed(ended("c")).state
    assert state.active_tool_name == "search_repo"
    state = state.tool_completed(ended("a", success=False)).state
    assert [tool.tool_call_id for tool in state.active_tools] == ["b"]
    state = state.tool_completed(ended("b")).state
    assert (state.phase, state.status) == ("completion", "tool_executing")
    assert state.tool_completed(ended("b")) == ("rejected", "tool_not_active", state)


def test_an_end_under_a_waiting_approval_leaves_it_waiting() -> None:
    after = at(Active(RUNNING, ASKED)).tool_completed(ended("call-1")).state
    assert after.phase == "approval_waiting"
    assert after.resolve_approval(None, "approve").state.phase == "completion"


def test_a_start_clears_an_error_and_an_end_keeps_it() -> None:
    troubled = at(Active(RUNNING, None, "slow"))
    assert troubled.tool_started(started("call-2")).state.error is None
    assert troubled.tool_completed(ended("call-1")).state.error == "slow"


def test_an_end_takes_away_an_auto_approval_of_its_call() -> None:
    late = at(Active(RUNNING), pending_auto_approvals={"call-1": "turn", "x": "turn"})
    assert late.tool_completed(ended("call-1")).state.pending_auto_approvals == {"x": "turn"}


# ── Prompts and mode ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("phase", "mode"), product(PHASES, ("exec", "plan")))
def test_a_prompt_waits_behind_a_run_and_starts_one_otherwise(phase: PhaseName, mode: str) -> None:
    before = at(PHASES[phase], mode=mode)
    steered = before.admit_prompt("steering", "more").state
    followed = before.admit_prompt("follow_up", "more").state
    if phase in ACTIVE:
        assert steered == replace(before, steering_queue=("steer", "more"))
        assert followed == replace(before, follow_up_queue=("follow", "more"))
    else:
        assert steered == followed == before.begin_turn().state
        assert steered.queues == before.queues


def test_queues_give_each_text_away_once() -> None:
    state = at(Active("thinking"))
    assert state.dequeue_steering().value == ("steer",)
    assert state.dequeue_steering().state.queues == ((), ("follow",))
    assert state.recall_queues().value == (("steer",), ("follow",))
    assert state.recall_queues().state == state.clear_queues().state
    assert state.clear_queues().state.queues == ((), ())


@pytest.mark.parametrize(("activity", "approval"), product(ACTIVITIES, (None, ASKED)))
def test_plan_mode_drops_a_waiting_approval_and_nothing_else(
    activity: Activity, approval: ToolApproval | None
) -> None:
    before = at(Active(activity, approval, "slow"))
    planning = before.enter_plan().state
    assert planning == replace(before, mode="plan", phase_value=Active(activity, None, "slow"))
    assert planning.enter_plan().state == planning
    assert planning.enter_exec() == ("changed", None, replace(planning, mode="exec"))


# ── Trust and boundaries ────────────────────────────────────────────────────────────────────


def test_an_exact_trust_comes_before_trust_in_the_whole_tool() -> None:
    state = TurnExecution.new().put_trust("run_command", "session").state
    call = ToolApproval("x", "run_command", {"command": "ls"})
    assert state.trusted_scope(call) == "session"
    assert state.put_trust("run_command:ls", "turn").state.trusted_scope(call) == "turn"
    assert state.trusted_scope(ToolApproval("x", "write_file")) is None


def test_trust_is_revoked_one_by_one_or_at_once() -> None:
    state = at(Idle())
    assert state.revoke_trust("read_file").state.trust_levels == {"run_command:ls": "turn"}
    assert state.revoke_trust("unknown").state == state
    assert state.revoke_trust().state.trust_levels == {}


@pytest.mark.parametrize(
    ("path", "cwd", "stored"),
    [
        ("/p/a.py", "/", "/p/a.py"),
        ("a.py", "/p", "/p/a.py"),
        ("./x/../a.py", "/p", "/p/a.py"),
        ("//p//a.py", "/", "/p/a.py"),
        ("/p/a.py/", "/", "/p/a.py"),
        ("../../../a.py", "/p", "/a.py"),
        ("a.py", "", "/a.py"),
        ("a b\n.py", "/p", "/p/a b\n.py"),
        ("~/a.py", "/p", "/p/~/a.py"),
    ],
)
def test_one_file_has_one_boundary_however_it_is_written(path: str, cwd: str, stored: str) -> None:
    state = TurnExecution.new().set_boundary(path, 3, 3, cwd=cwd).state
    assert state.boundaries == {stored: EditBoundary(3, 3)}
    assert state.boundary(path, cwd=cwd) == state.boundary(stored) == (3, 3)
    assert state.set_boundary(stored, 0, 8).state.boundaries == {stored: EditBoundary(0, 8)}
    assert state.clear_boundary(path, cwd=cwd).state == TurnExecution.new()
    assert state.clear_boundary("/elsewhere").state == state


@pytest.mark.parametrize(("path", "start", "end"), [("/a", 7, 4), ("/a", -1, 4), ("", 0, 1)])
def test_a_boundary_that_is_none_is_refused_in_words(path: str, start: int, end: int) -> None:
    state = at(Idle())
    tag, value, after = state.set_boundary(path, start, end)
    assert tag == "rejected"
    assert after is state
    assert (str(start) in value and str(end) in value) if path else "path" in value


def test_boundaries_go_one_by_one_or_at_once() -> None:
    state = at(Idle()).set_boundary("/p/b.py", 1, 2).state
    assert list(state.clear_boundary("/p/calc.py").state.boundaries) == ["/p/b.py"]
    assert state.clear_boundaries().state.boundaries == {}
    assert state.boundary("/p/none.py") is None


# ── A value ─────────────────────────────────────────────────────────────────────────────────


def test_a_state_cannot_be_changed_in_place_nor_through_what_it_was_made_of() -> None:
    trust: dict[str, Any] = {"read_file": "session"}
    state = TurnExecution(trust_levels=trust)
    trust["run_command"] = "session"
    assert state.trust_levels == {"read_file": "session"}
    with pytest.raises(TypeError):
        state.trust_levels["x"] = "turn"  # type: ignore[index]
    with pytest.raises(FrozenInstanceError):
        state.mode = "plan"  # type: ignore[misc]


def test_states_are_equal_by_value() -> None:
    one, other = at(Active("thinking", ASKED)), at(Active("thinking", ASKED))
    assert one == other
    assert one is not other
    assert one != other.report_error("slow").state
