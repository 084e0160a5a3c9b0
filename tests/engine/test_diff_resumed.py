"""`/diff` in a sitting that was taken up again: from its first goal on, while that is known."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.harness import open_sitting, resume_sitting
from tests.support.goals import Folder, writes
from tests.support.scripted_provider import Reply, says


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def harness(folder: Folder, *replies: Reply) -> Any:
    return folder.harness(*replies, journal_dir=str(folder.state / "journals"))


async def begun(folder: Folder, *replies: Reply) -> Path:
    """A sitting with one goal that is over, its process too; its journal."""
    repl = open_sitting(harness(folder, *replies))
    await done(repl, "make a.txt good")
    await repl.aclose()
    assert repl.journal_path is not None
    return repl.journal_path


async def done(repl: ReplSession, goal: str) -> None:
    repl.set_mode("edit")
    await repl.submit(goal)


async def diff_of(repl: ReplSession, scope: str = "") -> str:
    return (await repl.arun_meta(f"/diff {scope}".strip())).text


async def test_what_the_sitting_changed_before_is_in_it(folder: Folder) -> None:
    journal = await begun(folder, writes(), says("It is good."))
    repl = resume_sitting(harness(folder, writes("new\n", "b.txt"), says("Done.")), journal)
    before = await diff_of(repl)
    assert "+good" in before
    assert "taken up again" not in before
    await done(repl, "write b.txt too")
    whole, goal = await diff_of(repl), await diff_of(repl, "goal")
    assert "+good" in whole
    assert "+new" in whole
    assert "+good" not in goal
    assert "+new" in goal
    await repl.aclose()


async def test_a_sitting_that_rested_for_months_keeps_its_snapshots(folder: Folder) -> None:
    journal = await begun(folder, writes(), says("It is good."))
    (store,) = (folder.state / "snapshots").glob("*/*")
    for place in store.iterdir():
        os.utime(place, (0, 0))
    (store / "in-use").unlink()  # as if the process that used it were over
    os.utime(store, (0, 0))
    resting = harness(folder, says("."))
    repl = resume_sitting(resting, journal)
    resting.keep_house()
    assert "+good" in await diff_of(repl)
    await repl.aclose()


async def test_another_sitting_knows_nothing_of_it(folder: Folder) -> None:
    await begun(folder, writes(), says("It is good."))
    repl = open_sitting(harness(folder, says(".")), allow_dirty=True)
    assert await diff_of(repl) == ""
    await repl.aclose()


async def test_where_its_snapshots_are_gone_it_says_since_when_it_compares(folder: Folder) -> None:
    journal = await begun(folder, writes(), says("It is good."))
    shutil.rmtree(folder.state / "snapshots")
    repl = resume_sitting(harness(folder, writes("new\n", "b.txt"), says("Done.")), journal)
    assert "nothing changed since the sitting was taken up again" in await diff_of(repl)
    await done(repl, "write b.txt too")
    text = await diff_of(repl)
    assert text.startswith("# since the sitting was taken up again")
    assert "+good" not in text
    assert "+new" in text
    await repl.aclose()


async def test_where_its_first_snapshot_cannot_be_read_it_says_so_too(folder: Folder) -> None:
    journal = await begun(folder, writes(), says("It is good."))
    (first,) = (folder.state / "snapshots").rglob("git-snapshots/1.json")
    first.write_text("{")
    repl = resume_sitting(harness(folder, says(".")), journal)
    assert "nothing changed since the sitting was taken up again" in await diff_of(repl)
    await repl.aclose()
