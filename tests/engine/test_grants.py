"""Standing approvals in a live run: what `[a]` stores, what it covers, and what nothing covers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from agent_cockpit.engine.goals.session import Session
from agent_cockpit.events.harness import ApprovalRequested
from agent_cockpit.rules.consent.grants import ApprovalGrant
from tests.support.goals import Folder, no, questions, run_with, runs, settled, started, yes
from tests.support.scripted_provider import calls, says

TOUCH = "touch one.tmp"
GRANT = ApprovalGrant(tool="run_command", prefix="touch", tier=3)


def standing(session: Session) -> list[tuple[str, str | None]]:
    return [(event.via, event.scope) for event in settled(session)]


async def test_always_is_asked_once_and_recorded_as_a_grant_after(folder: Folder) -> None:
    session = folder.goal(runs("python tool.py"), runs("python tool.py -q"), says("ok"))
    await run_with(session, yes(session, remember=True))
    assert session.grants == [ApprovalGrant(tool="run_command", prefix="python tool.py", tier=3)]
    assert len(questions(session)) == 1
    assert standing(session) == [("human", "grant"), ("grant", "python tool.py")]
    first, second = settled(session)
    assert second.approval_id != first.approval_id
    assert len(started(session)) == 2


async def test_what_the_panel_promises_is_what_the_grant_covers(folder: Folder) -> None:
    session = folder.goal(runs(TOUCH), says("ok"))
    await run_with(session, yes(session, remember=True))
    (question,) = questions(session)
    assert "touch" in (question.grant_scope or "")
    assert session.grants == [GRANT]


async def test_another_program_is_asked_about(folder: Folder) -> None:
    session = folder.goal(runs(TOUCH), runs("mkdir sub"), says("ok"))
    await run_with(session, yes(session, remember=True))
    assert [event.via for event in settled(session)] == ["human", "human"]


async def test_once_is_once(folder: Folder) -> None:
    session = folder.goal(runs(TOUCH), runs(TOUCH), says("ok"))
    await run_with(session, yes(session))
    assert session.grants == []
    assert standing(session) == [("human", "once"), ("human", "once")]


async def test_there_is_no_always_no(folder: Folder) -> None:
    session = folder.goal(runs(TOUCH), runs(TOUCH), says("ok"))

    async def never(question: ApprovalRequested) -> None:
        await session.resolve_approval(question.approval_id, allow=False, remember=True)

    await run_with(session, never)
    assert session.grants == []
    assert len(questions(session)) == 2


UNKEEPABLE: dict[str, tuple[str, dict[str, Any]]] = {
    "what destroys": ("run_command", {"command": "rm -rf notes.md"}),
    "what publishes": ("run_command", {"command": "git push"}),
    "a shell with inline code": ("run_command", {"command": "sh -c 'touch x'"}),
    "an interpreter with inline code": ("run_command", {"command": "python -c 'print(1)'"}),
    "an amendment of the checks": (
        "alter_verification",
        {"checks": [{"command": "pytest -q"}], "rationale": "the plan has no such test"},
    ),
}


@pytest.mark.parametrize("name", UNKEEPABLE)
async def test_always_counts_as_once_where_nothing_may_be_kept(folder: Folder, name: str) -> None:
    again = calls(UNKEEPABLE[name])
    session = folder.goal(again, again, says("ok"))
    session.grants.append(ApprovalGrant(tool=UNKEEPABLE[name][0], prefix="alter", tier=4))
    made_by_hand = list(session.grants)
    await run_with(session, yes(session, remember=True, scope="session"))
    assert session.grants == made_by_hand
    assert [question.grant_scope for question in questions(session)] == [None, None]
    assert standing(session) == [("human", "once")] * 2


async def test_a_grant_lasts_from_goal_to_goal_of_one_sitting(folder: Folder) -> None:
    repl = folder.sitting(runs(TOUCH), says("ok"), runs(TOUCH), says("ok"), max_repair_attempts=1)
    repl.set_mode("edit")
    first = repl.start("one")
    repl.record(await run_with(first, yes(first, remember=True)))
    second = repl.start("two")
    await run_with(second, no(second))
    assert second.grants is repl.state.grants
    assert (questions(second), standing(second)) == ([], [("grant", "touch")])
    assert folder.sitting().state.grants == []


async def test_an_edit_grant_covers_that_edit_tool_alone(folder: Folder) -> None:
    def edit(old: str, new: str) -> tuple[str, dict[str, Any]]:
        return "str_replace", {"path": "notes.md", "old_string": old, "new_string": new}

    session = folder.goal(
        calls(edit("one", "1")),
        calls(edit("two", "2"), ("delete_file", {"path": "notes.md"})),
        says("ok"),
        asks_edits=True,
        max_repair_attempts=1,
    )

    async def person(question: ApprovalRequested) -> None:
        keeps = question.tool == "str_replace"
        await session.resolve_approval(question.approval_id, allow=True, remember=keeps)

    await run_with(session, person)
    assert [question.tool for question in questions(session)] == ["str_replace", "delete_file"]
    assert session.grants == [ApprovalGrant(tool="str_replace", prefix="str_replace", tier=1)]


Scope = Callable[[Session], Callable[[ApprovalRequested], Awaitable[None]]]


async def test_trust_of_a_goal_covers_the_exact_command_and_dies_with_the_goal(
    folder: Folder,
) -> None:
    script = (runs(TOUCH), runs(TOUCH), runs("touch two.tmp"), says("ok"), runs(TOUCH), says("ok"))
    repl = folder.sitting(*script, max_repair_attempts=1)
    repl.set_mode("edit")
    first = repl.start("one")
    repl.record(await run_with(first, yes(first, scope="turn")))
    assert standing(first) == [("human", "turn"), ("grant", "turn"), ("human", "turn")]
    second = repl.start("two")
    await run_with(second, yes(second))
    assert standing(second) == [("human", "once")]
    assert repl.state.grants == []


async def test_trust_of_a_sitting_outlives_the_goal(folder: Folder) -> None:
    script = (runs(TOUCH), says("ok"), runs(TOUCH), runs("touch two.tmp"), says("ok"))
    repl = folder.sitting(*script, max_repair_attempts=1)
    repl.set_mode("edit")
    first = repl.start("one")
    repl.record(await run_with(first, yes(first, scope="session")))
    second = repl.start("two")
    await run_with(second, yes(second))
    assert standing(second) == [("grant", "session"), ("human", "once")]


async def test_a_revoked_grant_is_asked_about_again(folder: Folder) -> None:
    repl = folder.sitting(runs(TOUCH), says("ok"), runs(TOUCH), says("ok"), max_repair_attempts=1)
    repl.set_mode("edit")
    first = repl.start("one")
    repl.record(await run_with(first, yes(first, remember=True)))
    assert repl.run_meta("/permissions revoke 1").kind == "message"
    second = repl.start("two")
    await run_with(second, yes(second))
    assert len(questions(second)) == 1
