"""What a person does with the sitting as a whole: name it, begin a page, export it, look at it."""

from __future__ import annotations

import stat
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agent_cockpit.engine.record.journal import JsonlEventJournal
from agent_cockpit.engine.record.journal_reader import read_journal
from agent_cockpit.engine.record.resume import open_past
from agent_cockpit.engine.sitting.asides import PAGE_MARK
from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.events.codec import event_type
from agent_cockpit.events.harness import ApprovalRequested
from tests.support.goals import Folder, run_with, runs, writes
from tests.support.scripted_provider import Reply, calls, says


@pytest.fixture
async def folder(tmp_path: Path) -> AsyncIterator[Folder]:
    made = Folder(tmp_path)
    yield made
    await made.close()


async def again(folder: Folder, before: ReplSession, *replies: Reply) -> ReplSession:
    """The same sitting in another process, as far as the engine can tell."""
    await before.aclose()
    journal = JsonlEventJournal(folder.journal)
    past = open_past(journal)
    return ReplSession(folder.harness(*replies), journal=journal, past=past)


def shown(folder: Folder) -> str:
    """All that the newest model call was shown, but for the preamble."""
    return str(folder.provider.requests[-1].messages[1:])


async def test_a_new_page_is_all_that_the_model_knows(folder: Folder) -> None:
    repl = folder.sitting(says("It is blue."), says("Which colour?"), recorded=True)
    await repl.submit("what colour is the sky?")
    assert (await repl.arun_meta("/clear")).kind == "told"
    await repl.submit("say it again")
    assert PAGE_MARK in shown(folder)
    assert "blue" not in shown(folder)
    assert "blue" in str(repl.history())
    assert "blue" in folder.journal.read_text()


async def test_a_page_stays_new_when_the_sitting_is_taken_up_again(folder: Folder) -> None:
    before = folder.sitting(says("It is blue."), recorded=True)
    await before.submit("what colour is the sky?")
    before.run_meta("/clear")
    repl = await again(folder, before, says("Which colour?"))
    await repl.submit("say it again")
    assert "blue" not in shown(folder)
    await repl.aclose()


async def test_a_question_from_the_page_before_is_not_answered_by_the_next_prompt(
    folder: Folder,
) -> None:
    ask = calls(("ask_user", {"question": "Red or green?"}))
    repl = folder.sitting(ask, says("An answer."), recorded=True)
    await repl.submit("paint it")
    repl.run_meta("/clear")
    state = await repl.submit("what is a.txt?")
    assert state.continues is None


async def test_a_page_begins_only_where_something_was_said_and_nothing_runs(
    folder: Folder,
) -> None:
    repl = folder.sitting(says("hi"), recorded=True)
    assert repl.run_meta("/clear").text == "this page is new"
    session = repl.start("hello")
    repl._execution.begin_turn()
    assert "not now" in repl.run_meta("/clear").text
    session.admitted = True
    await session.run()


async def test_a_name_outlives_the_process_and_can_be_taken_away(folder: Folder) -> None:
    before = folder.sitting(says("hi"), recorded=True)
    before.run_meta("/rename  The \x1b[2Jparser\nrewrite ")
    assert before.name == "The parser rewrite"
    repl = await again(folder, before)
    assert repl.name == "The parser rewrite"
    assert "name     The parser rewrite" in repl.run_meta("/status").text
    assert repl.run_meta("/rename").text == "this sitting has no name of its own any more"
    assert repl.run_meta("/rename").text == "this sitting has no name of its own"
    assert repl.name == ""
    await repl.aclose()


async def test_the_status_says_where_the_sitting_stands(folder: Folder) -> None:
    repl = folder.sitting(says("hi"), recorded=True, asks_edits=True)
    await repl.submit("hello")
    repl.set_mode("edit")
    told = dict(line.split(None, 1) for line in repl.run_meta("/status").text.splitlines())
    assert told["model"] == "scripted-1"
    assert told["mode"] == "edit, pinned · asks before edits"
    assert told["folder"] == str(folder.root)
    assert told["sandbox"] == "none"
    assert told["allowed"] == "nothing ahead"
    assert told["goals"] == "1"
    assert told["journal"] == str(folder.journal)
    assert told["context"].endswith("%)")


async def test_the_status_counts_the_goal_that_runs_apart(folder: Folder) -> None:
    repl = folder.sitting(runs("rm -rf old"), says("hi"), recorded=True)
    repl.set_mode("edit")
    session = repl.start("clean up")
    told: list[str] = []

    async def look(question: ApprovalRequested) -> None:
        told.extend(repl.run_meta("/status").text.splitlines())
        await session.resolve_approval(question.approval_id, allow=False)

    await run_with(session, look)
    assert "goals    0 ended, one runs" in told


async def test_an_export_holds_the_sitting_and_is_for_its_person_alone(folder: Folder) -> None:
    repl = folder.sitting(writes(), says("It is **good** now."), recorded=True)
    repl.set_mode("edit")
    await repl.submit("make a.txt good")
    told = (await repl.arun_meta("/export")).text
    path = folder.journal.with_suffix(".md")
    assert told == f"exported to {path}"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    text = path.read_text()
    for part in (
        "# make a.txt good",
        "> make a.txt good",
        "+good",
        "It is **good** now.",
        "exit 0",
    ):
        assert part in text
    assert "earlier export" in repl.run_meta("/export").text


async def test_an_export_writes_over_nothing_else(folder: Folder) -> None:
    repl = folder.sitting(says("hi"), recorded=True)
    await repl.submit("hello")
    told = repl.run_meta("/export notes.md")
    assert ("there already" in told.text, told.failed) == (True, True)
    assert folder.text("notes.md") == "one\ntwo\nthree\n"
    for nowhere in ("no/such/folder/x.md", "~who-is-that/x.md"):
        assert "not exported" in repl.run_meta(f"/export {nowhere}").text
    told = repl.run_meta("/export mine.md")
    assert (told.text, told.failed) == (f"exported to {folder.root / 'mine.md'}", False)
    assert [path.name for path in folder.root.glob(".mine*")] == []


async def test_what_is_not_recorded_is_not_exported(folder: Folder) -> None:
    told = folder.sitting().run_meta("/export")
    assert ("not recorded" in told.text, told.failed) == (True, True)


async def test_what_the_screen_does_is_refused_by_name_where_there_is_none(folder: Folder) -> None:
    repl = folder.sitting()
    assert repl.run_meta("/theme dark").text == "/theme is for the screen; there is none here"
    assert repl.run_meta("/copy all").text == "/copy cannot be had here"
    assert repl.run_meta("/new").text == "/new cannot be had here"
    told = repl.run_meta("/help").text
    assert ("/theme" in told, "/new" in told, "/export" in told) == (False, True, True)


async def test_names_and_pages_are_events_of_the_record(folder: Folder) -> None:
    repl = folder.sitting(says("hi"), recorded=True)
    await repl.submit("hello")
    repl.run_meta("/rename x")
    repl.run_meta("/clear")
    kinds = [event_type(event) for event in read_journal(folder.journal)]
    assert kinds[-2:] == ["sitting.renamed", "sitting.compacted"]
