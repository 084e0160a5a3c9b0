"""`/undo` and `/redo` in a sitting that was taken up again, as far as its snapshots are kept."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.events.changes import ChangesMoved
from agent_cockpit.harness import open_sitting, resume_sitting
from tests.support.goals import Folder, of, writes
from tests.support.scripted_provider import Reply, says


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
