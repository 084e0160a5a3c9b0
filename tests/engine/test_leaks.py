"""A plan goal's tree is compared when any command ran; what leaked is shown and put back."""

from __future__ import annotations

import asyncio
import shlex
import subprocess
import time
from pathlib import Path

import pytest

from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.engine.state import PlanDecision
from agent_cockpit.events.harness import ToolEnd
from agent_cockpit.events.plans import PlanLeaked
from agent_cockpit.events.sitting import Notice
from agent_cockpit.transcript.blocks import NoticeBlock
from agent_cockpit.transcript.fold import Transcript
from tests.support.goals import Folder, next_of, of, runs, told
from tests.support.scripted_provider import Reply, calls, says
from tests.support.waiting import until

PLAN = says("1. write good into a.txt")
LOOKS = "git diff"
"""Judged to only read; it starts the program that the repository's settings name."""


def leaky(folder: Folder, script: str) -> None:
    """Let `git diff` run this, in the project's folder; there is a difference to show."""
    (folder.root / "notes.md").write_text("other\n")
    program = folder.root.parent / "differ.sh"
    program.write_text(f"#!/bin/sh\ncd {shlex.quote(str(folder.root))}\n{script}\n")
    program.chmod(0o755)
    subprocess.run(["git", "config", "diff.external", str(program)], cwd=folder.root, check=True)


def shape(root: Path) -> dict[str, tuple[int, bytes]]:
    """Every file with its permissions and content."""
    return {
        str(path.relative_to(root)): (path.stat().st_mode, path.read_bytes())
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".git" not in path.parts
    }


def sitting(folder: Folder, *replies: Reply) -> ReplSession:
    return folder.sitting(*replies, allow_dirty=True)


LEAKS = {
    "content": ("echo leaked > a.txt", ["a.txt"]),
    "new file": ("mkdir -p sub; echo x > sub/new.txt", ["sub/new.txt"]),
    "deleted": ("rm a.txt", ["a.txt"]),
    "mode": ("chmod 755 a.txt", ["a.txt"]),
    "older than the goal by its own date": (
        "echo leaked > a.txt; touch -d 2001-01-01 a.txt",
        ["a.txt"],
    ),
    "odd name": ("echo x > 'a [b] ü.txt'", ["a [b] ü.txt"]),
    "several": ("rm a.txt; echo x > b.txt; echo y > c.txt", ["a.txt", "b.txt", "c.txt"]),
    "a link in place of a file": ("rm a.txt; ln -s notes.md a.txt", ["a.txt"]),
}


@pytest.mark.parametrize("name", LEAKS)
async def test_what_a_reading_command_changed_is_put_back_and_shown(
    folder: Folder, name: str
) -> None:
    script, paths = LEAKS[name]
    leaky(folder, script)
    before = shape(folder.root)
    repl = sitting(folder, runs(LOOKS), PLAN)
    stream = repl.events()
    shown: list[str] = []

    def decide(plan: str) -> PlanDecision | None:
        shown.append(plan)
        return None

    state = await repl.submit_plan("go", decide)
    seen = stream.take_unread()
    (leak,) = of(seen, PlanLeaked)
    assert (leak.restored, leak.failed, leak.commands) == (paths, [], [LOOKS])
    assert shape(folder.root) == before
    assert not (folder.root / "a.txt").is_symlink()
    assert (state.outcome, len(shown)) == ("success", 1)
    warned = [b for b in Transcript.of(seen).blocks if isinstance(b, NoticeBlock)]
    assert f"`{LOOKS}` changed {paths[0]}" in warned[-1].text
    assert warned[-1].level == "warning"


async def test_nothing_is_said_where_nothing_leaked(folder: Folder) -> None:
    leaky(folder, "cat a.txt")
    repl = sitting(folder, runs(LOOKS), PLAN)
    stream = repl.events()
    state = await repl.submit_plan("go", lambda _: None)
    seen = stream.take_unread()
    assert of(seen, PlanLeaked) == []
    assert [n.text for n in of(seen, Notice) if "chang" in n.text] == []
    assert state.outcome == "success"


