"""Runs the frozen checks of a goal and reads their exit codes; the verdict is the rules'."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Sequence

from agent_cockpit.errors import ToolRefused
from agent_cockpit.events.checks import CheckResult, PlannedCheck, VerifierResult
from agent_cockpit.rules.checks.smoke_floor import PROGRAMS, floor_check
from agent_cockpit.rules.checks.verification import Claim as Claim
from agent_cockpit.rules.checks.verification import checks_to_run, judge, not_run, settle
from agent_cockpit.settings import HarnessConfig
from agent_cockpit.workspace.cancellation import CancellationToken
from agent_cockpit.workspace.processes import ChildResult, run_child
from agent_cockpit.workspace.project.check_files import present_python
from agent_cockpit.workspace.sandbox.protocol import OF_A_CHECK
from agent_cockpit.workspace.workspace import Workspace


class Verifier:
    """Runs checks one after the other: they share a tree, and may write caches into it."""

    def __init__(self, *, workspace: Workspace, config: HarnessConfig) -> None:
        self._workspace = workspace
        self._config = config

    async def verify(
        self,
        claim: Claim,
        *,
        cancellation: CancellationToken,
        started: Callable[[PlannedCheck], None],
        finished: Callable[[CheckResult], None],
        heard: Callable[[str], None],
    ) -> VerifierResult:
        """The verdict on `claim`; every check that started also finishes.

        A cancellation ends the running check's processes, counts the rest as skipped, and
        gives a verdict that did not pass. `heard` takes pieces of live output.
        """
        results: list[CheckResult] = []
        broken_chains: dict[str, str] = {}
        for check in checks_to_run(claim):
            if check.chain is not None and check.chain in broken_chains:
                result = not_run(check, after=broken_chains[check.chain])
            elif cancellation.cancelled:
                result = judge(check, _cancelled(check), claim)
            else:
                started(check)
                try:
                    ended = await self._run(check, cancellation, heard)
                except asyncio.CancelledError:
                    finished(judge(check, _cancelled(check), claim))
                    raise
                result = judge(check, ended, claim)
            finished(result)
            results.append(result)
            if check.chain is not None and result.status == "fail":
                broken_chains.setdefault(check.chain, check.name)
        # A diff may hold a whole generated file; reading it must not hold up the screen.
        return await asyncio.to_thread(settle, claim, results)

    async def floor(self, changed: Sequence[str], *, alone: bool) -> PlannedCheck | None:
        """What reads the changed files that there are, None where this machine cannot."""
        return await asyncio.to_thread(self._floor, changed, alone)

    def _floor(self, changed: Sequence[str], alone: bool) -> PlannedCheck | None:
        root = self._workspace.root
        return floor_check(
            [path for path in changed if (root / path).is_file()],
            [name for name in PROGRAMS if shutil.which(name)],
            is_package=(root / "package.json").exists(),
            alone=alone,
        )

    async def _run(
        self, check: PlannedCheck, cancellation: CancellationToken, heard: Callable[[str], None]
    ) -> ChildResult:
        try:
            return await run_child(
                present_python(check.command),
                cwd=self._workspace.root,
                timeout_s=self._config.command_timeout_seconds,
                cancellation=cancellation,
                output_budget=self._config.command_output_budget,
                heard=heard,
                held=await asyncio.to_thread(self._workspace.sandbox.hold, OF_A_CHECK),
            )
        except ToolRefused as refused:
            return ChildResult(command=check.command, output=str(refused), exit_code=126)


def _cancelled(check: PlannedCheck) -> ChildResult:
    return ChildResult(command=check.command, cancelled=True)
