"""A journal that was copied, or moved: whose snapshots are whose."""

from __future__ import annotations

import json
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.errors import SnapshotFailed
from agent_cockpit.events.codec import dump_event
from agent_cockpit.events.sitting import SittingResumed
from agent_cockpit.harness import open_sitting, resume_sitting
from agent_cockpit.workspace.time_machine.snapshots import Snapshots
from tests.support.goals import Folder, writes
from tests.support.scripted_provider import Reply, says


class Copied(Folder):
    """A sitting with one goal that is over, and whoever takes it up again."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self.copy = home / "elsewhere" / "copy.jsonl"
        self.copy.parent.mkdir()

    async def begin(self) -> None:
        harness = self.harness(writes(), says("It is good."), journal_dir=str(self.state / "j"))
        repl = open_sitting(harness)
        self._sittings.append(repl)
        await done(repl, "make a.txt good")
        await repl.aclose()
        assert repl.journal_path is not None
        self.journal = repl.journal_path

    def resume(self, journal: Path, *replies: Reply) -> ReplSession:
        repl = resume_sitting(self.harness(*replies), journal, allow_dirty=True)
        self._sittings.append(repl)
        return repl

    @property
    def stores(self) -> list[Path]:
        return list((self.state / "snapshots").glob("*/*"))


@pytest.fixture
async def folder(tmp_path: Path) -> AsyncIterator[Copied]:
    made = Copied(tmp_path)
    await made.begin()
    yield made
    await made.close()


async def done(repl: ReplSession, goal: str) -> None:
    repl.set_mode("edit")
    await repl.submit(goal)


def snapshots_of(repl: ReplSession) -> Snapshots:
    snapshots = repl.harness.snapshots
    assert isinstance(snapshots, Snapshots)
    return snapshots


async def diff_of(repl: ReplSession) -> str:
    return (await repl.arun_meta("/diff")).text


async def test_a_copy_and_its_original_write_no_store_of_each_other(folder: Copied) -> None:
    shutil.copy(folder.journal, folder.copy)
    original = folder.resume(folder.journal, writes("one\n", "b.txt"), says("Done."))
    copy = folder.resume(folder.copy, writes("two\n", "c.txt"), says("Done."))
    ours, theirs = snapshots_of(original), snapshots_of(copy)
    assert ours.load("1").capture == theirs.load("1").capture
    await done(original, "write b.txt")
    await done(copy, "write c.txt")
    newest = [ours.take(), theirs.take()]
    assert [ours.load(newest[0].id), theirs.load(newest[1].id)] == newest
    assert len(folder.stores) == 2
    for repl in (original, copy):
        assert "+good" in await diff_of(repl)


async def test_a_copy_finds_its_own_store_again_also_where_it_was_moved_to(folder: Copied) -> None:
    shutil.copy(folder.journal, folder.copy)
    repl = folder.resume(folder.copy, writes("new\n", "b.txt"), says("Done."))
    await done(repl, "write b.txt")
    last = snapshots_of(repl).take().id
    await repl.aclose()
    moved = folder.copy.rename(folder.copy.with_name("moved.jsonl"))
    again = folder.resume(moved, says("."))
    assert "b.txt" in snapshots_of(again).diff(snapshots_of(again).load("1"))
    assert snapshots_of(again).load(last).id == last
    assert len(folder.stores) == 2


async def test_a_journal_that_was_moved_keeps_its_snapshots(folder: Copied) -> None:
    moved = folder.journal.rename(folder.copy)
    repl = folder.resume(moved, says("."))
    assert "+good" in await diff_of(repl)
    assert len(folder.stores) == 1
    shutil.copy(moved, folder.journal)
    folder.resume(folder.journal, says("."))
    assert len(folder.stores) == 2


async def test_a_name_for_the_store_leads_nowhere_else(folder: Copied) -> None:
    text = folder.journal.read_text()
    event = SittingResumed(
        event_id=9999,
        session_id=json.loads(text.splitlines()[0])["session_id"],
        snapshots="../../../elsewhere/copy",
    )
    folder.copy.write_text(f"{text}{dump_event(event)}\n")
    repl = folder.resume(folder.copy, says("."))
    snapshots_of(repl).take()
    assert list(folder.copy.parent.iterdir()) == [folder.copy]


async def test_a_store_that_cannot_be_copied_refuses_the_copy(folder: Copied) -> None:
    shutil.copy(folder.journal, folder.copy)
    (store,) = folder.stores
    (store / "git" / "objects.git" / "gone").symlink_to(store / "nowhere")
    with pytest.raises(SnapshotFailed, match="cannot be copied"):
        folder.resume(folder.copy, says("."))
    assert folder.stores == [store]
