"""What a yes may cover, in part, as edited, and only while the call is what was shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent_cockpit.engine.goals.session import Session
from agent_cockpit.engine.record.journal import JsonlEventJournal
from agent_cockpit.engine.record.resume import open_past
from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.events.ahead import CallsAhead
from agent_cockpit.events.harness import ApprovalRequested, ToolStart
from agent_cockpit.events.sitting import Notice
from agent_cockpit.rules.consent.rule_entries import parse_allow, parse_rule
from tests.support.goals import (
    Folder,
    ends,
    next_of,
    of,
    questions,
    run_with,
    runs,
    settled,
    started,
    told,
    writes,
    yes,
)
from tests.support.scripted_provider import calls, says

TALL = [f"line {number}\n" for number in range(40)]


async def waiting(session: Session) -> tuple[ApprovalRequested, asyncio.Task[Any]]:
    """A run that stands at its first question."""
    stream = session.events()
    task = asyncio.create_task(session.run())
    return await next_of(stream, ApprovalRequested), task


def rewrites(*lines: int, path: str = "tall.txt") -> Any:
    """A reply that changes these lines of the tall file."""
    text = "".join(f"new {n}\n" if n in lines else line for n, line in enumerate(TALL))
    return calls(("write_file", {"path": path, "content": text, "overwrite": True}))


@pytest.fixture
def tall(folder: Folder) -> Folder:
    (folder.root / "tall.txt").write_text("".join(TALL))
    return folder


def scopes(question: ApprovalRequested) -> dict[str, int]:
    return {each.scope: each.seen for each in question.scopes}


async def test_a_yes_may_be_as_wide_as_the_verdict_lets_it_be(folder: Folder) -> None:
    script = (runs("touch a"), runs("touch b"), runs("touch a"), runs("rm -rf notes.md"), says("."))
    session = folder.goal(*script, max_repair_attempts=1)
    await run_with(session, yes(session))
    asked = [scopes(question) for question in questions(session)]
    assert asked == [
        {"once": 0, "turn": 0, "session": 0, "grant": 0},
        {"once": 0, "turn": 0, "session": 0, "grant": 1},
        {"once": 0, "turn": 1, "session": 1, "grant": 2},
        {"once": 0},
    ]


async def test_trust_in_another_tool_than_a_command_says_that_it_covers_all(tall: Folder) -> None:
    session = tall.goal(
        rewrites(1), says("."), asks_edits=True, max_repair_attempts=1, allow_dirty=True
    )
    await run_with(session, yes(session))
    (question,) = questions(session)
    assert [each.covers for each in question.scopes] == [
        "this call, once",
        "every write of a whole file, in this goal",
        "every write of a whole file in this sitting",
    ]


async def test_earlier_goals_count_for_the_sitting_and_not_for_the_goal(folder: Folder) -> None:
    script = (runs("touch a"), says("."), runs("touch a"), says("."))
    repl = folder.sitting(*script, max_repair_attempts=1)
    repl.set_mode("edit")
    first = repl.start("one")
    repl.record(await run_with(first, yes(first)))
    second = repl.start("two")
    await run_with(second, yes(second))
    assert scopes(questions(second)[0]) == {"once": 0, "turn": 0, "session": 1, "grant": 1}


async def test_calls_from_before_a_sitting_was_taken_up_again_count_too(folder: Folder) -> None:
    edit = writes("other\n")
    script = (runs("touch a"), runs("touch b"), runs("touch b"), edit, says("."))
    repl = folder.sitting(*script, recorded=True, asks_edits=True, max_repair_attempts=1)
    repl.set_mode("edit")
    first = repl.start("one")

    async def person(question: ApprovalRequested) -> None:
        remember = question.input.get("command") == "touch a"
        await first.resolve_approval(question.approval_id, allow=True, remember=remember)

    repl.record(await run_with(first, person))
    await repl.aclose()

    journal = JsonlEventJournal(folder.journal)
    later = (runs("touch b"), writes("third\n"), says("."))
    again = ReplSession(
        folder.harness(*later, asks_edits=True, max_repair_attempts=1),
        journal=journal,
        past=open_past(journal),
        allow_dirty=True,
    )
    again.set_mode("edit")
    second = again.start("two")
    await run_with(second, yes(second))
    command, write = questions(second)
    assert scopes(command) == {"once": 0, "turn": 0, "session": 2, "grant": 3}
    assert scopes(write) == {"once": 0, "turn": 0, "grant": 1}
    assert again.run_meta("/permissions").text.startswith("no standing approvals")
    await again.aclose()


@pytest.mark.parametrize(("scope", "asked"), [("turn", 1), ("session", 1), ("once", 2)])
async def test_trust_answers_the_same_call_again(folder: Folder, scope: str, asked: int) -> None:
    session = folder.goal(runs("touch a"), runs("touch a"), says("."), max_repair_attempts=1)
    await run_with(session, yes(session, scope=scope))
    assert len(questions(session)) == asked
    assert settled(session)[0].scope == scope
    assert [event.via for event in settled(session)][1:] == ["human" if asked == 2 else "grant"]


async def test_a_configured_question_is_asked_every_time(folder: Folder) -> None:
    asks = parse_rule("run_command:touch", action="ask", origin="cockpit.toml:4")
    script = (runs("touch a"), runs("touch a"), says("."))
    session = folder.goal(*script, rules=(asks,), max_repair_attempts=1)
    await run_with(session, yes(session, remember=True, scope="session"))
    assert [scopes(question) for question in questions(session)] == [{"once": 0}] * 2
    assert session.grants == []
    assert [event.scope for event in settled(session)] == ["once", "once"]


async def test_only_the_hunks_that_were_kept_are_written(tall: Folder) -> None:
    session = tall.goal(
        rewrites(1, 20, 38), says("."), asks_edits=True, max_repair_attempts=1, allow_dirty=True
    )
    await run_with(session, yes(session, kept=[0, 2], reason="20 is right"))
    assert questions(session)[0].hunks == 3
    expected = "".join(f"new {n}\n" if n in (1, 38) else line for n, line in enumerate(TALL))
    assert tall.text("tall.txt") == expected
    answer = told(tall.provider.requests[1])
    assert "took 2 of the 3 hunks" in answer
    assert "20 is right" in answer
    assert "-line 20\n+new 20" in answer
    assert settled(session)[0].kept == [0, 2]
    assert "new 20" not in ends(session)[0].diff


async def test_of_an_edited_call_too_only_the_kept_hunks_are_written(tall: Folder) -> None:
    session = tall.goal(
        rewrites(1), says("."), asks_edits=True, max_repair_attempts=1, allow_dirty=True
    )
    question, task = await waiting(session)
    changed = "".join(f"my {n}\n" if n in (1, 20, 38) else line for n, line in enumerate(TALL))
    edited = {**question.input, "content": changed}
    assert (await session.reconsider(question.approval_id, edited)).hunks == 3
    await session.resolve_approval(
        question.approval_id, allow=True, edited=edited, kept=[0, 2], reason="20 is right"
    )
    await task
    expected = "".join(f"my {n}\n" if n in (1, 38) else line for n, line in enumerate(TALL))
    assert tall.text("tall.txt") == expected
    answer = told(tall.provider.requests[1])
    assert "changed this call before it ran" in answer
    assert "took 2 of the 3 hunks" in answer
    assert "20 is right" in answer


@pytest.mark.parametrize("kept", [[1], [-1]])
async def test_hunks_that_an_edited_call_has_not_write_nothing(
    tall: Folder, kept: list[int]
) -> None:
    session = tall.goal(
        rewrites(1, 20), says("."), asks_edits=True, max_repair_attempts=1, allow_dirty=True
    )
    question, task = await waiting(session)
    changed = "".join("mine\n" if n == 1 else line for n, line in enumerate(TALL))
    edited = {**question.input, "content": changed}
    await session.resolve_approval(question.approval_id, allow=True, edited=edited, kept=kept)
    await task
    assert tall.text("tall.txt") == "".join(TALL)


async def test_to_keep_no_hunk_is_a_no(tall: Folder) -> None:
    session = tall.goal(
        rewrites(1, 20), says("."), asks_edits=True, max_repair_attempts=1, allow_dirty=True
    )
    await run_with(session, yes(session, kept=[], reason="neither"))
    assert tall.text("tall.txt") == "".join(TALL)
    assert settled(session)[0].allowed is False
    assert "neither" in told(tall.provider.requests[1])


@pytest.mark.parametrize("kept", [[7], [-1], [0, 1, 2]])
async def test_hunks_that_were_not_shown_write_nothing(tall: Folder, kept: list[int]) -> None:
    session = tall.goal(
        rewrites(1, 20), says("."), asks_edits=True, max_repair_attempts=1, allow_dirty=True
    )
    await run_with(session, yes(session, kept=kept))
    assert tall.text("tall.txt") == "".join(TALL)


async def test_hunks_of_a_command_run_nothing(folder: Folder) -> None:
    session = folder.goal(runs("touch a"), says("."), max_repair_attempts=1)
    await run_with(session, yes(session, kept=[0]))
    assert started(session) == []
    assert not (folder.root / "a").exists()


async def test_an_edited_call_is_shown_anew_before_it_is_allowed(folder: Folder) -> None:
    session = folder.goal(runs("touch a"), says("."), max_repair_attempts=1)
    question, task = await waiting(session)
    edited = {"command": "git push origin main"}
    again = await session.reconsider(question.approval_id, edited)
    assert (again.approval_id, again.input, again.tier) == (question.approval_id, edited, 4)
    assert scopes(again) == {"once": 0}
    assert settled(session) == []
    await session.resolve_approval(question.approval_id, allow=True, edited={"command": "touch b"})
    await task
    assert (folder.root / "b").exists()


@pytest.mark.parametrize(
    ("edited", "words"),
    [
        ({"command": "echo x > .git/config"}, ".git"),
        ({}, "command: Field required"),
        ({"command": "x", "y": 1}, "y: Extra inputs"),
    ],
)
async def test_an_edited_call_that_cannot_run_says_why_and_goes_on_waiting(
    folder: Folder, edited: dict[str, Any], words: str
) -> None:
    session = folder.goal(runs("touch a"), says("."), max_repair_attempts=1)
    question, task = await waiting(session)
    with pytest.raises(PersonCanAct, match=words):
        await session.reconsider(question.approval_id, edited)
    assert settled(session) == []
    await session.resolve_approval(question.approval_id, allow=True)
    await task
    assert (folder.root / "a").exists()
    with pytest.raises(PersonCanAct, match="not wait"):
        await session.reconsider(question.approval_id, {"command": "touch b"})


async def test_an_edited_edit_holds_for_the_change_that_was_shown(tall: Folder) -> None:
    session = tall.goal(
        rewrites(1), says("."), asks_edits=True, max_repair_attempts=1, allow_dirty=True
    )
    question, task = await waiting(session)
    edited = {"path": "notes.md", "content": "mine\n", "overwrite": True}
    await session.reconsider(question.approval_id, edited)
    (tall.root / "notes.md").write_text("somebody else's\n")
    await session.resolve_approval(question.approval_id, allow=True, edited=edited)
    await task
    assert tall.text("notes.md") == "somebody else's\n"
    assert tall.text("tall.txt") == "".join(TALL)
    assert "is void" in of(session.history, Notice)[-1].text


def _grow(root: Path) -> None:
    (root / "tall.txt").write_text("first\n" + "".join(TALL))


def _remove(root: Path) -> None:
    (root / "tall.txt").unlink()


def _link(root: Path) -> None:
    (root / "elsewhere.txt").write_text("".join(TALL))
    (root / "tall.txt").unlink()
    (root / "tall.txt").symlink_to("elsewhere.txt")


@pytest.mark.parametrize(
    ("change", "words"),
    [(_grow, "+first"), (_remove, "`tall.txt` is gone"), (_link, "elsewhere.txt` now")],
)
async def test_a_yes_is_void_when_the_file_is_another_by_then(
    tall: Folder, change: Callable[[Path], None], words: str
) -> None:
    session = tall.goal(
        rewrites(1), says("."), asks_edits=True, max_repair_attempts=1, allow_dirty=True
    )
    question, task = await waiting(session)
    change(tall.root)
    await session.resolve_approval(question.approval_id, allow=True, remember=True)
    await task
    assert started(session) == []
    assert words in of(session.history, Notice)[-1].text
    assert "new 1" not in "".join(p.read_text() for p in tall.root.glob("*.txt") if p.exists())


async def test_a_commands_yes_is_void_when_a_link_leads_elsewhere_by_then(folder: Folder) -> None:
    (folder.root / "out").mkdir()
    (folder.root / "link").symlink_to("out")
    session = folder.goal(runs("touch link/a"), says("."), max_repair_attempts=1, allow_dirty=True)
    question, task = await waiting(session)
    (folder.root / "link").unlink()
    (folder.root / "link").symlink_to("/tmp")
    await session.resolve_approval(question.approval_id, allow=True)
    await task
    assert started(session) == []
    assert "is void" in of(session.history, Notice)[-1].text


async def test_a_boundary_that_was_set_meanwhile_voids_the_yes(tall: Folder) -> None:
    session = tall.goal(
        rewrites(1), says("."), asks_edits=True, max_repair_attempts=1, allow_dirty=True
    )
    question, task = await waiting(session)
    execution = session._execution
    execution.take(execution.value.set_boundary(str(tall.root / "tall.txt"), 30, 31))
    await session.resolve_approval(question.approval_id, allow=True)
    await task
    assert started(session) == []
    assert tall.text("tall.txt") == "".join(TALL)


async def test_a_call_says_why_nobody_was_asked(folder: Folder) -> None:
    script = (
        calls(("read_file", {"path": "a.txt"})),
        runs("touch a"),
        says("."),
    )
    rule = parse_allow("run_command:touch")
    session = folder.goal(*script, rules=(rule,), max_repair_attempts=1)
    await session.run()
    why = [event.allowed_by for event in of(session.history, ToolStart)]
    assert len(why) == 2
    assert why[0]
    assert "a configured rule allows this" in why[1]


THREE = calls(
    ("run_command", {"command": "touch one"}),
    ("run_command", {"command": "touch two"}),
    ("run_command", {"command": "touch three"}),
)


async def test_calls_behind_the_asked_one_are_told_and_may_be_answered_ahead(
    folder: Folder,
) -> None:
    session = folder.goal(THREE, says("."), max_repair_attempts=1)
    question, task = await waiting(session)
    (ahead,) = of(session.history, CallsAhead)
    assert [each.input["command"] for each in ahead.questions] == ["touch two", "touch three"]
    await session.resolve_approval(ahead.questions[0].approval_id, allow=True)
    await session.resolve_approval(ahead.questions[1].approval_id, allow=False, reason="not it")
    assert settled(session) == []
    await session.resolve_approval(question.approval_id, allow=True)
    await task
    assert [event.allowed for event in settled(session)] == [True, True, False]
    assert {event.via for event in settled(session)} == {"human"}
    assert len(questions(session)) == 3
    assert (folder.root / "two").exists()
    assert not (folder.root / "three").exists()
    assert "not it" in told(folder.provider.requests[1])


async def test_an_answer_ahead_does_not_hold_for_what_the_call_became(tall: Folder) -> None:
    text = "".join(TALL)
    both = calls(
        ("write_file", {"path": "tall.txt", "content": "first\n" + text, "overwrite": True}),
        ("write_file", {"path": "tall.txt", "content": "second\n" + text, "overwrite": True}),
    )
    session = tall.goal(both, says("."), asks_edits=True, max_repair_attempts=1, allow_dirty=True)
    stream = session.events()
    task = asyncio.create_task(session.run())
    question = await next_of(stream, ApprovalRequested)
    (ahead,) = of(session.history, CallsAhead)
    later = ahead.questions[0].approval_id
    await session.resolve_approval(later, allow=True)
    await session.resolve_approval(question.approval_id, allow=True)
    again = await next_of(stream, ApprovalRequested)
    assert again.approval_id == later
    assert "-first" in again.preview
    await session.resolve_approval(later, allow=False)
    await task
    assert tall.text("tall.txt") == "first\n" + text


async def test_answers_ahead_end_with_the_goal(folder: Folder) -> None:
    session = folder.goal(THREE, says("."), max_repair_attempts=1)
    question, task = await waiting(session)
    (ahead,) = of(session.history, CallsAhead)
    await session.resolve_approval(ahead.questions[0].approval_id, allow=True)
    await session.cancel("esc")
    await task
    await session.resolve_approval(ahead.questions[0].approval_id, allow=True)
    assert started(session) == []
    assert not (folder.root / "two").exists()
    assert [event.approval_id for event in settled(session)] == [question.approval_id]
