"""The frozen checks, run for real."""

from __future__ import annotations

import asyncio
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from agent_cockpit.engine.goals.verifier import Claim, Verifier
from agent_cockpit.events.checks import CheckKind, CheckResult, PlannedCheck, VerifierResult
from agent_cockpit.settings import SENSITIVE_PATHS, HarnessConfig
from agent_cockpit.workspace.cancellation import CancellationToken
from agent_cockpit.workspace.workspace import Workspace

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX process groups")


def check(
    command: str, name: str = "tests", kind: CheckKind = "test", chain: str | None = None
) -> PlannedCheck:
    return PlannedCheck(name=name, command=command, kind=kind, provenance="x", chain=chain)


@dataclass
class Run:
    """One verification and all that it announced."""

    root: Path
    config: HarnessConfig = field(default_factory=HarnessConfig)
    cancellation: CancellationToken = field(default_factory=CancellationToken)
    announced: list[str] = field(default_factory=list)
    began: asyncio.Event = field(default_factory=asyncio.Event)
    output: str = ""

    async def verify(self, *plan: PlannedCheck) -> VerifierResult:
        workspace = Workspace(self.root, sensitive_globs=SENSITIVE_PATHS)
        claim = Claim(kind="edit", answer="done", plan=plan, changed=("calc.py",))
        return await Verifier(workspace=workspace, config=self.config).verify(
            claim,
            cancellation=self.cancellation,
            started=self._started,
            finished=self._finished,
            heard=self._heard,
        )

    def _started(self, check: PlannedCheck) -> None:
        self.announced.append(f"> {check.name}")
        self.began.set()

    def _finished(self, result: CheckResult) -> None:
        self.announced.append(f"{result.name} {result.status}")

    def _heard(self, text: str) -> None:
        self.output += text
        if "now" in text:
            self.cancellation.cancel("enough")


async def test_the_exit_code_decides(tmp_path: Path) -> None:
    (tmp_path / "ok").touch()
    run = Run(tmp_path)
    result = await run.verify(check("test -f ok && echo fine"), check("echo bad; exit 3", "lint"))
    assert result.summary == "verification failed: lint"
    assert run.announced == ["> tests", "tests pass", "> lint", "lint fail"]
    assert result.checks[-1].exit_code == 3
    assert "exit 3\nbad" in result.detail
    assert run.output == "fine\nbad\n"


async def test_a_missing_program_fails_with_words(tmp_path: Path) -> None:
    result = await Run(tmp_path).verify(check("no-such-program-here --now"))
    assert "missing or cannot run (127)" in result.detail
    assert "no-such-program-here" in result.detail


@pytest.mark.parametrize("command", ["echo \0", " "])
async def test_a_command_that_nothing_can_run_fails_with_words(
    tmp_path: Path, command: str
) -> None:
    result = await Run(tmp_path).verify(check(command))
    assert not result.passed
    assert "the command" in result.detail


async def test_a_hanging_check_is_ended_and_keeps_its_output(tmp_path: Path) -> None:
    run = Run(tmp_path, HarnessConfig(command_timeout_seconds=1.5))
    result = await run.verify(check("echo half; sleep 600"))
    assert "no end within its time" in result.detail
    assert "half" in result.detail


async def test_a_broken_link_fails_the_rest_of_its_chain_unrun(tmp_path: Path) -> None:
    run = Run(tmp_path)
    result = await run.verify(
        check("exit 1", "declared_1", "declared", "declared:1"),
        check("touch ran", "declared_2", "declared", "declared:1"),
        check("touch other", "declared_3", "declared", "declared:2"),
    )
    assert result.summary == "verification failed: declared_1, declared_2"
    assert run.announced == [
        "> declared_1",
        "declared_1 fail",
        "declared_2 fail",
        "> declared_3",
        "declared_3 pass",
    ]
    assert not (tmp_path / "ran").exists()
    assert (tmp_path / "other").exists()


async def test_cancelling_ends_the_running_check_and_starts_no_other(tmp_path: Path) -> None:
    run = Run(tmp_path)
    result = await run.verify(check("echo now; sleep 600; touch late"), check("touch late", "lint"))
    assert not result.passed
    assert run.announced == ["> tests", "tests skip", "lint skip"]
    assert not (tmp_path / "late").exists()


async def test_a_hard_cancel_still_finishes_the_check_that_it_hit(tmp_path: Path) -> None:
    run = Run(tmp_path)
    task = asyncio.create_task(run.verify(check("sleep 600")))
    await run.began.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert run.announced == ["> tests", "tests skip"]


async def test_a_real_unittest_run_proves_an_edit(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text(
        "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): pass\n"
    )
    result = await Run(tmp_path).verify(check(f"{shlex.quote(sys.executable)} -m unittest"))
    assert result.passed
    assert result.checks[-1].evidence == "OK"


async def test_a_unittest_run_of_no_tests_proves_nothing(tmp_path: Path) -> None:
    result = await Run(tmp_path).verify(check(f"{shlex.quote(sys.executable)} -m unittest"))
    assert not result.passed
    assert result.checks[-1].status == "skip"
