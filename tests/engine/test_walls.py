"""What no answer opens: places, boundaries and the plan gate, in a live run."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agent_cockpit.events.harness import ApprovalRequested
from agent_cockpit.rules.consent.grants import ApprovalGrant
from tests.support.goals import (
    Folder,
    ends,
    next_of,
    questions,
    run_with,
    runs,
    settled,
    started,
    told,
    writes,
    yes,
)
from tests.support.repositories import git, private_parts
from tests.support.scripted_provider import calls, says
from tests.support.waiting import until

FORBIDDEN: dict[str, tuple[str, dict[str, Any]]] = {
    "read outside": ("read_file", {"path": "../outside.txt"}),
    "read by an absolute path": ("read_file", {"path": "/etc/passwd"}),
    "write outside": ("write_file", {"path": "../outside.txt", "content": "x", "overwrite": True}),
    "write through a link": ("write_file", {"path": "link/new.txt", "content": "x"}),
    "read through a link": ("read_file", {"path": "link/outside.txt"}),
    "read a secret": ("read_file", {"path": ".env"}),
    "read a secret in other letters": ("read_file", {"path": "KEYS/ID_RSA"}),
    "write a secret": ("write_file", {"path": ".env", "content": "x", "overwrite": True}),
    "replace in a secret": (
        "str_replace",
        {"path": ".env", "old_string": "TOKEN", "new_string": "x"},
    ),
    "delete a secret": ("delete_file", {"path": ".env"}),
    "print a secret": ("run_command", {"command": "cat .env"}),
    "print a secret by a pipe": ("run_command", {"command": "true | head -1 .env"}),
    "write into .git": ("write_file", {"path": ".git/hooks/pre-commit", "content": "x"}),
    "write into .git by a shell": ("run_command", {"command": "echo x > .git/config"}),
    "read the state": ("read_file", {"path": "../state/trusted-checks.json"}),
}


@pytest.mark.parametrize("name", FORBIDDEN)
async def test_no_answer_opens_it(folder: Folder, name: str) -> None:
    outside = folder.root.parent / "elsewhere"
    outside.mkdir()
    (outside / "outside.txt").write_text("TOP SECRET\n")
    (folder.root.parent / "outside.txt").write_text("TOP SECRET\n")
    (folder.root / "link").symlink_to(outside)
    (folder.root / ".env").write_text("TOKEN=TOP SECRET\n")
    (folder.root / "KEYS").mkdir()
    (folder.root / "KEYS" / "ID_RSA").write_text("TOP SECRET\n")
    config = (folder.root / ".git/config").read_text()
    tool, values = FORBIDDEN[name]
    session = folder.goal(calls((tool, values)), says("ok"), max_repair_attempts=1)
    session.grants.append(ApprovalGrant(tool=tool, prefix=tool, tier=3))
    await run_with(session, yes(session, remember=True, scope="session"))
    assert started(session) == []
    assert settled(session) == []
    (end,) = ends(session)
    assert end.refused
    answer = told(folder.provider.requests[1])
    assert answer
    assert "TOP SECRET" not in answer
    assert (folder.root / ".env").read_text() == "TOKEN=TOP SECRET\n"
    assert (folder.root.parent / "outside.txt").read_text() == "TOP SECRET\n"
    assert (folder.root / ".git/config").read_text() == config
    assert sorted(path.name for path in outside.iterdir()) == ["outside.txt"]
    assert session.grants == [ApprovalGrant(tool=tool, prefix=tool, tier=3)]


@pytest.mark.parametrize("tool", ["list_files", "search_repo"])
async def test_what_is_listed_or_found_holds_no_secret(folder: Folder, tool: str) -> None:
    (folder.root / ".env").write_text("TOKEN=TOP SECRET\n")
    values = {"query": "SECRET|one"} if tool == "search_repo" else {}
    session = folder.goal(calls((tool, values)), says("ok"), mode="investigate")
    await session.run()
    answer = told(folder.provider.requests[1])
    assert "notes.md" in answer
    assert "SECRET" not in answer


async def test_a_referenced_secret_is_noted_and_never_shown(folder: Folder) -> None:
    (folder.root / ".env").write_text("TOKEN=TOP SECRET\n")
    repl = folder.sitting(says("ok"))
    await repl.submit("what is in @.env and @notes.md and @nowhere.txt?")
    opening = told(folder.provider.requests[0])
    assert "TOP SECRET" not in opening
    assert "two" in opening
    assert "not shown" in opening
    assert "no such file" in opening


# ── edit boundaries ──────────────────────────────────────────────────────────────────────────────


def replaces(old: str, new: str) -> tuple[str, dict[str, Any]]:
    return "str_replace", {"path": "notes.md", "old_string": old, "new_string": new}


async def test_an_edit_beyond_its_boundary_is_refused_and_one_inside_runs(folder: Folder) -> None:
    repl = folder.sitting(
        calls(replaces("one", "1"), replaces("two", "2")), says("ok"), max_repair_attempts=1
    )
    repl.set_mode("edit")
    repl.run_meta("/boundary notes.md 2-3")
    session = repl.start("go")
    await run_with(session, yes(session))
    assert folder.text("notes.md") == "one\n2\nthree\n"
    assert [end.success for end in ends(session)] == [False, True]
    assert "2-3" in told(folder.provider.requests[1])


async def test_a_boundary_holds_for_a_call_that_waited_while_it_was_drawn(folder: Folder) -> None:
    repl = folder.sitting(
        calls(replaces("one", "1")), says("ok"), asks_edits=True, max_repair_attempts=1
    )
    repl.set_mode("edit")
    session = repl.start("go")
    stream = session.events()
    running = asyncio.create_task(session.run())
    question = await next_of(stream, ApprovalRequested)
    repl.run_meta("/boundary notes.md 3-3")
    await repl.resolve_approval(question.approval_id, allow=True)
    await running
    assert folder.text("notes.md").startswith("one")


async def test_with_a_boundary_commands_that_change_things_are_asked_each_time(
    folder: Folder,
) -> None:
    repl = folder.sitting(runs("touch a"), runs("touch a"), says("ok"), max_repair_attempts=1)
    repl.set_mode("edit")
    repl.run_meta("/boundary notes.md 3-3")
    session = repl.start("go")
    session.grants.append(ApprovalGrant(tool="run_command", prefix="touch", tier=3))
    await run_with(session, yes(session, remember=True, scope="session"))
    assert len(questions(session)) == 2
    assert session.grants == [ApprovalGrant(tool="run_command", prefix="touch", tier=3)]


async def test_a_cleared_boundary_binds_nobody(folder: Folder) -> None:
    repl = folder.sitting(calls(replaces("one", "1")), says("ok"), max_repair_attempts=1)
    repl.set_mode("edit")
    repl.run_meta("/boundary notes.md 3-3")
    repl.run_meta("/boundary clear")
    await repl.submit("go")
    assert folder.text("notes.md").startswith("1")


# ── the plan gate while a goal runs ──────────────────────────────────────────────────────────────


async def test_plan_mode_takes_a_waiting_question_back(folder: Folder) -> None:
    repl = folder.sitting(
        calls(("run_command", {"command": "touch a"}), ("read_file", {"path": "notes.md"})),
        writes(),
        says("ok"),
        max_repair_attempts=1,
    )
    repl.set_mode("edit")
    session = repl.start("go")
    stream = session.events()
    running = asyncio.create_task(session.run())
    question = await next_of(stream, ApprovalRequested)
    repl.enter_plan()
    await repl.resolve_approval(question.approval_id, allow=True, remember=True)
    await running
    (answer,) = settled(session)
    assert (answer.allowed, answer.via) == (False, "auto")
    assert "plan mode" in answer.note
    assert session.grants == []
    assert [event.tool for event in started(session)] == ["read_file"]
    assert "plan mode" in told(folder.provider.requests[2])
    assert folder.text() == "bad\n"
    assert repl.execution.mode == "plan"


async def test_plan_mode_after_the_answer_still_comes_first(folder: Folder) -> None:
    repl = folder.sitting(runs("touch a"), says("ok"), max_repair_attempts=1)
    repl.set_mode("edit")
    session = repl.start("go")
    stream = session.events()
    running = asyncio.create_task(session.run())
    question = await next_of(stream, ApprovalRequested)
    await repl.resolve_approval(question.approval_id, allow=True)
    repl.enter_plan()
    await running
    assert not (folder.root / "a").exists()
    assert started(session) == []
    assert "plan mode was entered" in told(folder.provider.requests[1])


async def test_plan_mode_does_not_stop_what_runs(folder: Folder) -> None:
    repl = folder.sitting(
        runs("echo begun > a; until test -e go; do sleep 0.05; done; echo over > a"),
        says("ok"),
        max_repair_attempts=1,
    )
    repl.set_mode("edit")
    session = repl.start("go")
    stream = session.events()
    running = asyncio.create_task(session.run())
    question = await next_of(stream, ApprovalRequested)
    await repl.resolve_approval(question.approval_id, allow=True)
    await until((folder.root / "a").exists)
    repl.enter_plan()
    (folder.root / "go").touch()
    await running
    assert folder.text("a") == "over\n"


async def test_leaving_plan_mode_in_a_goal_opens_the_gate(folder: Folder) -> None:
    def leaves(_: Any) -> Any:
        repl.leave_plan()
        return writes()

    repl = folder.sitting(writes(), leaves, says("done"))
    repl.set_mode("edit")
    session = repl.start("go")
    repl.enter_plan()
    state = await session.run()
    assert [end.refused for end in ends(session)] == [True, False]
    assert (state.outcome, repl.mode) == ("success", "edit")


async def test_the_users_own_git_is_never_touched(folder: Folder) -> None:
    before = private_parts(folder.root)
    repl = folder.sitting(writes(), says("done"), says("hello"))
    repl.set_mode("edit")
    await repl.submit("go")
    assert private_parts(folder.root) == before
    assert git(folder.root, "status", "--porcelain").split() == ["M", "a.txt"]
