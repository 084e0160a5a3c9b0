"""A goal that was stopped before it began leaves nothing behind and loses nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.engine.surroundings import Surroundings
from agent_cockpit.events.sitting import PromptsRecalled
from agent_cockpit.harness import Harness
from tests.support.goals import Folder, of, told
from tests.support.repositories import git, write
from tests.support.scripted_provider import says
from tests.support.waiting import until


class Interrupted(Harness):
    """A harness in which something happens each time the tree was looked at."""

    def then(self, happens: Any) -> None:
        self._happens = happens

    def look_around(
        self, prompt: str, *, must_be_clean: bool, roots: tuple[Path, ...] = ()
    ) -> Surroundings:
        seen = super().look_around(prompt, must_be_clean=must_be_clean, roots=roots)
        self._happens()
        return seen


def interrupted(folder: Folder, *replies: Any) -> tuple[ReplSession, Interrupted]:
    made = folder.harness(*replies)
    harness = Interrupted(
        config=made.config,
        provider=folder.provider,
        state=folder.state,
        config_dir=folder.config_dir,
    )
    harness.then(lambda: None)
    return ReplSession(harness), harness


async def test_a_cancel_with_the_last_look_around_leaves_no_trace(folder: Folder) -> None:
    write(folder.root, {"AGENTS.md": "always whisper\n"})
    repl, harness = interrupted(folder, says("hello"))
    stream = repl.events()
    harness.then(lambda: repl.cancel_handle().cancel("esc"))
    state = await repl.drive("what is it?")
    assert state is not None
    assert state.status == "cancelled"
    assert (repl.state.history, repl.baselines()) == ([], ())
    recalled = of(stream.take_unread(), PromptsRecalled)
    assert [(event.texts, event.to) for event in recalled] == [(["what is it?"], "composer")]
    harness.then(lambda: None)
    await repl.drive("what is it?")
    assert "always whisper" in told(folder.provider.requests[0])
    await repl.aclose()


async def test_instructions_of_a_goal_that_was_never_run_are_sent_with_the_next(
    folder: Folder,
) -> None:
    write(folder.root, {"AGENTS.md": "always whisper\n"})
    repl = folder.sitting(says("hello"), says("hello"))
    repl.start("never run")
    await repl.submit("what is it?")
    await repl.submit("and why?")
    assert ["always whisper" in told(request) for request in folder.provider.requests] == [
        True,
        False,
    ]


async def test_a_goal_that_was_never_run_makes_no_dirt_the_sittings_own(folder: Folder) -> None:
    repl = folder.sitting()
    repl.start("never run")
    (folder.root / "a.txt").write_text("mine\n")
    report = await repl.run_text("what is it?")
    assert "uncommitted" in (report.error or "")


@pytest.mark.parametrize("how", ["stopped hard", "a broken folder"])
async def test_a_follow_up_that_never_began_comes_back(folder: Folder, how: str) -> None:
    held = asyncio.Event()
    repl, harness = interrupted(folder, [held, *says("hello")])  # type: ignore[misc]
    stream = repl.events()
    running = asyncio.create_task(repl.drive("what is it?"))
    await until(lambda: folder.provider.requests)
    await repl.drive("and why?", kind="follow_up")
    loop = asyncio.get_running_loop()

    def happens() -> None:
        if how == "a broken folder":
            raise OSError("stale file handle")
        loop.call_soon_threadsafe(running.cancel)

    harness.then(happens)
    held.set()
    with pytest.raises((asyncio.CancelledError, OSError)):
        await running
    recalled = of(stream.take_unread(), PromptsRecalled)
    assert [(event.texts, event.to) for event in recalled] == [(["and why?"], "composer")]
    assert not repl.execution.is_active
    await repl.aclose()


async def test_a_repository_without_a_commit_is_a_beginning_too(folder: Folder) -> None:
    folder.root = folder.root.parent / "fresh"
    folder.root.mkdir()
    git(folder.root, "init", "-q")
    (folder.root / "a.txt").write_text("bad\n")
    assert (await folder.sitting(says("hello")).submit("what is it?")).outcome == "success"
