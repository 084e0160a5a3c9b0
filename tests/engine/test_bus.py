"""One ordered stream: ids grow, nobody who listens can hold up who speaks."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

from agent_cockpit.engine.record.bus import SOFT_CAP_EVENTS, EventBus
from agent_cockpit.engine.record.journal import JsonlEventJournal
from agent_cockpit.engine.record.journal_reader import load_events
from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import AgentEnd, AgentStart, ModelUpdate, TurnEnd, TurnStart
from agent_cockpit.events.sitting import Notice


async def everything(stream: object) -> list[Event]:
    return [event async for event in stream]  # type: ignore[attr-defined]


async def test_every_observer_sees_the_same_events_from_its_own_beginning() -> None:
    bus = EventBus("sitting")
    early = bus.subscribe()
    bus.publish(AgentStart(goal="a"))
    late = bus.subscribe()
    bus.publish(AgentEnd())
    bus.close()
    seen_early, seen_late = await everything(early), await everything(late)
    assert [event.event_id for event in seen_early] == [1, 2]
    assert seen_late == seen_early[1:]
    assert {event.session_id for event in seen_early} == {"sitting"}
    assert await everything(bus.subscribe()) == []


async def test_a_full_observer_loses_only_text_and_sees_the_gap() -> None:
    bus = EventBus()
    slow, attentive = bus.subscribe(), bus.subscribe()
    for _ in range(SOFT_CAP_EVENTS):
        bus.publish(TurnStart())
    attentive.take_unread()
    bus.publish(ModelUpdate(delta="shed"))
    bus.publish(TurnEnd())
    bus.close()
    seen = await everything(slow)
    assert [event.event_id for event in seen[-2:]] == [SOFT_CAP_EVENTS, SOFT_CAP_EVENTS + 2]
    assert [type(event) for event in await everything(attentive)] == [ModelUpdate, TurnEnd]


async def test_goals_of_a_sitting_share_one_counter_and_one_id() -> None:
    sitting = EventBus("sitting", keeps_history=False)
    watching = sitting.subscribe()
    first, second = EventBus("ignored", parent=sitting), EventBus(parent=sitting)
    first.publish(AgentStart())
    sitting.publish(Notice(text="between"))
    first.close()
    second.publish(AgentStart())
    sitting.close()
    assert [event.event_id for event in await everything(watching)] == [1, 2, 3]
    assert [event.event_id for event in second.history] == [3]
    assert second.history[0].session_id == "sitting"


async def test_an_abandoned_stream_is_forgotten() -> None:
    bus = EventBus()
    stream = bus.subscribe()
    gone = weakref.ref(stream)
    del stream
    gc.collect()
    bus.publish(AgentStart())
    assert gone() is None


async def test_a_closed_stream_ends() -> None:
    bus = EventBus()
    stream = bus.subscribe()
    await stream.aclose()
    bus.publish(AgentStart())
    assert await everything(stream) == []


async def test_an_event_is_on_disk_before_anybody_sees_it(tmp_path: Path) -> None:
    journal = JsonlEventJournal(tmp_path / "j.jsonl")
    bus = EventBus("s", journal)
    stream = bus.subscribe()
    bus.publish(AgentStart(goal="x"))
    assert [event.event_id for event in load_events(journal.path)] == [1]
    assert len(stream.take_unread()) == 1
    journal.close()


async def test_a_journal_that_cannot_be_written_is_told_once_and_harms_nothing(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").write_text("in the way")
    bus = EventBus("s", JsonlEventJournal(tmp_path / "file" / "j.jsonl"))
    stream = bus.subscribe()
    for _ in range(3):
        bus.publish(TurnStart())
    seen = stream.take_unread()
    assert [type(event) for event in seen] == [TurnStart, Notice, TurnStart, TurnStart]
    assert [event.event_id for event in seen] == [1, 2, 3, 4]
