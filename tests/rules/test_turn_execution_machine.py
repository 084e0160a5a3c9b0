"""Random sittings: whatever happens in whatever order, the turn machine keeps its laws."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import Any, get_args

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from agent_cockpit.events.harness import ToolEnd, ToolStart
from agent_cockpit.rules.consent.approval import ApprovalDecision, ToolApproval, TrustScope
from agent_cockpit.rules.turn_execution import Outcome, PromptKind, TurnExecution
from agent_cockpit.rules.turn_phases import Active, PhaseName, Status

IDS = st.sampled_from(["a", "b", "c", "d"])
TOOLS = st.sampled_from(["read_file", "run_command", "mcp_web"])
COMMANDS = st.sampled_from([{}, {"command": "ls"}, {"command": "git  status"}])
CALLS = st.builds(ToolApproval, IDS, TOOLS, COMMANDS)
SCOPES: st.SearchStrategy[TrustScope] = st.sampled_from(["session", "turn"])
DECISIONS: st.SearchStrategy[ApprovalDecision] = st.sampled_from(
    ["approve", "approve_turn", "approve_session", "reject"]
)
KINDS: st.SearchStrategy[PromptKind] = st.sampled_from(["steering", "follow_up"])
PATHS = st.sampled_from(["calc.py", "./calc.py", "/p/calc.py", "//p/x/../calc.py", "/p/b.py"])
NUMBERS = st.integers(-1, 4)


class AnySitting(RuleBasedStateMachine):
    """Moves the machine beside a plain record of what must be in it."""

    def __init__(self) -> None:
        super().__init__()
        self.now = TurnExecution.new()
        self.forget_all()
        self.contents = 0
        self.seen: list[tuple[TurnExecution, str]] = []
        self.statuses: dict[tuple[str, str], Status] = {}

    def forget_all(self) -> None:
        self.mode = "exec"
        self.steering: list[str] = []
        self.follow_up: list[str] = []
        self.trust: dict[str, TrustScope] = {}
        self.auto: dict[str, TrustScope] = {}
        self.bounds: dict[str, tuple[int, int]] = {}

    def forget_run(self) -> None:
        self.trust = {key: scope for key, scope in self.trust.items() if scope == "session"}
        self.auto = {}

    def move(self, operation: Callable[[TurnExecution], Outcome]) -> Outcome:
        before, written = self.now, repr(self.now)
        outcome = operation(before)
        assert repr(before) == written
        assert operation(before) == outcome
        if outcome.tag in {"rejected", "unchanged"}:
            assert outcome.state is before
        self.seen.append((before, written))
        self.now = outcome.state
        return outcome

    # ── The run ─────────────────────────────────────────────────────────────────────────────

    @rule()
    def begin_turn(self) -> None:
        was_active = self.now.is_active
        assert (self.move(lambda s: s.begin_turn()).tag == "ok") is not was_active

    @rule()
    def provider_started(self) -> None:
        was = self.now.phase
        assert (self.move(lambda s: s.provider_started()).tag == "ok") is (was == "starting")

    @rule()
    def begin_completion(self) -> None:
        was_active = self.now.is_active
        assert (self.move(lambda s: s.begin_completion()).tag == "ok") is was_active

    @rule()
    def finish_completion(self) -> None:
        was, waiting = self.now.phase, (*self.steering, *self.follow_up)
        tag, value, _ = self.move(lambda s: s.finish_completion())
        if was != "completion":
            assert tag == "rejected"
            return
        assert (tag, value) == (("send_next", waiting) if waiting else ("idle", None))
        self.steering, self.follow_up = [], []
        self.forget_run()

    @rule()
    def queued_send_failed(self) -> None:
        if self.move(lambda s: s.queued_send_failed()).tag == "ok":
            self.forget_run()

    @rule()
    def abort(self) -> None:
        assert self.move(lambda s: s.abort()).state.phase == "idle"
        self.forget_run()

    @rule()
    def fail(self) -> None:
        assert self.move(lambda s: s.fail("gone")).state.phase == "failure"
        self.forget_run()

    @rule()
    def report_error(self) -> None:
        was_active, was = self.now.is_active, self.now.phase
        after = self.move(lambda s: s.report_error("slow")).state
        assert after.phase == (was if was_active else "failure")
        if not was_active:
            self.forget_run()

    @rule()
    def update_failure(self) -> None:
        was = self.now.phase
        assert (self.move(lambda s: s.update_failure("other")).tag == "ok") is (was == "failure")

    @rule()
    def recover(self) -> None:
        was = self.now.phase
        assert (self.move(lambda s: s.recover()).tag == "changed") is (was == "failure")

    # ── Approvals and tools ─────────────────────────────────────────────────────────────────

    @rule(call=CALLS)
    def request_approval(self, call: ToolApproval) -> None:
        free = self.now.is_active and self.now.pending_approval is None
        assert (self.move(lambda s: s.request_approval(call)).tag == "accepted") is free

    @rule(call_id=st.none() | IDS, decision=DECISIONS)
    def resolve_approval(self, call_id: str | None, decision: ApprovalDecision) -> None:
        asked = self.now.pending_approval
        if asked:
            exact = self.now.resolve_approval(asked.tool_call_id, decision)
            assert exact == self.now.resolve_approval(None, decision)
        tag, value, _ = self.move(lambda s: s.resolve_approval(call_id, decision))
        if asked is None:
            assert value == "no_pending_approval"
        elif call_id not in (None, asked.tool_call_id):
            assert value == "approval_not_found"
        else:
            assert (tag, value) == ("ok", asked)
            if decision == "approve_turn":
                self.trust[asked.trust_key] = "turn"
            if decision == "approve_session":
                self.trust[asked.trust_key] = "session"

    @rule(call=CALLS, scope=SCOPES)
    def auto_approve(self, call: ToolApproval, scope: TrustScope) -> None:
        was_active = self.now.is_active
        tag, value, _ = self.move(lambda s: s.auto_approve(call, scope))
        assert (tag, value) == ("approved" if was_active else "rejected", call)
        if was_active:
            self.auto[call.tool_call_id] = scope

    @rule(call_id=IDS, tool=TOOLS)
    def tool_started(self, call_id: str, tool: str) -> None:
        was_active, before, asked = (
            self.now.is_active,
            self.now.active_tools,
            self.now.pending_approval,
        )
        running = call_id in {active.tool_call_id for active in before}
        event = ToolStart(call_id=call_id, tool=tool)
        tag, value, after = self.move(lambda s: s.tool_started(event))
        if not was_active or running:
            assert value == ("tool_already_active" if was_active else "invalid_phase")
            return
        assert (tag, value) == ("ok", self.auto.pop(call_id, None))
        assert after.active_tools == (*before, (call_id, tool))
        assert (after.pending_approval, after.error) == (asked, None)

    @rule(call_id=IDS, success=st.booleans())
    def tool_completed(self, call_id: str, success: bool) -> None:
        before = self.now.active_tools
        event = ToolEnd(call_id=call_id, tool="read_file", success=success)
        tag, value, after = self.move(lambda s: s.tool_completed(event))
        if call_id not in {active.tool_call_id for active in before}:
            assert value == "tool_not_active"
            return
        assert tag == "ok"
        assert after.active_tools == tuple(t for t in before if t.tool_call_id != call_id)
        self.auto.pop(call_id, None)

    # ── Prompts, mode, trust, boundaries ────────────────────────────────────────────────────

    @rule(kind=KINDS)
    def admit_prompt(self, kind: PromptKind) -> None:
        self.contents += 1
        content, was_active = f"prompt {self.contents}", self.now.is_active
        tag = self.move(lambda s: s.admit_prompt(kind, content)).tag
        assert tag == ("queued" if was_active else "send_now")
        if was_active:
            (self.steering if kind == "steering" else self.follow_up).append(content)

    @rule()
    def dequeue_steering(self) -> None:
        assert self.move(lambda s: s.dequeue_steering()).value == tuple(self.steering)
        self.steering = []

    @rule()
    def recall_queues(self) -> None:
        value = self.move(lambda s: s.recall_queues()).value
        assert value == (tuple(self.steering), tuple(self.follow_up))
        self.steering, self.follow_up = [], []

    @rule()
    def clear_queues(self) -> None:
        self.move(lambda s: s.clear_queues())
        self.steering, self.follow_up = [], []

    @rule()
    def enter_plan(self) -> None:
        was = self.now.phase
        after = self.move(lambda s: s.enter_plan()).state
        assert after.phase == was or (was == "approval_waiting" and not after.pending_approval)
        self.mode = "plan"

    @rule()
    def enter_exec(self) -> None:
        was_plan, was = self.mode == "plan", self.now.phase
        tag, _, after = self.move(lambda s: s.enter_exec())
        assert (tag, after.phase) == ("changed" if was_plan else "unchanged", was)
        self.mode = "exec"

    @rule(name=TOOLS, scope=SCOPES)
    def put_trust(self, name: str, scope: TrustScope) -> None:
        self.move(lambda s: s.put_trust(name, scope))
        self.trust[name] = scope

    @rule(name=st.none() | TOOLS)
    def revoke_trust(self, name: str | None) -> None:
        self.move(lambda s: s.revoke_trust(name))
        self.trust = {key: held for key, held in self.trust.items() if name not in (None, key)}

    @rule(path=PATHS, start=NUMBERS, end=NUMBERS)
    def set_boundary(self, path: str, start: int, end: int) -> None:
        tag = self.move(lambda s: s.set_boundary(path, start, end, cwd="/p")).tag
        assert (tag == "ok") is (0 <= start <= end)
        if tag == "ok":
            self.bounds["/p/b.py" if path == "/p/b.py" else "/p/calc.py"] = (start, end)

    @rule(path=PATHS)
    def clear_boundary(self, path: str) -> None:
        self.move(lambda s: s.clear_boundary(path, cwd="/p"))
        self.bounds.pop("/p/b.py" if path == "/p/b.py" else "/p/calc.py", None)

    @rule()
    def clear_boundaries(self) -> None:
        self.move(lambda s: s.clear_boundaries())
        self.bounds = {}

    @rule(how=st.sampled_from(["reset", "restore"]), sure=st.integers(0, 3))
    def begin_again(self, how: str, sure: int) -> None:
        if sure == 0:
            self.move(lambda s: s.reset() if how == "reset" else s.restore())
            self.forget_all()

    # ── Laws ────────────────────────────────────────────────────────────────────────────────

    @invariant()
    def holds_what_was_put_in_and_nothing_else(self) -> None:
        assert self.now.mode == self.mode
        assert self.now.queues == (tuple(self.steering), tuple(self.follow_up))
        assert self.now.trust_levels == self.trust
        assert self.now.pending_auto_approvals == self.auto
        assert {p: (b.start, b.end) for p, b in self.now.boundaries.items()} == self.bounds

    @invariant()
    def at_rest_nothing_of_a_run_is_left(self) -> None:
        if not self.now.is_active:
            assert self.now.active_tools == ()
            assert self.now.pending_approval is None
            assert not self.now.pending_auto_approvals
            assert (self.now.error is None) is (self.now.phase == "idle")

    @invariant()
    def tools_run_in_tool_execution_and_only_there(self) -> None:
        tools = self.now.active_tools
        ids = [tool.tool_call_id for tool in tools]
        assert len(ids) == len(set(ids))
        if self.now.phase not in {"approval_waiting", "tool_execution"}:
            assert not tools
        if self.now.phase == "tool_execution":
            assert tools

    @invariant()
    def names_follow_from_mode_and_phase_alone(self) -> None:
        now = self.now
        assert now.phase in get_args(PhaseName)
        assert now.is_active is isinstance(now.phase_value, Active)
        known = self.statuses.setdefault((now.mode, repr(now.phase_value)), now.status)
        assert now.status == known
        assert (now.status == "plan") is (now.mode == "plan")

    @invariant()
    def what_can_be_reclaimed_holds_nothing(self) -> None:
        if self.now.is_reclaimable:
            assert not self.now.is_active
            assert self.now.queues == ((), ())

    @invariant()
    def plan_mode_and_back_costs_a_waiting_approval_at_most(self) -> None:
        planned = self.now.enter_plan().state
        assert planned.enter_plan().state == planned
        back: Any = planned.enter_exec().state
        assert back.pending_approval is None
        assert back.trust_levels == self.now.trust_levels
        assert back.active_tools == self.now.active_tools

    @invariant()
    def paths_are_absolute_and_plain(self) -> None:
        for path in self.now.boundaries:
            assert path.startswith("/")
            assert posixpath.normpath(path) == path

    def teardown(self) -> None:
        assert self.now.reset().state == self.now.restore().state == TurnExecution.new()
        for state, written in self.seen:
            assert repr(state) == written


TestAnySitting = AnySitting.TestCase
TestAnySitting.settings = settings(
    max_examples=40,
    stateful_step_count=100,
)
