"""`/verify`: the checks of this folder now, because a person asks, outside of any goal.

Law: they run as they are, whatever changed or did not; a folder's own checks run only once the
person has seen them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from agent_cockpit.engine.ports import CheckTrust, VerifierPort
from agent_cockpit.engine.state import MetaResult, TaskState
from agent_cockpit.errors import WorkspaceError
from agent_cockpit.events.base import Event
from agent_cockpit.events.checks import PlannedCheck, VerifierResult
from agent_cockpit.events.harness import VerificationEnd, VerificationStart
from agent_cockpit.events.sitting import CheckFinished, CheckStarted
from agent_cockpit.rules.checks.smoke_floor import FLOOR_KINDS
from agent_cockpit.rules.checks.verification import ON_REQUEST, Claim
from agent_cockpit.text import reveal_line
from agent_cockpit.transcript.wording import count
from agent_cockpit.workspace.cancellation import CancellationToken

RUN = "run"
BUSY = "not now: a goal runs, or checks do; a goal runs them itself when it says it is done"
NO_CHECK = (
    "no check of this folder is known: name one with the setting test_command, or let a goal "
    "declare it"
)


@dataclass(frozen=True, kw_only=True)
class Checking:
    """One request. `resolve` finds the folder's checks and blocks; `tasks` are the sitting's
    goals, of which the newest frozen plan comes first."""

    tasks: tuple[TaskState, ...]
    resolve: Callable[[], tuple[PlannedCheck, ...]]
    trust: CheckTrust
    verifier: VerifierPort
    publish: Callable[[Event], Event]
    cancellation: CancellationToken

    async def run(self, argument: str) -> MetaResult:
        """Run them, told as they run and in a line at the end; or why they do not run."""
        if argument not in ("", RUN):
            return _why_not("/verify takes nothing, or `run` after the checks were shown")
        try:
            plan = await self._plan()
        except WorkspaceError as error:
            return _why_not(f"the checks of this folder cannot be told: {error}")
        if not plan:
            return _why_not(NO_CHECK)
        own = tuple(c.command for c in plan if c.kind not in ("declared", *FLOOR_KINDS))
        if not self.trust.is_trusted(own):
            if argument != RUN:
                return _why_not(_shown(plan))
            self.trust.trust(own)
        return MetaResult("told", _words(await self._verify(plan)))

    def run_blocking(self, argument: str) -> MetaResult:
        """As `run`, in a thread with a loop of its own, for callers that cannot await."""
        with ThreadPoolExecutor(max_workers=1) as thread:
            return thread.submit(lambda: asyncio.run(self.run(argument))).result()

    async def _plan(self) -> tuple[PlannedCheck, ...]:
        for task in reversed(self.tasks):
            if task.verification_plan:
                return tuple(task.verification_plan)
        return await asyncio.to_thread(self.resolve)

    async def _verify(self, plan: tuple[PlannedCheck, ...]) -> VerifierResult:
        self.publish(VerificationStart())
        result = await self.verifier.verify(
            Claim(kind=ON_REQUEST, plan=plan),
            cancellation=self.cancellation,
            started=lambda check: self._tell(CheckStarted(name=check.name, command=check.command)),
            finished=lambda result: self._tell(CheckFinished(result=result)),
            heard=lambda _: None,
        )
        self.publish(
            VerificationEnd(
                passed=result.passed, summary=result.summary, checks=list(result.checks)
            )
        )
        return result

    def _tell(self, event: Event) -> None:
        self.publish(event)


def _why_not(text: str) -> MetaResult:
    return MetaResult("message", text)


def _shown(plan: tuple[PlannedCheck, ...]) -> str:
    lines = [reveal_line(f"  {c.command}   ({c.provenance})") for c in plan]
    head = "these checks have not run in this folder yet; /verify run starts them from now on:"
    return "\n".join([head, *lines])


def _words(result: VerifierResult) -> str:
    passed = sum(check.status == "pass" for check in result.checks)
    if result.passed:
        return f"{count(passed, 'check')} passed"
    return f"{passed} of {count(len(result.checks), 'check')} passed: {result.summary}"
