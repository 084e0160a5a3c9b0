"""A goal that goes in circles is told so, and asks nobody the same thing for ever."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.engine.goals.repeats import ASKS_AFTER_A_NO, Repeats
from agent_cockpit.events.harness import ApprovalRequested, TaskEscalated
from agent_cockpit.events.messages import ToolUseBlock
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.tools.protocol import ToolResult
from tests.support.goals import (
    Folder,
    ends,
    next_of,
    no,
    of,
    questions,
    run_with,
    runs,
    told,
    writes,
    yes,
)
from tests.support.scripted_provider import calls, says

READ = calls(("read_file", {"path": "notes.md"}))
AGAIN = "nothing has changed since the first"


def remarks(folder: Folder) -> list[bool]:
    """For each model call but the first: whether the results before it held a remark."""
    return [AGAIN in told(request) for request in folder.provider.requests[1:]]


async def test_the_same_read_of_the_same_tree_is_remarked(folder: Folder) -> None:
    session = folder.goal(READ, READ, READ, says("notes.md"), mode="investigate")
    state = await session.run()
    assert remarks(folder) == [False, True, True]
    assert "Call number 3" in told(folder.provider.requests[3])
    assert [one.kind for one in state.evidence].count("repeat") == 2
    assert all(AGAIN not in end.content for end in ends(session))


async def test_the_same_input_in_another_order_is_the_same_call(folder: Folder) -> None:
    one = calls(("read_file", {"path": "notes.md", "line_range": [1, 2]}))
    other = calls(("read_file", {"line_range": [1, 2], "path": "notes.md"}))
    session = folder.goal(one, other, says("notes.md"), mode="investigate")
    await session.run()
    assert remarks(folder) == [False, True]


async def test_a_read_after_an_edit_is_no_repeat(folder: Folder) -> None:
    session = folder.goal(READ, writes(), READ, writes("good\nmore\n"), READ, says("ok"))
    await session.run()
    assert not any(remarks(folder))


async def test_tests_after_an_edit_are_no_repeat_and_without_one_they_are(folder: Folder) -> None:
    test = calls(("run_tests", {}))
    session = folder.goal(test, writes("better\n"), test, test, says("ok"), max_repair_attempts=1)
    await session.run()
    assert remarks(folder) == [False, False, False, True]


async def test_a_file_that_somebody_else_changed_is_read_anew(folder: Folder) -> None:
    class Editor:
        async def decide(self, tool: str, tool_input: dict[str, Any]) -> None:
            (folder.root / "notes.md").write_text(f"{len(folder.provider.requests)}\n")

    repl = folder.sitting(READ, READ, READ, says("ok")).with_approver(Editor())
    await repl.drive("look?")
    assert not any(remarks(folder))


async def test_a_person_is_asked_twice_about_the_same_call_and_then_no_more(
    folder: Folder,
) -> None:
    session = folder.goal(*[runs("touch x")] * 20, mode="investigate", max_refusals=6)
    state = await run_with(session, no(session, "use make"))
    assert len(questions(session)) == 2
    assert "use make" in told(folder.provider.requests[-1])
    assert "Not asked again" in told(folder.provider.requests[-1])
    assert (state.outcome, len(ends(session))) == ("incomplete", 6)
    assert not (folder.root / "x").exists()


async def test_another_word_of_the_person_lets_the_call_be_asked_about_again(
    folder: Folder,
) -> None:
    repl = folder.sitting(*[runs("touch x")] * 3, says("ok"))
    stream = repl.events()
    running = asyncio.create_task(repl.drive("look?"))
    for times in (1, 2):
        question = await next_of(stream, ApprovalRequested)
        if times == 2:
            assert await repl.drive("all right, do it") is None
        await repl.resolve_approval(question.approval_id, allow=False)
    question = await next_of(stream, ApprovalRequested)
    await repl.resolve_approval(question.approval_id, allow=True)
    await running
    assert (folder.root / "x").exists()


# ── an investigation that edits in circles ───────────────────────────────────────────────────────


async def test_an_investigation_that_edits_in_circles_is_shown_the_way_out(
    folder: Folder,
) -> None:
    switch = calls(("switch_to_editing", {"reason": "one word"}))
    session = folder.goal(
        writes(), *[READ] * 4, switch, says("done"), mode="investigate", escalation_thrash_repeats=3
    )
    state = await run_with(session, yes(session))
    hints = ["switch_to_editing" in told(request) for request in folder.provider.requests[1:]]
    assert hints == [False, False, False, False, True, False]
    assert (state.outcome, state.escalation_nudged) == ("success", True)
    (escalated,) = of(session.history, TaskEscalated)
    assert escalated.trigger == "thrash"


async def test_something_new_in_between_is_no_circle(folder: Folder) -> None:
    other = calls(("read_file", {"path": "a.txt"}))
    session = folder.goal(
        writes(), READ, READ, other, READ, other, says("x"), writes("bad\n"), says("a.txt"),
        mode="investigate", escalation_thrash_repeats=3,
    )  # fmt: skip
    state = await session.run()
    assert not state.escalation_nudged


async def test_dirt_from_before_the_goal_is_no_circle(folder: Folder) -> None:
    (folder.root / "dirt.txt").write_text("mine\n")
    session = folder.goal(
        *[READ] * 6, says("notes.md"), mode="investigate", escalation_thrash_repeats=1,
        allow_dirty=True,
    )  # fmt: skip
    state = await session.run()
    assert (state.outcome, state.escalation_nudged) == ("success", False)


# ── the rule alone ───────────────────────────────────────────────────────────────────────────────


def call(path: str) -> ToolUseBlock:
    return ToolUseBlock(call_id="1", name="read_file", input={"path": path})


LOOKS = st.tuples(st.sampled_from("ab"), st.sampled_from(["1", "2"]))


@given(st.lists(st.one_of(LOOKS, st.sampled_from(["edit", "failed edit", "forget"])), max_size=30))
def test_a_repeat_is_the_same_call_with_the_same_result_and_no_change_since(
    steps: list[Any],
) -> None:
    repeats, last, times = Repeats(), dict[str, str](), dict[str, int]()
    edit = ToolUseBlock(call_id="2", name="write_file", input={})
    for step in steps:
        match step:
            case "edit":
                result = ToolResult(tool_name="write_file", success=True, diff="+x")
                repeats.ran(edit, CallFacts(tool="write_file", tier=1), result)
                last.clear()
            case "failed edit":
                result = ToolResult(tool_name="write_file", success=False, error="no")
                repeats.ran(edit, CallFacts(tool="write_file", tier=1), result)
            case "forget":
                repeats.forget()
                last.clear()
            case (path, content):
                result = ToolResult(tool_name="read_file", success=True, content=content)
                facts = CallFacts(tool="read_file", tier=0, mutates=False)
                times[path] = times[path] + 1 if last.get(path) == content else 1
                last[path] = content
                assert repeats.ran(call(path), facts, result) == times[path]


@given(st.integers(0, 6))
def test_a_no_is_heard_as_often_as_it_may_be_reconsidered(noes: int) -> None:
    repeats = Repeats()
    for _ in range(noes):
        repeats.denied(call("a"), "not now")
    assert (repeats.refusal(call("a")) is None) == (noes < ASKS_AFTER_A_NO)
    assert repeats.refusal(call("b")) is None
    repeats.forget()
    assert repeats.refusal(call("a")) is None


def test_what_differs_only_in_time_is_the_same_result() -> None:
    repeats = Repeats()
    facts = CallFacts(tool="run_command", tier=3, command="pytest")
    again = ToolUseBlock(call_id="1", name="run_command", input={"command": "pytest"})
    for times, content in enumerate(["2 failed in 0.31s", "2 failed in 1.7 s"], 1):
        result = ToolResult(tool_name="run_command", success=True, content=content, exit_code=1)
        assert repeats.ran(again, facts, result) == times
    fewer = ToolResult(
        tool_name="run_command", success=True, content="1 failed in 0.3s", exit_code=1
    )
    assert repeats.ran(again, facts, fewer) == 1
