"""Events in any order, cut anywhere, doubled or missing: the laws of the fold hold."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agent_cockpit.events import harness as h
from agent_cockpit.events import sitting as s
from agent_cockpit.events.base import Event
from agent_cockpit.events.changes import LeftPath, PathChange
from agent_cockpit.events.messages import TextBlock, ToolUseBlock
from agent_cockpit.text import clean
from agent_cockpit.transcript.advancing import advance
from agent_cockpit.transcript.fold import Transcript
from agent_cockpit.transcript.plain import plain_lines
from agent_cockpit.transcript.status import Status
from tests.transcript.stories import EDIT_DIFF as DIFF
from tests.transcript.stories import assistant, failing_check, passing_check, stamped

IDS = st.sampled_from(["c1", "c2", "c3", ""])
TEXTS = st.sampled_from(["", "word ", "two\nlines", "\x1b[31mred", "\u202e", "[b]x[/]", "```\n"])
TOOLS = st.sampled_from(["read_file", "run_command", "mcp__x"])
INPUTS = st.sampled_from([{}, {"path": "a\x07"}, {"command": "ls\nrm"}, {"checks": [1, None]}])
FLAGS = st.booleans()
KINDS = st.sampled_from(["answer", "thought", "output"])
ENDS = st.sampled_from(["composer", "next", "dropped"])


def made(event: type[Event], /, **parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Event]:
    return st.builds(event, **parts)


EVENTS: st.SearchStrategy[Event] = st.one_of(
    made(h.AgentStart, goal=TEXTS),
    made(h.AgentEnd, outcome=st.sampled_from(["success", "failed", None]), error=TEXTS),
    made(h.TurnStart),
    made(h.TurnEnd),
    made(h.ModelUpdate, delta=TEXTS, kind=st.sampled_from(["answer", "thought"])),
    made(
        h.ModelDecisionEvent,
        thought=TEXTS,
        action=TEXTS,
        action_type=st.sampled_from(["tool_call", "final_answer", "ask_user", "?"]),
    ),
    made(h.ToolStart, call_id=IDS, tool=TOOLS, input=INPUTS),
    made(
        h.ToolEnd,
        call_id=IDS,
        tool=TOOLS,
        success=FLAGS,
        refused=FLAGS,
        content=TEXTS,
        summary=TEXTS,
        diff=st.sampled_from(["", DIFF, "@@ -1 +1 @@"]),
    ),
    made(h.ApprovalRequested, approval_id=IDS, tool=TOOLS, input=INPUTS, grant_scope=TEXTS),
    made(
        h.ApprovalResolved,
        approval_id=IDS,
        allowed=FLAGS,
        via=st.sampled_from(["human", "grant", "auto"]),
        scope=st.sampled_from([None, "once", "grant", "session", "?"]),
        note=TEXTS,
        edited=st.none() | INPUTS,
    ),
    made(h.DecisionError, error=TEXTS, recovered=FLAGS),
    made(h.VerificationStart),
    made(h.VerificationEnd, passed=FLAGS, checks=st.just([passing_check(), failing_check()])),
    made(h.CancellationObserved, reason=TEXTS),
    made(s.CheckStarted, name=TEXTS, command=TEXTS),
    made(s.CheckFinished, result=st.just(failing_check())),
    made(s.RetryWaiting, error=TEXTS),
    made(s.CallProposed, call_id=IDS, tool=TOOLS, input=INPUTS),
    made(s.ToolProgress, call_id=IDS, delta=TEXTS),
    made(
        s.StreamedText,
        kind=st.sampled_from(["answer", "thought", "output"]),
        call_id=IDS,
        text=TEXTS,
    ),
    made(s.PromptQueued, text=TEXTS),
    made(s.PromptDelivered, texts=st.lists(TEXTS, max_size=2)),
    made(
        s.PromptsRecalled,
        texts=st.lists(TEXTS, max_size=2),
        to=st.sampled_from(["composer", "dropped"]),
    ),
    made(s.ExecutionChanged, steering=st.integers(0, 2)),
    made(s.PlanProposed, text=TEXTS),
    made(s.PlanDecided, decision=st.sampled_from(["approved", "revised", "left"]), text=TEXTS),
    made(
        s.ChangesMoved,
        to=st.sampled_from(["before", "after"]),
        goal=TEXTS,
        files=st.lists(
            st.builds(PathChange, path=TEXTS, status=st.sampled_from("AMD")), max_size=2
        ),
        left=st.lists(st.builds(LeftPath, path=TEXTS, why=TEXTS), max_size=2),
    ),
    made(s.Notice, text=TEXTS),
    st.just(assistant(TextBlock(text="word two\nlines"), ToolUseBlock(call_id="c1", name="x"))),
)


def shown(value: Any) -> list[str]:
    """Every text of a block but what a person edits as it came."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, tuple):
        return [text for item in value for text in shown(item)]
    if is_dataclass(value):
        return [
            text
            for field in fields(value)
            if field.name not in ("input", "call_id", "task_id")
            for text in shown(getattr(value, field.name))
        ]
    return []


@settings(max_examples=150)
@given(st.lists(EVENTS, max_size=40))
def test_the_laws_hold_for_any_events(events: list[Event]) -> None:
    transcript, mirror = Transcript(), {}
    for event in stamped(events):
        before = len(transcript)
        change = transcript.apply(event)
        assert change.added == tuple(range(before, len(transcript)))
        for key in change.keys:
            mirror[key] = transcript.block(key)
    blocks = transcript.blocks
    assert [block.key for block in blocks] == list(range(len(blocks)))
    assert mirror == dict(enumerate(blocks))
    assert set(transcript.open_keys()) == {block.key for block in blocks if block.is_open}
    for block in blocks:
        assert all(clean(text) == text for text in shown(block))
        assert all(clean(line) == line for line in plain_lines(block))
    assert Transcript.of(stamped(events)).blocks == blocks


@settings(max_examples=100)
@given(st.lists(EVENTS, max_size=40))
def test_after_the_end_of_a_goal_nothing_is_open_or_waits(events: list[Event]) -> None:
    ended = stamped([*events, h.AgentEnd(outcome="failed")])
    status = Status()
    for event in ended:
        status = advance(status, event)
    assert (status.approvals, status.running_calls, status.activity) == ((), (), "idle")
    open_keys = Transcript.of(ended).open_keys()
    assert len(open_keys) <= 1, "a plan may wait for its decision"


@settings(max_examples=60)
@given(st.lists(EVENTS, max_size=30), st.data())
def test_a_doubled_decision_changes_nothing(events: list[Event], data: st.DataObject) -> None:
    decision = h.ApprovalResolved(approval_id="c1", allowed=data.draw(FLAGS))
    transcript = Transcript.of(stamped([*events, decision]))
    before = transcript.blocks
    transcript.apply(decision.model_copy(update={"allowed": False}))
    calls = [b for b in before if getattr(b, "state", None) == "denied"]
    assert [transcript.block(b.key) for b in calls] == calls
