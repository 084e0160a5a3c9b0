"""`/undo` and `/redo` in a sitting that was taken up again, as far as its snapshots are kept."""

from __future__ import annotations

import asyncio
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.events.changes import ChangesMoved
from agent_cockpit.events.harness import ApprovalRequested, TurnStart
from agent_cockpit.harness import open_sitting, resume_sitting
from agent_cockpit.rules.undoing import SLACK_NS
from tests.support.goals import Folder, of, runs, writes
from tests.support.scripted_provider import Reply, calls, says
from tests.support.waiting import WITHIN_S, until


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def harness(folder: Folder, *replies: Reply) -> Any:
    return folder.harness(*replies, journal_dir=str(folder.state / "journals"))


async def begun(folder: Folder) -> ReplSession:
    """A sitting with two goals that changed a.txt, the second of them taken back."""
    replies = writes(), says("One."), writes("good too\n"), says("Two.")
    repl = open_sitting(harness(folder, *replies))
    repl.set_mode("edit")
    await repl.submit("one")
    await repl.submit("two")
    assert (await repl.aundo()).kind == "told"
    await repl.aclose()
    return repl


def again(folder: Folder, before: ReplSession, *replies: Reply) -> ReplSession:
    assert before.journal_path is not None
    return resume_sitting(harness(folder, *replies), before.journal_path)


async def undone(repl: ReplSession) -> str:
    stream = repl.events()
    await repl.aundo()
    return "".join(event.goal for event in of(stream.take_unread(), ChangesMoved))


async def test_what_was_taken_back_can_be_made_again_and_taken_back_goal_by_goal(
    folder: Folder,
) -> None:
    repl = again(folder, await begun(folder))
    assert folder.text() == "good\n"
    assert (await repl.aredo()).kind == "told"
    assert folder.text() == "good too\n"
    assert [await undone(repl) for _ in range(3)] == ["two", "one", ""]
    assert folder.text() == "bad\n"
    assert sum("took back" in message.text for message in repl.history()) == 3
    await repl.aclose()


async def test_without_its_snapshots_nothing_is_moved_and_that_is_said(folder: Folder) -> None:
    before = await begun(folder)
    shutil.rmtree(folder.state / "snapshots")
    repl = again(folder, before, writes("good again\n"), says("Three."))
    told = await repl.aundo()
    assert told.text == 'nothing of "one" was taken back: its snapshots are not kept any more'
    repl.set_mode("edit")
    await repl.submit("three")  # takes snapshots, with the numbers of those that are gone
    assert await undone(repl) == "three"
    told = await repl.aundo()
    assert told.text == 'nothing of "one" was taken back: its snapshots are not kept any more'
    assert folder.text() == "good\n"
    await repl.aclose()


async def killed_after(folder: Folder, *replies: Reply) -> Path:
    """The journal of a sitting whose process was killed when the model had said this."""
    never_comes: Reply = [asyncio.Event()]
    repl = open_sitting(harness(folder, *replies, never_comes))
    repl.set_mode("edit")
    stream = repl.events()
    goal = asyncio.create_task(repl.submit("make it good"))
    turns = 0
    async with asyncio.timeout(WITHIN_S):
        async for event in stream:
            if isinstance(event, ApprovalRequested):
                await repl.resolve_approval(event.approval_id, allow=True)
            turns += isinstance(event, TurnStart)
            if turns > len(replies):
                break
    assert repl.journal_path is not None
    kept = repl.journal_path.read_bytes()
    await repl.cancel()
    await goal
    await repl.aclose()
    repl.journal_path.write_bytes(kept)
    return repl.journal_path


async def pause() -> None:
    """Until a change is told from one that a call made."""
    since_ns = time.time_ns()
    await until(lambda: time.time_ns() > since_ns + 2 * SLACK_NS)


@pytest.mark.parametrize("is_first", [True, False], ids=["at once", "after another goal"])
async def test_what_a_killed_goal_changed_is_taken_back(folder: Folder, is_first: bool) -> None:
    journal = await killed_after(folder, writes(), runs("echo x > made.txt; rm notes.md"))
    await pause()
    (folder.root / "mine.txt").write_text("mine\n")
    more = calls(("write_file", {"path": "more.txt", "content": "more\n"}))
    repl = resume_sitting(harness(folder, more, says("Done.")), journal)
    if not is_first:
        repl.set_mode("edit")
        await repl.submit("more")
        assert await undone(repl) == "more"
    assert await undone(repl) == "make it good"
    assert folder.text() == "bad\n"
    assert folder.text("notes.md") == "one\ntwo\nthree\n"
    assert sorted(path.name for path in folder.root.glob("m*.txt")) == ["mine.txt"]
    await repl.aclose()


async def test_a_killed_goal_is_measured_also_after_a_second_resume(folder: Folder) -> None:
    journal = await killed_after(folder, writes())
    repl = resume_sitting(harness(folder), journal)
    repl.events()
    await repl.aclose()
    repl = resume_sitting(harness(folder), journal)
    assert (await undone(repl), folder.text()) == ("make it good", "bad\n")
    await repl.aclose()
