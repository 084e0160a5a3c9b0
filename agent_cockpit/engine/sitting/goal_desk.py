"""How goals are opened and recorded, in steps (document 003)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agent_cockpit.engine.baseline import Baseline
from agent_cockpit.engine.goals.bench import Workbench
from agent_cockpit.engine.goals.openings import GoalSpec
from agent_cockpit.engine.goals.runner import AgentRunner
from agent_cockpit.engine.goals.session import Session
from agent_cockpit.engine.model.instructions import approved_plan, planning_revision
from agent_cockpit.engine.record.resume import go_on_prompt
from agent_cockpit.engine.sitting.change_keeper import ChangeKeeper
from agent_cockpit.engine.sitting.continuing import asking_goal, carry_evidence, carry_work
from agent_cockpit.engine.state import TaskState, Turn
from agent_cockpit.engine.surroundings import Surroundings
from agent_cockpit.events.base import Event
from agent_cockpit.events.sitting import Notice
from agent_cockpit.rules.answering import kind_of_answer
from agent_cockpit.rules.modes import TaskKind
from agent_cockpit.workspace.cancellation import CancellationToken


class GoalDesk(ChangeKeeper):
    """Opens a session a goal and records how it went; whoever starts a goal records it.

    A goal that could not start leaves nothing behind, and a prompt is recorded once.
    """

    def start(self, prompt: str) -> Session:
        """Build the goal's session without running it; blocks while it looks around."""
        if self.resolve_mode(prompt) == "plan":
            return self.start_plan(prompt)
        spec = self._spec(prompt)
        return self._open(spec, self._look(prompt), append_turn=True)

    async def astart(self, prompt: str) -> Session:
        """As `start`, with everything that waits off the event loop."""
        ready = await self._look_before(prompt)
        if ready is None:
            return await self.astart_plan(prompt)
        return self._open(*ready, append_turn=True)

    def start_plan(
        self, prompt: str, *, revision: str | None = None, previous: str = ""
    ) -> Session:
        """Build a plan goal; a revision carries the note and, with it, the plan so far."""
        spec = self._plan_spec(prompt, revision, previous)
        return self._open(spec, self._look(prompt), append_turn=False)

    async def astart_plan(
        self, prompt: str, *, revision: str | None = None, previous: str = ""
    ) -> Session:
        """As `start_plan`, off the event loop where it waits."""
        spec = self._plan_spec(prompt, revision, previous)
        return self._open(spec, await self._alook(prompt), append_turn=False)

    def start_build(self, prompt: str, plan: str) -> Session:
        """Build the edit goal of an approved plan; leaves the plan gate."""
        spec = self._build_spec(prompt, plan)
        return self._open(spec, self._look(prompt), append_turn=False)

    async def astart_build(self, prompt: str, plan: str) -> Session:
        """As `start_build`, off the event loop where it waits."""
        spec = self._build_spec(prompt, plan)
        return self._open(spec, await self._alook(prompt), append_turn=False)

    def record(self, state: TaskState) -> None:
        """Record a finished goal and the agent's reply; a second time changes nothing."""
        if state.task_id in self._recorded:
            return
        self._recorded.add(state.task_id)
        self.state.tasks.append(state)
        question = state.open_questions[-1] if state.open_questions else None
        blocked_on = question if state.outcome == "blocked" else None
        reply = state.final_answer if blocked_on is None else blocked_on
        if state.status == "cancelled":
            reply = None
        text = reply or blocked_on or state.outcome or "done"
        self.state.history.append(Turn(role="agent", text=text, task_id=state.task_id))
        self._router.forget()

    def record_goal(self, prompt: str, state: TaskState) -> TaskState:
        """Record a plan flow's goal: the person's turn once, then the terminal state."""
        if state.task_id not in self._recorded:
            self.state.history.append(Turn(role="user", text=prompt))
            self.record(state)
        return state

    def hold_turn(self) -> CancellationToken:
        """Stay busy between two runs of one prompt, so that what is sent meanwhile is queued;
        the token that a cancel stops. `let_turn_go` or the next run ends it."""
        self._execution.begin_turn()
        self._retire_abandoned_token()
        return self._token

    def let_turn_go(self, *, hands_over: bool = False) -> tuple[Any, ...]:
        """End what `hold_turn` began. What was queued goes back to where it was written, or,
        `hands_over`, to the caller, who is in the run of its prompt then."""
        self._goal_ended()
        if hands_over:
            self._execution.take(self.execution.begin_completion())
            return tuple(self._execution.take(self.execution.finish_completion()).value or ())
        self._execution.take(self.execution.abort())
        self._give_back()
        return ()

    def accept_edits(self) -> None:
        """Edits run without a question for the rest of the sitting; announced."""
        self.consent = "accept_edits"
        self._publish(Notice(text="mode: accept edits"))

    def take_past(self) -> tuple[Event, ...]:
        """What the journal held when the sitting was taken up again; given once."""
        events, self.past = self.past.events, replace(self.past, events=())
        return events

    @property
    def unfinished(self) -> str:
        """The prompt that goes on with the goal in which an earlier process ended; empty when
        it ended in none, and as soon as a goal is opened."""
        cut = self.past.unfinished
        is_over = self._baselines or self._page > self.past.page
        return "" if is_over or not cut else go_on_prompt(cut)

    @staticmethod
    def extract_plan(state: TaskState) -> str:
        """The plan that a plan goal proposes; empty when there is none."""
        return state.final_answer or "\n".join(state.current_plan)

    @staticmethod
    def plan_is_approvable(state: TaskState) -> bool:
        """Whether there is a plan to decide about, from a run that ended on its own."""
        return bool(GoalDesk.extract_plan(state).strip()) and state.outcome not in (
            "blocked",
            "incomplete",
        )

    @property
    def _page(self) -> int:
        """How many of the goals stand before the page that the person began last."""
        return max(self.past.page, self._page_begun)

    _page_begun = 0
    _opened: tuple[TaskState, Baseline] | None = None
    """The newest goal, and the tree that it began with."""

    # ── inside ───────────────────────────────────────────────────────────────────────────────

    async def _look_before(self, prompt: str) -> tuple[GoalSpec, Surroundings] | None:
        """What a goal is opened with, found without leaving a trace; None for a plan goal."""
        if "plan" in (await self.aresolve_mode(prompt), self.mode):
            return None
        spec = self._spec(prompt)
        return spec, await self._alook(prompt)

    def _look(self, prompt: str) -> Surroundings:
        """What there is before a goal; blocks."""
        self._settle_cut_work()
        return self._openings.look(prompt)

    async def _alook(self, prompt: str) -> Surroundings:
        """As `_look`, off the event loop."""
        await self._asettle_cut_work()
        return await self._openings.alook(prompt)

    def _spec(self, prompt: str) -> GoalSpec:
        if self.mode != "plan":
            self._execution.take(self.execution.enter_exec())
        mode = self._router.resolve_blocking(prompt, self.mode, self.state.history)
        kind: TaskKind = "edit" if mode == "plan" else mode
        asked, source = asking_goal(self.state.tasks[self._page :]), self.last_mode_source
        if asked is not None:
            by_words = source == "heuristic"
            same = kind_of_answer(prompt, told=kind, by_words=by_words, asked=asked.task_kind)
            if same is not None:
                constraints = tuple(asked.constraints)
                return GoalSpec(prompt, same, same, source, constraints, asked, goes_on=True)
        return GoalSpec(prompt, kind, kind, source, asked=asked)

    def _plan_spec(self, prompt: str, revision: str | None, previous: str) -> GoalSpec:
        self._execution.take(self.execution.enter_plan())
        constraints = () if revision is None else (planning_revision(previous, revision),)
        return GoalSpec(
            prompt=prompt,
            kind="investigate",
            mode="plan",
            source="override",
            constraints=constraints,
        )

    def _build_spec(self, prompt: str, plan: str) -> GoalSpec:
        if self._former_pin is not None:
            former, self._former_pin = self._former_pin[0], None
            self._pin(former)
        self._execution.take(self.execution.enter_exec())
        return GoalSpec(
            prompt=prompt,
            kind="edit",
            mode="build",
            source="override",
            constraints=(approved_plan(plan),),
        )

    def _carry_on(self, task: TaskState, spec: GoalSpec) -> Baseline | None:
        """Hand an answered question's goal over; the tree it began with, None for the present
        one."""
        if spec.asked is None:
            return None
        carry_evidence(task, spec.asked)
        opened = self._opened
        if not spec.goes_on or opened is None or opened[0] is not spec.asked:
            return None
        carry_work(task, spec.asked)
        return opened[1]

    def _open(self, spec: GoalSpec, seen: Surroundings, *, append_turn: bool) -> Session:
        """A session for the goal; the person's turn is recorded only now, when it can start."""
        self._refuse_when_closed()
        config = self.harness.config.model_copy(update={"effort": self._effort})
        task = spec.task()
        baseline = self._carry_on(task, spec)
        if baseline is None:
            baseline, found = Baseline(self.harness.snapshots, label=spec.prompt[:60]), None
        else:
            found = Baseline(self.harness.snapshots, label=spec.prompt[:60])
            self._found.append(found)
        if task.verification_plan:
            seen = replace(seen, checks=tuple(task.verification_plan))
        harness = self.harness
        bench = Workbench(
            config=config,
            provider=self._provider,
            workspace=harness.workspace,
            toolbox=harness.toolbox(),
            verifier=harness.verifier(),
            baseline=baseline,
            conversation=self.conversation,
            opening=self._openings.message(spec, seen, self.refused),
            found=found,
            changes_kept=self._changes_kept,
            checks=seen.checks,
            had_tests=seen.had_tests,
            planner=harness.open_planner(seen.documents),
            skills=seen.discovered.skills,
            conversational=not self.auto,
            unattended=harness.unattended,
            policy=self.policy,
            check_trust=harness.check_trust,
            approver=self._approver,
            refused=self.refused,
            sync=self._bus.sync,
        )
        self._retire_abandoned_token()
        self._token_is_taken = True
        runner = AgentRunner(bench, execution=self._execution, cancellation=self._token)
        session = Session(
            runner,
            task,
            journal=self.journal,
            grants=self.state.grants,
            ledger=self.ledger,
            unattended=harness.unattended,
            approval_timeout=config.approval_timeout_seconds,
            amendment_policy=config.autonomous_amendment_policy,
            escalation_policy=config.autonomous_escalation_policy,
            sitting=self._bus,
            began=self._goal_began,
            ended=self._goal_ended,
        )
        session.observers.append(self._branch)
        self._announce_start()
        self._baselines.append(baseline)
        self._opened = (task, baseline)
        if append_turn:
            self.state.history.append(Turn(role="user", text=spec.prompt, task_id=task.task_id))
        return session
