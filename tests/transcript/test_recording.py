"""A recorded sitting: each place looks as if it had been reached event by event."""

from __future__ import annotations

from datetime import UTC, timedelta

import pytest

from agent_cockpit.events import harness as h
from agent_cockpit.events import sitting as s
from agent_cockpit.events.messages import Message
from agent_cockpit.transcript.advancing import advance
from agent_cockpit.transcript.blocks import CallBlock, PlanBlock
from agent_cockpit.transcript.fold import Transcript
from agent_cockpit.transcript.jumping import place_named
from agent_cockpit.transcript.recording import LONGEST_WAIT_S, Recording, nearest
from agent_cockpit.transcript.status import Status
from tests.support.scripted_source import asks
from tests.transcript.stories import START, fixed_test, hard_goal, journaled, stamped

PAGE = s.ContextCompacted(cause="page", message=Message(role="user", blocks=()))
STORIES = {
    "pieces": [*fixed_test(), *hard_goal()],
    "as a journal keeps it": journaled([*fixed_test(), *hard_goal()]),
    "with a new page": stamped([*fixed_test(), PAGE, *hard_goal()]),
    "with what cannot be read": [s.DamagedLines(count=2, first_line=1), *journaled(fixed_test())],
}


@pytest.mark.parametrize("story", STORIES)
def test_any_place_looks_as_its_events_make_it_whichever_way_one_came(story: str) -> None:
    events = STORIES[story]
    recording = Recording(events, least=7)
    told, status = Transcript(), Status()
    expected = [(told.blocks, status)]
    for event in events:
        told = Transcript() if isinstance(event, s.ContextCompacted) else told
        told.apply(event)
        status = advance(status, event)
        expected.append((told.blocks, status))
    there_and_back = [*range(len(events) + 1), *reversed(range(len(events) + 1))]
    for place in there_and_back:
        scene = recording.scene(place)
        assert (scene.transcript.blocks, scene.status) == expected[place]
        for event in events[place : place + 2]:
            scene = scene.after(event)  # what goes on from a scene changes no mark


def test_a_step_shows_a_block_with_all_that_came_of_it() -> None:
    events = journaled(fixed_test())
    recording = Recording(events)
    assert recording.stops[0] == 0
    assert recording.stops[-1] == len(events)
    lengths = [len(recording.scene(stop).transcript) for stop in recording.stops]
    assert lengths == sorted(lengths)
    assert len(set(lengths)) > 5
    for stop in recording.stops:
        calls = [b for b in recording.scene(stop).transcript.blocks if isinstance(b, CallBlock)]
        assert all(call.state not in ("running", "proposed") for call in calls[:-1])


def test_a_step_ends_where_a_question_or_a_plan_waits() -> None:
    events = stamped(
        [
            h.AgentStart(goal="g", task_kind="edit"),
            asks("call-1"),
            h.ApprovalResolved(approval_id="call-1", allowed=True),
            h.ToolStart(call_id="call-1", tool="run_command", input={"command": "git commit"}),
            h.ToolEnd(call_id="call-1", tool="run_command", success=True),
            s.PlanProposed(text="1. do", version=1),
            s.PlanDecided(decision="approved", text="1. do"),
        ]
    )
    recording = Recording(events)
    assert recording.goals == (1,)
    assert recording.questions == (2, 6)
    assert {2, 6} <= set(recording.stops)
    assert [view.approval_id for view in recording.scene(2).status.approvals] == ["call-1"]
    plan = recording.scene(6)
    assert plan.status.plan == "1. do"
    assert isinstance(plan.transcript.blocks[-1], PlanBlock)


def test_the_nearest_place_before_and_behind() -> None:
    places = (1, 4, 9)
    assert [nearest(places, at, 1) for at in (0, 1, 4, 9)] == [1, 4, 9, None]
    assert [nearest(places, at, -1) for at in (0, 1, 5, 12)] == [None, None, 4, 9]


def test_a_long_pause_is_cut_and_a_clock_that_goes_back_is_no_wait() -> None:
    one, two, three = stamped([h.TurnStart(), h.TurnEnd(), h.TurnStart()])
    late = two.model_copy(update={"ts": one.ts + timedelta(hours=3)})
    back = three.model_copy(update={"ts": one.ts - timedelta(days=1)})
    recording = Recording([one, late, back])
    assert recording.wait_s(1) == LONGEST_WAIT_S
    assert recording.wait_s(2) == 0
    assert recording.clock(3) == late.ts


def test_what_could_not_be_read_has_no_time_of_its_own() -> None:
    one, two = stamped([h.TurnStart(), h.TurnEnd()])
    recording = Recording([s.DamagedLines(count=1), one, s.UnknownEvent(raw={"type": "new"}), two])
    assert recording.clocks == (None, one.ts, one.ts, two.ts)
    assert Recording([]).clock(0) is None


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("3", 3),
        ("9,999", 8),
        ("50%", 4),
        ("50 %", 4),
        ("250 %", 8),
        ("09:41", 1),
        ("9:44", 4),
        ("09:44:30", 5),
        ("08:00", 1),
        ("23:59", 8),
        ("2026-03-02 09:46", 6),
        ("2026-03-01 09:46", 1),
        ("+2m", 6),
        ("+90s", 6),
        ("-2m", 2),
        ("-9h", 1),
        ("+1h", 8),
        ("", None),
        ("soon", None),
        ("25:00", None),
        ("2026-02-31 09:00", None),
        ("+5", None),
        ("-3", None),
        ("٣", 3),
    ],
)
def test_words_name_a_place(words: str, place: int | None) -> None:
    events = stamped([h.TurnStart()] * 8, step_ms=60_000)
    assert events[0].ts - START < timedelta(minutes=2)
    shift = START - events[0].ts
    events = [event.model_copy(update={"ts": event.ts + shift}) for event in events]
    assert place_named(words, Recording(events), 4, UTC) == place


def test_words_name_no_place_in_time_where_there_is_none() -> None:
    recording = Recording([s.DamagedLines(count=1)])
    assert place_named("09:41", recording, 1, UTC) is None
    assert place_named("+1m", recording, 1, UTC) is None
    assert place_named("1", recording, 0, UTC) == 1
