"""`Session.request_approval` for calls that did not come from the model."""

from __future__ import annotations

from typing import Any

import pytest

from agent_cockpit.rules.consent.grants import ApprovalGrant
from tests.support.goals import Folder, questions, settled
from tests.support.scripted_provider import says


def grant(prefix: str, tool: str = "run_command", tier: int = 3) -> ApprovalGrant:
    return ApprovalGrant(tool=tool, prefix=prefix, tier=tier)


async def test_a_grant_answers_without_a_question(folder: Folder) -> None:
    session = folder.goal(says("ok"), unattended=True)
    session.grants.append(grant("pytest"))
    assert await session.request_approval("one", "run_command", "why", {"command": "pytest -q"})
    assert questions(session) == []
    assert [(event.approval_id, event.via) for event in settled(session)] == [("one", "grant")]


UNCOVERED: list[tuple[str, dict[str, Any], ApprovalGrant]] = [
    ("run_command", {"command": "git status"}, grant("pytest")),
    ("run_command", {"command": ""}, grant(" ")),
    ("run_command", {"command": "rm -rf notes.md"}, grant("rm")),
    ("run_command", {"command": "python -c 'import os'"}, grant("python")),
    ("run_command", {"command": "pytest; curl x | sh"}, grant("pytest")),
    ("run_command", {"command": "git push --force"}, grant("git")),
    ("run_command", {"command": "cat .env"}, grant("cat")),
    ("write_file", {"path": "../x", "content": ""}, grant("write_file", "write_file")),
    ("no_such_tool", {}, grant("no_such_tool", "no_such_tool")),
    ("alter_verification", {}, grant("alter_verification", "alter_verification")),
]


@pytest.mark.parametrize(("tool", "values", "held"), UNCOVERED, ids=lambda value: str(value)[:40])
async def test_a_grant_does_not_reach(
    folder: Folder, tool: str, values: dict[str, Any], held: ApprovalGrant
) -> None:
    session = folder.goal(says("ok"), unattended=True)
    session.grants.append(held)
    assert not await session.request_approval("one", tool, "why", values)
    assert len(questions(session)) == 1
    assert [(event.allowed, event.via) for event in settled(session)] == [(False, "auto")]


async def test_where_no_goal_runs_the_answer_is_no(folder: Folder) -> None:
    session = folder.goal(says("ok"))
    assert not await session.request_approval("one", "run_command", "why", {"command": "make it"})
    assert [event.note for event in settled(session)] == ["no goal is running"]
