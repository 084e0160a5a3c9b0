"""`/verify`: the checks that decide, run because a person asks."""

from __future__ import annotations

import asyncio

import pytest

from agent_cockpit.check_trust import FolderCheckTrust
from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import VerificationEnd, VerificationStart
from agent_cockpit.events.sitting import CheckFinished, CheckStarted, SittingStarted
from agent_cockpit.transcript.blocks import VerdictBlock
from agent_cockpit.transcript.fold import Transcript
from tests.support.goals import CHECK, Folder, next_of, of, run_with, writes, yes
from tests.support.scripted_provider import calls, says
from tests.support.waiting import until


async def verified(repl: ReplSession, command: str = "/verify") -> tuple[str, list[Event]]:
    stream = repl.events()
    result = await repl.arun_meta(command)
    events = stream.take_unread()
    assert result.kind == ("told" if of(events, VerificationEnd) else "message")
    return result.text, events


@pytest.mark.parametrize(("content", "passed"), [("good\n", True), ("bad\n", False)])
async def test_the_folders_checks_run_though_nothing_changed(
    folder: Folder, content: str, passed: bool
) -> None:
    (folder.root / "a.txt").write_text(content)
    text, events = await verified(folder.sitting())
    assert text.startswith("1 check passed" if passed else "0 of 1 check passed: verification fail")
    (end,) = of(events, VerificationEnd)
    assert [(check.command, check.exit_code) for check in end.checks] == [(CHECK, int(not passed))]
    assert end.passed is passed
    kinds = [type(event) for event in events]
    assert kinds == [
        SittingStarted,
        VerificationStart,
        CheckStarted,
        CheckFinished,
        VerificationEnd,
    ]


async def test_the_card_stands_in_the_transcript(folder: Folder) -> None:
    _, events = await verified(folder.sitting())
    (verdict,) = [b for b in Transcript.of(events).blocks if isinstance(b, VerdictBlock)]
    assert (verdict.passed, verdict.is_open) == (False, False)
    assert [check.command for check in verdict.checks] == [CHECK]


async def test_the_frozen_plan_of_the_last_goal_comes_first(folder: Folder) -> None:
    contract = {"checks": [{"command": "grep -q one notes.md"}], "change_kinds": ["content"]}
    repl = folder.sitting(
        calls(("declare_verification", contract)), writes(), says("done"), test_command=""
    )
    repl.set_mode("edit")
    session = repl.start("go")
    repl.record(await run_with(session, yes(session)))
    text, events = await verified(repl)
    assert text == "1 check passed"
    assert [event.command for event in of(events, CheckStarted)] == ["grep -q one notes.md"]


async def test_checks_that_nobody_has_seen_are_shown_first(folder: Folder) -> None:
    trust = FolderCheckTrust(folder.root, state=folder.state)
    check = "touch ran"
    repl = folder.sitting(check_trust=trust, test_command=check)
    text, events = await verified(repl)
    assert f"  {check}   (config:test_command)" in text
    assert "/verify run" in text
    assert (of(events, CheckStarted), (folder.root / "ran").exists()) == ([], False)
    text, _ = await verified(repl, "/verify run")
    assert text == "1 check passed"
    assert trust.is_trusted((check,))
    assert (await verified(repl))[0] == "1 check passed"


async def test_without_a_known_check_it_says_what_to_do(folder: Folder) -> None:
    text, events = await verified(folder.sitting(test_command=""))
    assert "test_command" in text
    assert of(events, VerificationStart) == []


async def test_it_is_not_for_a_goal_that_runs(folder: Folder) -> None:
    repl = folder.sitting([asyncio.Event()])
    running = asyncio.create_task(repl.drive("look?"))
    await until(lambda: folder.provider.requests)
    assert "not now" in (await verified(repl))[0]
    assert "not now" in repl.run_meta("/verify").text
    await repl.cancel()
    await running


async def test_it_can_be_stopped_and_asked_for_again(folder: Folder) -> None:
    repl = folder.sitting(test_command="sleep 600")
    stream = repl.events()
    running = asyncio.create_task(repl.arun_meta("/verify"))
    await next_of(stream, CheckStarted)
    assert repl.is_checking
    assert "not now" in (await repl.arun_meta("/verify")).text
    await repl.cancel("esc")
    result = await running
    assert "not run to the end" in result.text
    assert not repl.is_checking


async def test_a_caller_that_cannot_wait_gets_the_same(folder: Folder) -> None:
    repl = folder.sitting()
    stream = repl.events()
    assert repl.run_meta("/verify").text.startswith("0 of 1 check passed")
    assert len(of(stream.take_unread(), VerificationEnd)) == 1
    ids = [event.event_id for event in stream.take_unread()]
    assert ids == sorted(ids)


async def test_a_word_too_many_is_told(folder: Folder) -> None:
    assert "takes nothing" in (await verified(folder.sitting(), "/verify all"))[0]


async def test_the_model_is_told_nothing_of_it(folder: Folder) -> None:
    repl = folder.sitting()
    await verified(repl)
    assert (repl.history()[1:], repl.state.tasks, folder.provider.requests) == ((), [], [])