async def test_a_change_and_its_reverse_is_no_leak(folder: Folder) -> None:
    leaky(folder, "cp -p a.txt ../kept; echo x > a.txt; cp -p ../kept a.txt")
    repl = sitting(folder, runs(LOOKS), PLAN)
    stream = repl.events()
    await repl.submit_plan("go", lambda _: None)
    assert of(stream.take_unread(), PlanLeaked) == []


async def test_what_the_person_writes_while_planning_is_left_alone(folder: Folder) -> None:
    leaky(folder, "echo leaked > b.txt")
    held = asyncio.Event()
    repl = sitting(folder, runs(LOOKS), [held, *says("1. write good into a.txt")])  # type: ignore[misc]
    stream = repl.events()
    running = asyncio.create_task(repl.submit_plan("go", lambda _: None))
    await until(lambda: len(folder.provider.requests) == 2)
    ended_ns = time.time_ns()
    await until(lambda: time.time_ns() > ended_ns + 100_000_000)
    (folder.root / "mine.txt").write_text("mine\n")
    held.set()
    state = await running
    seen = stream.take_unread()
    assert [leak.restored for leak in of(seen, PlanLeaked)] == [["b.txt"]]
    assert (folder.text("mine.txt"), state.outcome) == ("mine\n", "success")
    assert any("left alone: mine.txt" in notice.text for notice in of(seen, Notice))


@pytest.mark.parametrize("end", ["budget", "cancel", "question"])
async def test_however_planning_ends_its_leak_is_put_back(folder: Folder, end: str) -> None:
    leaky(folder, "echo leaked > a.txt")
    last = calls(("ask_user", {"question": "which?"})) if end == "question" else runs("cat a.txt")
    repl = folder.sitting(
        runs(LOOKS), last, PLAN, allow_dirty=True, max_iterations=1 if end == "budget" else 9
    )
    stream = repl.events()
    session = repl.start_plan("go")
    if end == "cancel":
        goal_events = session.events()
        running = asyncio.create_task(session.run())
        await next_of(goal_events, ToolEnd)
        await session.cancel("esc")
        state = await running
    else:
        state = await session.run()
    assert state.outcome in ("incomplete", "blocked")
    assert folder.text() == "bad\n"
    assert len(of(stream.take_unread(), PlanLeaked)) == 1


async def test_a_leak_that_cannot_be_put_back_fails_the_plan(folder: Folder) -> None:
    (folder.root / "big.bin").write_bytes(b"x" * 6_000_000)
    leaky(folder, "echo leaked >> big.bin")
    repl = sitting(folder, runs(LOOKS), PLAN)
    stream = repl.events()
    state = await repl.submit_plan("go", lambda _: None)
    (leak,) = of(stream.take_unread(), PlanLeaked)
    assert (leak.restored, leak.failed) == ([], ["big.bin"])
    assert "too large" in leak.error
    assert state.outcome == "failed"
    assert "big.bin" in state.files_modified


async def test_later_goals_are_told_what_leaked(folder: Folder) -> None:
    leaky(folder, "echo leaked > a.txt")
    repl = sitting(folder, runs(LOOKS), PLAN, says("hello"))
    await repl.submit_plan("go", lambda _: None)
    repl.set_mode("investigate")
    await repl.submit("what is it?")
    assert "planning only reads" in told(folder.provider.requests[2])


async def test_what_was_put_back_can_be_had_again(folder: Folder) -> None:
    leaky(folder, "echo leaked > a.txt")
    repl = sitting(folder, runs(LOOKS), PLAN)
    await repl.submit_plan("go", lambda _: None)
    snapshots = repl.harness.snapshots
    kept = snapshots.load("2")  # type: ignore[attr-defined]
    assert snapshots.restore(kept, ["a.txt"]) == ("a.txt",)
    assert folder.text() == "leaked\n"
