"""The loop of one goal: its turns, its budgets, and what the model is told and offered."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agent_cockpit.engine.goals.dispatch import READS_AT_ONCE
from agent_cockpit.engine.record.journal_reader import load_events
from agent_cockpit.events.harness import (
    AgentEnd,
    ApprovalRequested,
    ModelDecisionEvent,
    ModelUpdate,
    ModelUsage,
    PhaseChanged,
    ToolEnd,
    ToolStart,
    TurnEnd,
    TurnStart,
)
from agent_cockpit.events.messages import ToolResultBlock
from agent_cockpit.events.sitting import CallProposed, ContextEstimated, Notice
from agent_cockpit.providers.protocol import Text
from tests.support.goals import (
    Folder,
    ends,
    next_of,
    of,
    run_with,
    runs,
    started,
    told,
    writes,
    yes,
)
from tests.support.scripted_provider import calls, says
from tests.support.waiting import until


async def test_each_turn_begins_and_ends_once_and_holds_its_calls(folder: Folder) -> None:
    look = calls(("read_file", {"path": "a.txt"}), ("read_file", {"path": "notes.md"}))
    session = folder.goal(look, says("a.txt"), mode="investigate")
    await session.run()
    assert [event.turn for event in of(session.history, TurnStart)] == [1, 2]
    assert len(of(session.history, TurnEnd)) == 2
    decisions = of(session.history, ModelDecisionEvent)
    assert [event.action_type for event in decisions] == ["tool_call", "tool_call", "final_answer"]
    proposed = [event.call_id for event in of(session.history, CallProposed)]
    assert proposed == [event.call_id for event in started(session)]
    assert sorted(proposed) == sorted(event.call_id for event in ends(session))
    assert len(of(session.history, ModelUsage)) == 2


async def test_results_stand_in_the_order_of_the_calls(folder: Folder) -> None:
    batch = calls(
        ("run_command", {"command": "sleep 0.2; cat a.txt"}),
        ("read_file", {"path": "notes.md"}),
        ("write_file", {"path": "a.txt", "content": "new\n", "overwrite": True}),
        ("read_file", {"path": "a.txt"}),
        ("no_such_tool", {}),
        ("read_file", {"path": "nowhere"}),
    )
    session = folder.goal(batch, says("ok"), max_repair_attempts=1)
    await run_with(session, yes(session))
    blocks = folder.provider.requests[1].messages[-1].blocks
    contents = [block.content for block in blocks if isinstance(block, ToolResultBlock)]
    assert contents[0].startswith("bad")
    assert contents[1].startswith("one")
    assert "a.txt" in contents[2]
    assert contents[3].startswith("new")
    assert "no_such_tool" in contents[4]
    assert "nowhere" in contents[5]


async def test_reads_of_one_reply_run_beside_each_other(folder: Folder) -> None:
    batch = calls(
        ("run_command", {"command": "sleep 0.3"}),
        ("run_command", {"command": "sleep 0.3"}),
        ("run_command", {"command": "sleep 0.3"}),
    )
    session = folder.goal(batch, says("ok"), mode="investigate")
    await session.run()
    kinds = [type(event) for event in session.history if isinstance(event, ToolStart | ToolEnd)]
    assert kinds == [ToolStart] * 3 + [ToolEnd] * 3


async def test_hundreds_of_reads_in_one_reply_do_not_all_run_at_once(folder: Folder) -> None:
    batch = calls(*[("run_command", {"command": f"echo {number}"}) for number in range(60)])
    session = folder.goal(batch, says("ok"), mode="investigate")
    await session.run()
    running, most = 0, 0
    for event in session.history:
        running += isinstance(event, ToolStart) - isinstance(event, ToolEnd)
        most = max(most, running)
    assert 1 < most <= READS_AT_ONCE
    blocks = folder.provider.requests[1].messages[-1].blocks
    said = [block.content.split()[0] for block in blocks if isinstance(block, ToolResultBlock)]
    assert said == [str(number) for number in range(60)]


async def test_the_answer_is_streamed_whole_before_it_is_decided_about(folder: Folder) -> None:
    session = folder.goal([Text(f"w{number} ") for number in range(200)], mode="investigate")
    state = await session.run()
    spoken = "".join(event.delta for event in of(session.history, ModelUpdate))
    assert spoken == state.final_answer
    last = of(session.history, ModelUpdate)[-1].event_id
    (decision,) = of(session.history, ModelDecisionEvent)
    assert last < decision.event_id


async def test_text_that_comes_together_is_announced_together(folder: Folder) -> None:
    gate = asyncio.Event()
    session = folder.goal([Text("one "), Text("two "), gate, Text("three")], mode="investigate")
    running = asyncio.create_task(session.run())
    await until(lambda: of(session.history, ModelUpdate))
    assert [event.delta for event in of(session.history, ModelUpdate)] == ["one two "]
    gate.set()
    await running
    assert [event.delta for event in of(session.history, ModelUpdate)] == ["one two ", "three"]


async def test_the_budget_of_turns_is_checked_after_the_batch(folder: Folder) -> None:
    session = folder.goal(*[calls(("read_file", {"path": "a.txt"}))] * 2, max_iterations=2)
    state = await session.run()
    assert (state.outcome, state.status, state.iterations) == ("incomplete", "max_turns", 2)
    assert len(ends(session)) == 2
    assert any("max_iterations" in event.text for event in of(session.history, Notice))


async def test_the_wall_clock_ends_a_call_of_the_model(folder: Folder) -> None:
    session = folder.goal([asyncio.Event()], max_wall_clock_seconds=0.1)
    state = await session.run()
    assert (state.outcome, state.status) == ("incomplete", "max_turns")
    assert folder.provider.closed_early == 1


async def test_the_wall_clock_stands_still_while_a_person_decides(folder: Folder) -> None:
    session = folder.goal(
        runs("touch a"), says("ok"), max_wall_clock_seconds=2.0, max_repair_attempts=1
    )
    stream = session.events()
    running = asyncio.create_task(session.run())
    question = await next_of(stream, ApprovalRequested)
    loop = asyncio.get_running_loop()
    began_s = loop.time()
    await until(lambda: loop.time() - began_s > 2.2)
    await session.resolve_approval(question.approval_id, allow=True)
    state = await running
    assert (state.status, state.iterations) == ("completed", 2)


async def test_an_edit_goal_moves_through_its_phases(folder: Folder) -> None:
    session = folder.goal(writes("no\n"), says("ok"), writes(), says("ok"))
    await session.run()
    phases = [(event.old, event.new) for event in of(session.history, PhaseChanged)]
    assert phases == [
        ("investigating", "editing"),
        ("editing", "verifying"),
        ("verifying", "editing"),
        ("editing", "verifying"),
    ]


@pytest.mark.parametrize(
    ("mode", "in_it", "not_in_it"),
    [
        ("edit", {"read_file", "write_file", "ask_user"}, {"switch_to_editing"}),
        ("investigate", {"read_file", "switch_to_editing", "ask_user"}, set()),
        ("plan", {"read_file", "run_command", "ask_user"}, {"write_file", "run_tests"}),
    ],
)
async def test_what_the_model_is_offered(
    folder: Folder, mode: str, in_it: set[str], not_in_it: set[str]
) -> None:
    session = folder.goal(says("1. hello"), mode=mode, auto=True, max_repair_attempts=1)
    await session.run()
    (request,) = folder.provider.requests
    offered = {tool.name for tool in request.tools}
    assert in_it <= offered
    assert not offered & not_in_it
    assert request.mode == mode
    assert all(tool.input_schema["type"] == "object" for tool in request.tools)


async def test_the_opening_says_the_mode_the_checks_and_the_goal(folder: Folder) -> None:
    session = folder.goal(says("ok"), auto=True, max_repair_attempts=1)
    await session.run()
    opening = told(folder.provider.requests[0])
    assert "grep -q good a.txt" in opening
    assert str(folder.root) in opening
    assert "main" in opening
    assert opening.endswith("the goal")


async def test_a_goal_with_a_dollar_in_it_is_taken_as_it_is(folder: Folder) -> None:
    repl = folder.sitting(says("ok"), test_command="test $HOME = ${x} $$ $(true)")
    state = await repl.submit("what is $HOME, ${workspace} and {goal}?")
    assert state.status == "completed"
    assert told(folder.provider.requests[0]).endswith("what is $HOME, ${workspace} and {goal}?")


async def test_the_context_is_estimated_before_and_measured_after_a_call(folder: Folder) -> None:
    session = folder.goal(says("ok"), mode="investigate", context_window=5000)
    await session.run()
    seen = of(session.history, ContextEstimated)
    assert [event.real for event in seen] == [False, True]
    assert {event.window for event in seen} == {5000}
    assert seen[0].tokens > 0


async def test_in_a_headless_record_the_end_is_the_last_line(folder: Folder) -> None:
    repl = folder.sitting(writes(), says("done"), recorded=True, unattended=True, auto=True)
    await repl.run_text("fix a.txt")
    assert isinstance(load_events(folder.journal)[-1], AgentEnd)
    await repl.aclose()
    record = load_events(folder.journal)
    assert isinstance(record[-1], AgentEnd)
    ids = [event.event_id for event in record]
    assert ids == sorted(set(ids))
    assert folder.journal.stat().st_mode & 0o777 == 0o600


async def test_a_harness_runs_one_goal_from_code_without_a_loop(folder: Folder) -> None:
    harness = folder.harness(writes(), says("done"))
    state = await asyncio.to_thread(harness.run, "make it good", task_kind="edit")
    assert (state.outcome, folder.text()) == ("success", "good\n")


async def test_two_sittings_on_one_folder_do_not_mix(folder: Folder) -> None:
    one = folder.sitting(writes("good one\n"), says("done"))
    first_provider = folder.provider
    other = folder.sitting(says("hello"), allow_dirty=True)
    one.set_mode("edit")
    edited, answered = await asyncio.gather(one.submit("go"), other.submit("what is it?"))
    assert (edited.outcome, answered.outcome) == ("success", "success")
    assert (len(first_provider.requests), len(folder.provider.requests)) == (2, 1)
    assert other.state.history[0].text == "what is it?"


async def test_a_folder_without_git_is_worked_on_like_any(folder: Folder, tmp_path: Any) -> None:
    folder.root = tmp_path / "plain"
    folder.root.mkdir()
    (folder.root / "a.txt").write_text("bad\n")
    repl = folder.sitting(writes(), runs("touch b"), says("done"), says("a.txt"))
    repl.set_mode("edit")
    session = repl.start("go")
    state = await run_with(session, yes(session))
    assert (state.outcome, state.files_modified) == ("success", {"a.txt", "b"})
    repl.record(state)
    repl.set_mode("investigate")
    assert (await repl.submit("what is it?")).outcome == "success"


async def test_a_folder_that_is_empty_is_worked_on_like_any(folder: Folder, tmp_path: Any) -> None:
    folder.root = tmp_path / "empty"
    folder.root.mkdir()
    session = folder.goal(writes(), says("done"))
    state = await session.run()
    assert (state.outcome, folder.text()) == ("success", "good\n")
