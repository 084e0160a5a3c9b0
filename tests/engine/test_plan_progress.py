"""The build of an approved plan says how far it is, in the record and on the screen."""

from __future__ import annotations

import asyncio
from functools import reduce

from agent_cockpit.engine.state import PlanDecision
from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import AgentEnd, ApprovalRequested
from agent_cockpit.events.plans import PlanProgressed
from agent_cockpit.transcript.advancing import advance
from agent_cockpit.transcript.blocks import NoticeBlock, PlanBlock
from agent_cockpit.transcript.fold import Transcript
from agent_cockpit.transcript.plain import plain_lines
from agent_cockpit.transcript.status import Status
from tests.support.goals import Folder, of, writes
from tests.support.scripted_provider import Reply, calls, says

PLAN = "1. Write good into `a.txt`\n2. Run `grep -q good a.txt`\n3. Say why"


def approve(_: str) -> PlanDecision:
    return PlanDecision(True, "")


async def built(folder: Folder, *replies: Reply, plan: str = PLAN) -> list[Event]:
    repl = folder.sitting(says(plan), *replies)
    stream = repl.events()
    await repl.submit_plan("make it good", approve)
    return stream.take_unread()


async def test_steps_are_ticked_as_the_build_goes_and_stand_in_the_plan(folder: Folder) -> None:
    told = "Step 3: It was bad.\nStep 3 done"
    events = await built(folder, writes(), calls(("run_tests", {})), says(told))
    progress = of(events, PlanProgressed)
    assert [step.state for step in progress[0].steps] == ["open"] * 3
    assert [step.state for step in progress[-1].steps] == ["done"] * 3
    assert [step.why for step in progress[-1].steps] == [
        "edited a.txt",
        "grep -q good a.txt passed",
        "said to be done, and a check passed",
    ]
    (plan,) = [b for b in Transcript.of(events).blocks if isinstance(b, PlanBlock)]
    assert "3 of 3 steps done" in plain_lines(plan)[0]
    assert plain_lines(plan)[-1] == "    [x] 3. Say why · said to be done, and a check passed"
    assert isinstance([e for e in events if e.task_id == progress[0].task_id][-1], AgentEnd)


async def test_an_edit_beside_the_plan_is_flagged_when_it_happens(folder: Folder) -> None:
    events = await built(folder, writes("x\n", "b.txt"), writes(), says("done"))
    strays = [event.strays for event in of(events, PlanProgressed)]
    assert strays[1] == ["b.txt"]
    at_the_edit = reduce(
        advance, events[: events.index(of(events, PlanProgressed)[1]) + 1], Status()
    )
    assert at_the_edit.plan_strays == ("b.txt",)
    notices = [b.text for b in Transcript.of(events).blocks if isinstance(b, NoticeBlock)]
    assert [text for text in notices if "does not name it: b.txt" in text] == [
        "changed beside the plan, which does not name it: b.txt"
    ]


async def test_what_a_command_changes_beside_the_plan_is_flagged_at_the_end(
    folder: Folder,
) -> None:
    batch = calls(("run_command", {"command": "cp a.txt c.txt"}))
    repl = folder.sitting(says(PLAN), writes(), batch, says("done"))
    stream = repl.events()

    running = asyncio.create_task(repl.submit_plan("go", approve))
    seen: list[Event] = []
    async for event in stream:
        seen.append(event)
        if isinstance(event, ApprovalRequested):
            await repl.resolve_approval(event.approval_id, allow=True)
        if len(of(seen, AgentEnd)) == 2:
            break
    await running
    assert of(seen, PlanProgressed)[-1].strays == ["c.txt"]


async def test_hostile_steps_are_shown_as_letters(folder: Folder) -> None:
    events = await built(folder, writes(), says("x"), plan="1. \x1b[2J[b]wipe[/b] `a.txt`\u202e")
    status = reduce(advance, events, Status())
    assert all("\x1b" not in step.text and "\u202e" not in step.text for step in status.plan_steps)


async def test_a_build_without_steps_says_nothing(folder: Folder) -> None:
    events = await built(folder, writes(), says("done"), plan="# Plan")
    assert of(events, PlanProgressed) == []
