"""The known faults of plan mode and of approvals, one test a case: writes while planning, keys
and answers that come too late, grants that widen, prompts and answers that get lost."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from agent_cockpit.engine.state import PlanDecision
from agent_cockpit.errors import ProviderError
from agent_cockpit.events.harness import ApprovalRequested, ApprovalResolved, ToolStart
from agent_cockpit.events.messages import TextBlock
from agent_cockpit.events.plans import PlanDecided
from agent_cockpit.rules.consent.grants import ApprovalGrant
from tests.support.goals import (
    Folder,
    ends,
    next_of,
    of,
    questions,
    run_with,
    runs,
    told,
    writes,
    yes,
)
from tests.support.scripted_provider import Reply, calls, says
from tests.support.waiting import until

PLAN = says("1. write good into a.txt")


def tree(root: Path) -> dict[str, tuple[int, int, bytes]]:
    """Every path with its mode, time and content, the repository's own files too."""
    found = {}
    for path in sorted(root.rglob("*")):
        about = path.lstat()
        content = path.read_bytes() if path.is_file() else b""
        found[str(path.relative_to(root))] = (about.st_mode, about.st_mtime_ns, content)
    return found


WRITES_WHILE_PLANNING: dict[str, tuple[str, dict[str, Any]]] = {
    "an edit": ("str_replace", {"path": "a.txt", "old_str": "bad", "new_str": "x"}),
    "a file": ("write_file", {"path": "new.txt", "content": "x"}),
    "an overwritten file": ("write_file", {"path": "a.txt", "content": "x", "overwrite": True}),
    "a deleted file": ("delete_file", {"path": "a.txt"}),
    "a file outside": ("write_file", {"path": "../out.txt", "content": "x"}),
    "an amended commit": ("run_command", {"command": "git commit --amend -m x"}),
    "a folder": ("run_command", {"command": "mkdir p"}),
    "inline code": ("run_command", {"command": "python3 -c \"open('w','w')\""}),
    "a run with a cache": ("run_command", {"command": "pytest"}),
    "a change and its reverse": (
        "run_command",
        {"command": "echo x > a.txt; git checkout -- a.txt"},
    ),
    "an ignored file": ("run_command", {"command": "echo x > ignored.log"}),
    "a mode": ("run_command", {"command": "chmod +x a.txt"}),
    "a time": ("run_command", {"command": "touch a.txt"}),
    "a redirection behind a read": ("run_command", {"command": "cat a.txt > b.txt"}),
    "a substitution in a read": ("run_command", {"command": "cat $(touch p; echo a.txt)"}),
    "tests": ("run_tests", {}),
    "the way out": ("switch_to_editing", {"reason": "now"}),
}


@pytest.mark.parametrize("name", WRITES_WHILE_PLANNING)
async def test_h01_nothing_is_written_while_planning_whatever_was_granted(
    folder: Folder, name: str
) -> None:
    (folder.root / ".git" / "info" / "exclude").write_text("*.log\n")
    tool, given = WRITES_WHILE_PLANNING[name]
    repl = folder.sitting(calls((tool, given)), PLAN)
    every = ("str_replace", "write_file", "delete_file", "run_command", "run_tests")
    repl.state.grants += [ApprovalGrant(tool=name, prefix=name, tier=3) for name in every]
    repl.state.grants += [
        ApprovalGrant(tool="run_command", prefix=prefix, tier=3)
        for prefix in ("git commit", "mkdir", "touch", "chmod", "pytest", "echo", "cat")
    ]
    before = tree(folder.root)
    session = repl.start_plan("go")
    state = await run_with(session, yes(session))
    assert tree(folder.root) == before
    assert not (folder.root.parent / "out.txt").exists()
    assert of(session.history, ToolStart) == []
    (end,) = ends(session)
    assert (end.refused, questions(session)) == (True, [])
    assert state.outcome == "success"


@pytest.mark.parametrize("order", ["cancel, then yes", "yes, then cancel", "yes after the end"])
async def test_h04_a_yes_that_comes_with_a_cancel_or_after_it_runs_nothing(
    folder: Folder, order: str
) -> None:
    repl = folder.sitting(runs("touch late"))
    repl.set_mode("edit")
    stream = repl.events()
    running = asyncio.create_task(repl.drive("go"))
    question = await next_of(stream, ApprovalRequested)

    async def say_yes() -> None:
        await repl.resolve_approval(question.approval_id, allow=True)

    if order == "yes, then cancel":
        await say_yes()
        await repl.cancel()
    else:
        await repl.cancel()
        if order == "cancel, then yes":
            await say_yes()
    state = await running
    await say_yes()
    assert state is not None
    assert (state.status, repl.execution.is_active) == ("cancelled", False)
    assert not (folder.root / "late").exists()
    seen = stream.take_unread()
    assert len(of(seen, ApprovalResolved)) == 1
    assert of(seen, ToolStart) == []


async def test_h04_a_plan_that_is_approved_after_a_cancel_builds_nothing(folder: Folder) -> None:
    asked, answered = asyncio.Event(), asyncio.Event()

    async def decide(_: str) -> PlanDecision:
        asked.set()
        await answered.wait()
        return PlanDecision(True, "")

    repl = folder.sitting(PLAN, writes())
    repl.enter_plan()
    stream = repl.events()
    running = asyncio.create_task(repl.drive("go", decide=decide))
    await asked.wait()
    answered.set()
    await repl.cancel()
    state = await running
    assert state is not None
    assert (state.is_build, len(folder.provider.requests)) == (False, 1)
    assert [event.decision for event in of(stream.take_unread(), PlanDecided)] == ["left"]
    assert folder.text() == "bad\n"


