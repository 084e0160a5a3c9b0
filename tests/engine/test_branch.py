"""Which branch the folder is on, as the events of a sitting tell it."""

from __future__ import annotations

from agent_cockpit.engine.record.journal_reader import read_journal
from agent_cockpit.events.sitting import BranchChanged, SittingStarted
from tests.support.goals import Folder, run_with, runs, yes
from tests.support.repositories import git
from tests.support.scripted_provider import says

SWITCH = "git checkout -q -b next"


def told(folder: Folder) -> list[str]:
    """The branches that the journal names, in order."""
    kinds = (SittingStarted, BranchChanged)
    return [event.branch for event in read_journal(folder.journal) if isinstance(event, kinds)]


async def test_a_command_of_the_models_that_changes_the_branch_is_noticed(folder: Folder) -> None:
    session = folder.goal(runs("true"), runs(SWITCH), says("Done."), recorded=True)
    await run_with(session, yes(session))
    assert told(folder) == ["main", "next"]


async def test_so_is_a_command_of_the_persons(folder: Folder) -> None:
    repl = folder.sitting(recorded=True)
    await repl.run_for_person(SWITCH)
    await repl.run_for_person("true")
    assert told(folder) == ["main", "next"]


async def test_what_changed_elsewhere_is_seen_when_the_next_goal_begins(folder: Folder) -> None:
    repl = folder.sitting(says("hi"), says("hi"), recorded=True, allow_dirty=True)
    await repl.submit("hello")
    git(folder.root, "checkout", "-q", "--detach")
    await repl.submit("hello again")
    first, then = told(folder)
    assert first == "main"
    assert git(folder.root, "rev-parse", "HEAD").startswith(then)
