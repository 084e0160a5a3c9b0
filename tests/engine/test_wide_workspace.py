"""A workspace as wide as a home folder: our own record lies in it, and is nobody's change."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agent_cockpit.engine.record.journal_reader import read_journal
from agent_cockpit.errors import ToolRefused
from agent_cockpit.harness import Harness, open_sitting
from agent_cockpit.settings import HarnessConfig
from agent_cockpit.workspace.time_machine.snapshots import Snapshots
from agent_cockpit.workspace.time_machine.store_keeping import KEPT_S
from tests.support.goals import CHECK, Folder, writes
from tests.support.repositories import make_repository, write
from tests.support.scripted_provider import ScriptedProvider, says
from tests.support.waiting import until


@pytest.fixture
async def folder(tmp_path: Path) -> AsyncIterator[Folder]:
    made = Folder(tmp_path)
    made.state = made.root / ".local" / "state"
    made.journal = made.state / "journals" / "journal.jsonl"
    yield made
    await made.close()


async def test_only_what_the_goal_changed_is_changed(folder: Folder) -> None:
    repl = folder.sitting(writes(), says("It is good."), recorded=True)
    repl.set_mode("edit")
    state = await repl.submit("make a.txt good")
    assert state.outcome == "success"
    assert state.files_modified == {"a.txt"}
    for scope in ("", "head"):
        diff = (await repl.arun_meta(f"/diff {scope}")).text
        assert "+good" in diff
        assert ".local" not in diff
    assert list((folder.state / "snapshots").glob("*/*/git-snapshots/1.json"))


async def test_a_plan_goal_takes_nothing_of_the_record_back(folder: Folder) -> None:
    repl = folder.sitting(says("1. Write good into a.txt"), recorded=True)
    asked: list[str] = []
    await repl.submit_plan("make a.txt good", decide=asked.append)
    await repl.aclose()
    assert asked == ["1. Write good into a.txt"]
    kinds = [type(event).__name__ for event in read_journal(folder.journal)]
    assert kinds.count("AgentEnd") == 1
    assert "rolled back" not in folder.journal.read_text()


@pytest.mark.parametrize("ignores", ["", "!/.own \\[1\\]/\n"])
@pytest.mark.parametrize("inside", ["", "below"])
def test_no_snapshot_looks_at_what_is_our_own(tmp_path: Path, ignores: str, inside: str) -> None:
    top = make_repository(tmp_path / "home", {".gitignore": ignores, "below/a.txt": "one\n"})
    root = top / inside
    own = root / ".own [1]"
    snapshots = Snapshots(root, own / "snapshots" / "1", own=(own,))
    write(root, {".own [1]/journal.jsonl": "one\n", ".own [2]/theirs.txt": "one\n"})
    before = snapshots.take()
    write(root, {".own [1]/journal.jsonl": "two\n", ".own [2]/theirs.txt": "two\n"})
    assert [change.path for change in snapshots.changed_paths(before)] == [".own [2]/theirs.txt"]
    assert "journal" not in snapshots.diff(before, snapshots.take())
    assert "journal" not in snapshots.diff_head()
    assert "theirs" in snapshots.diff_head()


@pytest.mark.parametrize("where", ["", "sub"])
async def test_a_folder_of_the_persons_own_that_holds_journals_stays_in_sight(
    folder: Folder, where: str
) -> None:
    mine = folder.root / where
    write(mine, {"mine.txt": "one\n"})
    replies = (writes("good\n"), writes("two\n", f"{where}/mine.txt".lstrip("/")), says("Done."))
    harness = folder.harness(*replies, journal_dir=str(mine))
    repl = open_sitting(harness, allow_dirty=True)
    repl.set_mode("edit")
    state = await repl.submit("make a.txt good")
    await repl.aclose()
    assert len(state.files_modified) == 2
    assert (mine / "mine.txt").read_text() == "two\n"
    diff = (await repl.arun_meta("/diff")).text
    assert ("+good" in diff, "+two" in diff, "jsonl" in diff) == (True, True, False)
    assert repl.journal_path is not None
    assert repl.journal_path.parent.parent == mine
    with pytest.raises(ToolRefused, match="own record"):
        harness.workspace.locate(str(repl.journal_path))


async def test_old_snapshots_go_when_a_sitting_is_opened(tmp_path: Path) -> None:
    root, state = make_repository(tmp_path / "project", {"a.txt": "bad\n"}), tmp_path / "state"
    old = state / "snapshots" / "project" / "old"
    write(old, {"git/objects.git/x": "x"})
    long_ago_s = time.time() - KEPT_S - 60
    for place in (old / "git", old):
        os.utime(place, (long_ago_s, long_ago_s))
    config = HarnessConfig(
        workspace_root=str(root), test_command=CHECK, journal_dir=str(tmp_path / "journals")
    )
    repl = open_sitting(Harness(config=config, provider=ScriptedProvider([]), state=state))
    await until(lambda: not old.exists())
    await repl.aclose()
