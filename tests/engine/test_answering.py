"""An answered question goes on with the work, and with all that was seen."""

from __future__ import annotations

from typing import Any

import pytest

from agent_cockpit.check_trust import FolderCheckTrust
from agent_cockpit.engine.state import TaskState
from agent_cockpit.events.harness import AgentEnd, AgentStart, DeclarationRequired
from agent_cockpit.transcript.blocks import OutcomeBlock, QuestionBlock
from agent_cockpit.transcript.fold import Transcript
from tests.support.goals import Folder, no, of, run_with, told, writes, yes
from tests.support.scripted_provider import Reply, calls, says

ASK = calls(("ask_user", {"question": "blue or red?"}))
READ = calls(("read_file", {"path": "notes.md"}))
DONE = says("done")


async def second(folder: Folder, *script: Reply, prompt: str = "blue", **parts: Any) -> TaskState:
    """The goal that answers the question with which the first one ended."""
    repl = folder.sitting(*script, **parts)
    first = await repl.drive("fix a.txt")
    assert first is not None
    assert first.outcome == "blocked"
    state = await repl.drive(prompt)
    assert state is not None
    return state


async def test_work_done_before_the_question_counts_after_the_answer(folder: Folder) -> None:
    state = await second(folder, writes(), ASK, DONE)
    assert (state.task_kind, state.outcome, state.iterations) == ("edit", "success", 1)
    assert (state.files_modified, state.repair_failures) == ({"a.txt"}, 0)


async def test_what_was_read_before_the_question_grounds_the_answer(folder: Folder) -> None:
    repl = folder.sitting(READ, ASK, says("notes.md says two"))
    await repl.drive("what is it?")
    state = await repl.drive("blue")
    assert state is not None
    assert state.verifier_results[-1].summary != "ungrounded"
    assert state.evidence[0].kind == "tool_result"
    assert [one.summary for one in state.evidence if one.kind == "answered"] == ["blue or red?"]


async def test_a_goal_whose_checks_stay_red_is_repaired_on_the_persons_word(
    folder: Folder,
) -> None:
    script = (writes("worse\n"), DONE, writes(), DONE)
    state = await second(folder, *script, prompt="try again", max_repair_attempts=1)
    assert (state.task_kind, state.outcome, state.repair_failures) == ("edit", "success", 0)


async def test_the_contract_holds_after_the_answer_too(folder: Folder) -> None:
    contract = {"checks": [{"command": "grep -q good a.txt"}], "change_kinds": ["content"]}
    declare = calls(("declare_verification", contract))
    repl = folder.sitting(declare, writes(), ASK, writes("good\nblue\n"), DONE, test_command="")
    stream = repl.events()
    await repl.drive("fix a.txt")
    state = await repl.drive("blue")
    assert state is not None
    assert state.outcome == "success"
    assert [check.command for check in state.verification_plan or ()] == ["grep -q good a.txt"]
    assert state.declared_change_kinds == ["content"]
    assert of(stream.take_unread(), DeclarationRequired) == []
    assert "grep -q good a.txt" in told(folder.provider.requests[3])


@pytest.mark.parametrize("prompt", ["what does a.txt say?", "never mind"])
async def test_a_question_back_is_a_goal_of_its_own(folder: Folder, prompt: str) -> None:
    state = await second(folder, writes("worse\n"), ASK, says("a.txt says worse"), prompt=prompt)
    assert (state.task_kind, state.outcome) == ("investigate", "success")
    assert folder.text() == "worse\n"
    assert state.files_modified == set()


async def test_a_pinned_kind_is_kept(folder: Folder) -> None:
    repl = folder.sitting(writes(), ASK, says("a.txt"))
    await repl.drive("fix a.txt")
    repl.set_mode("investigate")
    state = await repl.drive("blue")
    assert state is not None
    assert (state.task_kind, state.outcome) == ("investigate", "success")


async def test_only_the_last_goals_question_is_answered(folder: Folder) -> None:
    repl = folder.sitting(writes(), ASK, says("a.txt"), says("hm"))
    await repl.drive("fix a.txt")
    await repl.drive("what is it?")
    state = await repl.drive("blue")
    assert state is not None
    assert (state.task_kind, state.continues) == ("investigate", None)


async def test_an_unproven_goal_ends_with_a_question_that_is_seen(folder: Folder) -> None:
    repl = folder.sitting(writes("worse\n"), DONE, max_repair_attempts=1)
    stream = repl.events()
    report = await repl.run_text("fix a.txt")
    assert report.outcome == "blocked"
    assert "Still not proven" in (report.final_message or "")
    events = stream.take_unread()
    blocks = Transcript.of(events).blocks
    (question,) = [block for block in blocks if isinstance(block, QuestionBlock)]
    assert question.text == report.final_message == repl.state.history[-1].text
    assert not any(isinstance(block, OutcomeBlock) for block in blocks)
    assert len(of(events, AgentEnd)) == len(of(events, AgentStart)) == 1


async def test_checks_that_may_not_run_are_asked_about_again_after_the_answer(
    folder: Folder,
) -> None:
    trust = FolderCheckTrust(folder.root, state=folder.state)
    repl = folder.sitting(writes(), DONE, DONE, check_trust=trust)
    repl.set_mode("edit")
    first = repl.start("fix it")

    repl.record(await run_with(first, no(first)))
    assert first.state.outcome == "blocked"
    again = repl.start("all right, run them")
    state = await run_with(again, yes(again))
    assert (state.outcome, state.iterations) == ("success", 1)
