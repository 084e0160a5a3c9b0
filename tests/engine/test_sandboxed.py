"""Sittings in a sandbox: commands and checks are held, events and cards say how."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from agent_cockpit.engine.goals.session import Session
from agent_cockpit.events.harness import ApprovalRequested, ToolEnd, VerificationEnd
from agent_cockpit.events.sitting import SittingStarted
from tests.support.goals import Folder, run_with, runs, writes
from tests.support.scripted_provider import says
from tests.workspace.sandboxes import NAMES, ground_in, working

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux sandboxes")


@pytest.fixture(params=NAMES)
def sandbox(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The name of one that works here."""
    name: str = request.param
    working(name, ground_in(tmp_path / "trial"))
    return name


async def asked_by(session: Session) -> list[ApprovalRequested]:
    """Run the goal, with a person who allows everything; what they were asked."""
    asked: list[ApprovalRequested] = []

    async def yes(question: ApprovalRequested) -> None:
        asked.append(question)
        await session.resolve_approval(question.approval_id, allow=True)

    await run_with(session, yes)
    return asked


async def test_a_sitting_says_what_holds_its_commands(folder: Folder, sandbox: str) -> None:
    for setting in (sandbox, "none"):
        stream = folder.sitting(sandbox=setting).events()
        async for event in stream:
            assert isinstance(event, SittingStarted)
            assert event.sandbox == setting
            break


async def test_the_card_says_what_would_be_left_to_the_command(
    folder: Folder, sandbox: str
) -> None:
    replies = (runs("mkdir new"), runs("git fetch nowhere"), says("done"))
    asked = await asked_by(folder.goal(*replies, sandbox=sandbox, mode="investigate"))
    assert [question.confinement for question in asked] == [
        "sandboxed · writes only in the workspace · no network",
        "sandboxed · writes only in the workspace · with network",
    ]
    assert (folder.root / "new").is_dir()
    asked = await asked_by(folder.goal(*replies, mode="investigate"))
    assert [question.confinement for question in asked] == [
        "no sandbox: it can do whatever you can",
        "no sandbox: it can do whatever you can · with network",
    ]


async def test_an_allowed_command_cannot_leave_the_workspace(folder: Folder, sandbox: str) -> None:
    escaped = folder.root.parent / "escaped"
    script = folder.root / "build.sh"
    script.write_text(f"echo x > {escaped}\necho y > built\n")
    session = folder.goal(
        runs("sh build.sh"), says("done"), sandbox=sandbox, mode="investigate", allow_dirty=True
    )
    stream = session.events()
    await asked_by(session)
    ends = [event async for event in stream if isinstance(event, ToolEnd)]
    assert [end.success for end in ends] == [True]
    assert (folder.root / "built").exists()
    assert not escaped.exists()


async def test_checks_are_held_and_judged_all_the_same(folder: Folder, sandbox: str) -> None:
    escaped = folder.root.parent / "escaped"
    check = f"echo x > {escaped}; grep -q good a.txt"
    for setting in (sandbox, "none"):
        folder.root.joinpath("a.txt").write_text("bad\n")
        escaped.unlink(missing_ok=True)
        session = folder.goal(
            writes(), says("done"), sandbox=setting, test_command=check, allow_dirty=True
        )
        stream = session.events()
        await asked_by(session)
        verdicts = [event.passed async for event in stream if isinstance(event, VerificationEnd)]
        assert verdicts == [True]
        assert escaped.exists() == (setting == "none")


async def test_the_record_is_hidden_from_commands(folder: Folder, sandbox: str) -> None:
    folder.state.mkdir()
    (folder.state / "kept.txt").write_text("recorded")
    session = folder.goal(
        runs(f"python3 -c \"print(open('{folder.state}/kept.txt').read())\""),
        says("done"),
        sandbox=sandbox,
        mode="investigate",
    )
    stream = session.events()
    await asked_by(session)
    ends = [event async for event in stream if isinstance(event, ToolEnd)]
    assert "recorded" not in ends[-1].content
