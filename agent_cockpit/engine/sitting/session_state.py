"""The sitting as a whole: one conversation over many goals, each run through its own
`Session` (documents 003 and 004; who owns what: turns C1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from agent_cockpit.engine.goals.session import Session
from agent_cockpit.engine.ports import Decide
from agent_cockpit.engine.report import report_of
from agent_cockpit.engine.sitting.asides import Asides
from agent_cockpit.engine.sitting.input_queue import queued_texts
from agent_cockpit.engine.sitting.meta import MetaDesk
from agent_cockpit.engine.sitting.plan_flow import PlanFlow
from agent_cockpit.engine.state import MetaResult, Report, TaskState
from agent_cockpit.engine.stopping import RunCancelled, unless_stopped
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.events.harness import ApprovalRequested
from agent_cockpit.events.messages import Block, TextBlock
from agent_cockpit.events.sitting import PromptsRecalled
from agent_cockpit.rules.meta_commands import is_meta
from agent_cockpit.rules.turn_execution import PromptKind
from agent_cockpit.text import clean


class ReplSession(Asides):
    """Drives a sitting; made by a `Harness`, used from one event loop.

    `drive` is the whole way of a prompt (admit, route, run, plan, go on with what is
    queued); `start`, `Session.run` and `record` are the same in steps. `auto` makes failed
    checks final instead of a question. `allow_dirty` accepts uncommitted changes at the
    first goal. With a `journal` the whole sitting is recorded there.
    """

    async def drive(
        self, text: str, *, kind: PromptKind = "steering", decide: Decide | None = None
    ) -> TaskState | None:
        """Admit a prompt: None when it joined a queue; else run it, and what was queued
        meanwhile, to the end, and return the last goal's terminal state.

        Plans go to `decide`; without one a plan is recorded and left. Raises `PersonCanAct`
        when the goal cannot start (the prompt then counts as not sent).
        """
        if not self._admit(text, kind):
            return None
        prompt = text
        while True:
            before = self._session
            try:
                state, waiting = await self._run_admitted(prompt, decide)
            except PersonCanAct:
                if self._session is before:  # else a goal began, and its end settled it all
                    self._execution.take(self.execution.queued_send_failed())
                    self._not_sent()
                raise
            except BaseException:
                if self._session is before:
                    self._execution.take(self.execution.abort())
                    self._not_sent(prompt)
                raise
            if not waiting:
                return state
            self._handed_over = queued_texts(waiting)
            prompt = "\n\n".join(self._handed_over)

    async def submit(self, prompt: str) -> TaskState:
        """Run one goal to its end and record it; `ValueError` in plan mode, `RuntimeError`
        while another goal runs."""
        if self.mode == "plan":
            raise ValueError("plan mode needs decisions: use submit_plan, or set another mode")
        self._execution.begin_turn()
        try:
            session = await self.astart(prompt)
        except BaseException:
            self._execution.take(self.execution.abort())
            self._give_back()
            raise
        session.admitted = True
        return await self._run_recorded(session)

    async def submit_plan(self, prompt: str, decide: Decide) -> TaskState:
        """Plan, decide, build: the terminal state of the build, or of the planning when
        nothing was approved. `RuntimeError` while another goal runs."""
        self._execution.must_rest()
        return await PlanFlow(self, prompt, decide).run()

    async def run(self, blocks: list[Block]) -> Report:
        """Run one goal of message blocks; raises nothing for any end of it."""
        text = "\n\n".join(block.text for block in blocks if isinstance(block, TextBlock))
        return await self.run_text(text)

    def withdraw(self, kind: PromptKind, text: str) -> bool:
        """Take one waiting prompt back to the composer, the newest of these words in its
        queue; False when it waits no more."""
        execution = self.execution
        lanes = dict(zip(("steering", "follow_up"), map(list, execution.queues), strict=True))
        wanted = clean(text).strip()
        places = [
            place
            for place, content in enumerate(lanes[kind])
            if isinstance(content, str) and clean(content).strip() == wanted
        ]
        if not places or not execution.is_active:
            return False
        taken = lanes[kind].pop(places[-1])
        self._execution.take(execution.recall_queues())
        for lane, contents in lanes.items():
            for content in contents:
                self._execution.take(self.execution.admit_prompt(cast(PromptKind, lane), content))
        self._publish(PromptsRecalled(texts=list(queued_texts((taken,))), to="composer"))
        return True

    async def run_text(self, prompt: str) -> Report:
        """Run one goal and return its report; raises nothing for any end of it."""
        try:
            state = await self.drive(prompt)
        except Exception as error:  # whatever it was, the caller gets a report of it
            known = isinstance(error, PersonCanAct)
            return Report(
                status="error",
                outcome="incomplete",
                error=str(error) if known else f"{type(error).__name__}: {error}",
                session_id=self.state.session_id,
            )
        if state is None:
            return Report(status="queued", session_id=self.state.session_id)
        session = self._session
        if session is not None and session.state is state and session.report is not None:
            return session.report
        return report_of(state, session_id=self.state.session_id, calls=())

    def is_meta(self, text: str) -> bool:
        """Whether the text is a command that is handled here and never sent."""
        return is_meta(text)

    def run_meta(self, text: str) -> MetaResult:
        """Handle a `/command`; an unknown one is reported."""
        return MetaDesk(self).run(text)

    async def arun_meta(self, text: str) -> MetaResult:
        """As `run_meta`, with its waiting off the event loop."""
        return await MetaDesk(self).arun(text)

    async def resolve_approval(
        self,
        approval_id: str,
        *,
        allow: bool,
        remember: bool = False,
        reason: str = "",
        scope: str | None = None,
        edited: dict[str, Any] | None = None,
        kept: Sequence[int] | None = None,
    ) -> None:
        """Decide a waiting call of the running goal; without one it does nothing."""
        if self._session is not None:
            await self._session.resolve_approval(
                approval_id,
                allow=allow,
                remember=remember,
                reason=reason,
                scope=scope,
                edited=edited,
                kept=kept,
            )

    async def reconsider(self, approval_id: str, edited: dict[str, Any]) -> ApprovalRequested:
        """The question as it would be if the waiting call were `edited`; decides nothing."""
        if self._session is None:
            raise PersonCanAct("this call does not wait any more")
        return await self._session.reconsider(approval_id, edited)

    async def _run_admitted(
        self, prompt: str, decide: Decide | None
    ) -> tuple[TaskState, tuple[Any, ...]]:
        """Run an admitted prompt; its terminal state, and what is to be sent next."""
        try:
            ready = await unless_stopped(self._look_before(prompt), self._token)
        except RunCancelled:
            self._execution.take(self.execution.abort())
            self._goal_ended()
            self._not_sent(prompt)
            state = TaskState(goal=prompt, outcome="incomplete", status="cancelled")
            return state, ()
        if ready is None:
            flow = PlanFlow(self, prompt, decide, admitted=True)
            state = await flow.run()
            return state, flow.next_prompts
        session = self._open(*ready, append_turn=True)
        session.admitted = session.takes_queue = True
        return await self._run_recorded(session), session.next_prompts

    async def _run_recorded(self, session: Session) -> TaskState:
        """Run the goal and record how it went, also when it was stopped hard."""
        try:
            return await session.run()
        finally:
            if session.state.terminal:
                self.record(session.state)
