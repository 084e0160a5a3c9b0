"""A goal's report: this goal alone, and true in every end."""

from __future__ import annotations

import pytest

from agent_cockpit.engine.state import Report
from agent_cockpit.errors import ProviderError
from agent_cockpit.events.harness import ModelUsage
from agent_cockpit.events.sitting import GoalRecorded, Notice
from agent_cockpit.providers.protocol import Stop, Text
from tests.support.goals import Folder, of, run_with, runs, writes, yes
from tests.support.scripted_provider import calls, says

READ = calls(("read_file", {"path": "a.txt"}), text="let me look")


async def test_counts_are_of_this_goal_alone(folder: Folder) -> None:
    repl = folder.sitting(READ, says("a.txt"), says("hello"))
    first = await repl.run_text("what is it?")
    second = await repl.run_text("and now?")
    assert (first.turns, second.turns) == (2, 1)
    assert (first.usage.input_tokens, second.usage.input_tokens) == (20, 10)
    assert [call.name for call in first.tool_calls] == ["read_file"]
    assert second.tool_calls == []
    assert first.session_id == second.session_id == repl.state.session_id


async def test_the_report_is_announced_as_it_is(folder: Folder) -> None:
    repl = folder.sitting(READ, says("a.txt"))
    stream = repl.events()
    report = await repl.run_text("what is it?")
    (recorded,) = of(stream.take_unread(), GoalRecorded)
    assert Report.model_validate(recorded.report) == report
    assert Report.model_validate_json(report.model_dump_json()) == report


async def test_a_goal_that_was_cut_short_reports_its_last_words(folder: Folder) -> None:
    repl = folder.sitting(READ, max_iterations=1)
    report = await repl.run_text("what is it?")
    assert (report.status, report.outcome) == ("max_turns", "incomplete")
    assert (report.final_message, report.error) == ("let me look", None)


async def test_a_fault_reports_no_final_message(folder: Folder) -> None:
    repl = folder.sitting(READ, [ProviderError("gone", kind="auth")])
    report = await repl.run_text("what is it?")
    assert (report.status, report.final_message, report.error) == ("model_error", None, "gone")


async def test_a_question_is_the_final_message(folder: Folder) -> None:
    repl = folder.sitting(calls(("ask_user", {"question": "which?"})))
    report = await repl.run_text("what is it?")
    assert (report.status, report.outcome, report.final_message) == (
        "completed",
        "blocked",
        "which?",
    )


@pytest.mark.parametrize("question", [None, "", "  ", 7, ["a"]])
async def test_a_question_without_words_is_still_one(folder: Folder, question: object) -> None:
    repl = folder.sitting(calls(("ask_user", {"question": question})))
    state = await repl.submit("what is it?")
    assert state.outcome == "blocked"
    assert state.open_questions[-1].strip()


async def test_a_reply_with_a_question_and_calls_runs_none_of_them(folder: Folder) -> None:
    both = calls(
        ("write_file", {"path": "n", "content": ""}),
        ("ask_user", {"question": "which?"}),
        ("ask_user", {"question": "or which?"}),
    )
    repl = folder.sitting(both, says("hello"))
    report = await repl.run_text("go")
    assert (report.outcome, report.tool_calls) == ("blocked", [])
    assert not (folder.root / "n").exists()
    assert len(repl.history()[-1].blocks) == 3
    assert (await repl.run_text("what?")).outcome == "success"


async def test_changed_files_and_the_verdict_are_in_the_report(folder: Folder) -> None:
    repl = folder.sitting(writes(), runs("touch b"), says("done"))
    repl.set_mode("edit")
    session = repl.start("go")
    await run_with(session, yes(session))
    report = session.report
    assert report is not None
    assert report.files_changed == ["a.txt", "b"]
    assert report.verification is not None
    assert report.verification.passed
    assert [(call.name, call.ok) for call in report.tool_calls] == [
        ("write_file", True),
        ("run_command", True),
    ]


async def test_why_the_model_stopped_is_in_the_report(folder: Folder) -> None:
    repl = folder.sitting([Text("and then"), Stop("max_tokens")])
    report = await repl.run_text("what is it?")
    assert report.stop_reason == "max_tokens"


async def test_a_goal_costs_what_its_calls_cost_by_the_prices_that_are_set(folder: Folder) -> None:
    repl = folder.sitting(READ, says("a.txt"), price_input=10_000, price_output=40_000)
    stream = repl.events()
    state = await repl.submit("what is it?")
    assert state.cost == pytest.approx(0.6)
    assert sum(event.cost for event in of(stream.take_unread(), ModelUsage)) == state.cost
    assert "cost     $0.60 for these goals" in repl.run_meta("/status").text


async def test_a_goal_stops_when_it_has_cost_as_much_as_it_may(folder: Folder) -> None:
    repl = folder.sitting(READ, READ, says("a.txt"), price_output=100_000, max_cost=0.7)
    stream = repl.events()
    state = await repl.submit("what is it?")
    assert (state.outcome, state.iterations) == ("incomplete", 2)
    (notice,) = of(stream.take_unread(), Notice)
    assert notice.text == "This goal ended early: stopped after $1.00 (max_cost)."


async def test_a_sitting_without_prices_says_nothing_of_cost(folder: Folder) -> None:
    repl = folder.sitting(says("hi"))
    await repl.submit("hello")
    assert "cost" not in repl.run_meta("/status").text