async def test_h07_an_always_covers_what_it_says_and_ends_with_its_sitting(
    folder: Folder, tmp_path: Path
) -> None:
    again, other = runs("mkdir q"), runs("touch p/x")
    repl = folder.sitting(runs("mkdir p"), again, other, says("ok"), max_repair_attempts=1)
    repl.set_mode("edit")
    first = repl.start("one")
    await run_with(first, yes(first, remember=True))
    asked = [question.input["command"] for question in questions(first)]
    assert asked == ["mkdir p", "touch p/x"]
    assert "mkdir" in (questions(first)[0].grant_scope or "")
    for home in (None, tmp_path / "elsewhere"):
        if home is not None:
            home.mkdir()
        place = folder if home is None else Folder(home)
        later = place.sitting(runs("mkdir r"), says("ok"), allow_dirty=True, max_repair_attempts=1)
        later.set_mode("edit")
        session = later.start("two")
        await run_with(session, yes(session))
        assert len(questions(session)) == 1
        if home is not None:
            await place.close()


@pytest.mark.parametrize("moments", range(0, 40, 3))
async def test_h08_steering_is_in_one_place_at_whatever_moment_the_goal_is_cancelled(
    folder: Folder, moments: int
) -> None:
    reads = calls(*[("read_file", {"path": name}) for name in ("a.txt", "notes.md", "a.txt")])
    repl = folder.sitting(reads, reads, says("ok"))
    stream = repl.events()
    running = asyncio.create_task(repl.drive("what is it?"))
    await until(lambda: folder.provider.requests)
    await repl.drive("use tabs")
    for _ in range(moments):
        await asyncio.sleep(0)
    await repl.cancel()
    await running
    given_back = [
        t
        for e in stream.take_unread()
        for t in getattr(e, "texts", [])
        if getattr(e, "to", "") == "composer"
    ]
    messages = [b.text for m in repl.history() for b in m.blocks if isinstance(b, TextBlock)]
    said = sum(text.count("use tabs") for text in messages)
    waiting = [text for queue in repl.execution.queues for text in queue]
    assert said + given_back.count("use tabs") + waiting.count("use tabs") == 1


async def test_h10_a_no_tells_its_reason_and_is_not_asked_for_ever(folder: Folder) -> None:
    batch = [runs("touch b") for _ in range(10)]
    repl = folder.sitting(*batch, says("ok"), max_repair_attempts=1)
    repl.set_mode("edit")
    session = repl.start("go")

    async def no(question: ApprovalRequested) -> None:
        await session.resolve_approval(question.approval_id, allow=False, reason="use make")

    await run_with(session, no)
    assert "use make" in told(folder.provider.requests[1])
    assert len(questions(session)) <= 2
    assert not (folder.root / "b").exists()


async def test_h11_what_the_person_chose_last_stands_after_every_interruption(
    folder: Folder,
) -> None:
    repl = folder.sitting(
        [asyncio.Event()],
        [ProviderError("gone", kind="network")],
        writes("x\n"),
        says("ok"),
        asks_edits=True,
        consent="accept_edits",
        transport_max_retries=0,
        max_repair_attempts=1,
    )
    assert str(repl.consent) == "accept_edits"
    repl.cycle_consent()  # plan
    assert repl.cycle_consent() == "ask"
    repl.set_mode("edit")
    running = asyncio.create_task(repl.drive("one"))
    await until(lambda: folder.provider.requests)
    await repl.cancel()
    await running
    await repl.drive("two")
    repl.set_model(folder.provider)
    assert repl.consent == "ask"
    stream = repl.events()
    third = asyncio.create_task(repl.drive("three"))
    question = await next_of(stream, ApprovalRequested)
    assert question.tool == "write_file"
    await repl.resolve_approval(question.approval_id, allow=False)
    await third


async def test_h11_plan_mode_survives_a_cancel_a_fault_and_another_model(folder: Folder) -> None:
    repl = folder.sitting(
        [asyncio.Event()],
        [ProviderError("gone", kind="network")],
        writes("x\n"),
        PLAN,
        transport_max_retries=0,
    )
    repl.enter_plan()
    running = asyncio.create_task(repl.drive("one"))
    await until(lambda: folder.provider.requests)
    await repl.cancel()
    await running
    await repl.drive("two")
    repl.set_model(folder.provider)
    assert (repl.mode, repl.execution.mode) == ("plan", "plan")
    await repl.drive("three")
    assert (folder.text(), repl.execution.mode) == ("bad\n", "plan")


ANSWERS = ["B: blue", "two\nlines [/x]", "é \u2068x\u2069"]


@pytest.mark.parametrize("answer", ANSWERS)
async def test_h13_an_answer_is_kept_through_failures_and_stands_once_behind_its_question(
    folder: Folder, answer: str
) -> None:
    question = calls(("ask_user", {"question": "which?", "options": ["A: red", "B: blue"]}))
    down: Reply = [ProviderError("500", kind="server")]
    repl = folder.sitting(question, down, down, says("thanks"), transport_max_retries=2)
    repl.set_mode("investigate")
    asked = await repl.submit("paint it")
    assert asked.outcome == "blocked"
    await repl.drive(answer)
    request = folder.provider.requests[-1]
    sent = [
        json.dumps(message.model_dump(mode="json"), ensure_ascii=False)
        for message in request.messages
    ]
    wire = json.dumps(answer, ensure_ascii=False)[1:-1]
    assert sum(text.count(wire) for text in sent if "ask_user" not in text) == 1
    ids = [c.call_id for m in request.messages for c in m.calls if c.name == "ask_user"]
    results = [b.call_id for m in request.messages for b in m.blocks if b.type == "tool_result"]
    assert [results.count(call_id) for call_id in ids] == [1]
