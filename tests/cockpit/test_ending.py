"""A long past: its end is seen first, the rest comes behind it, and nothing on the screen moves."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path

from textual.pilot import Pilot

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.bridge import Bridge
from agent_cockpit.cockpit.replay_app import ReplayApp
from agent_cockpit.cockpit.transcript.matching import Query
from agent_cockpit.engine.record.journal_reader import read_ending, read_journal
from agent_cockpit.engine.record.replay import ReplaySource
from agent_cockpit.errors import SittingLocked
from agent_cockpit.events.base import Event
from agent_cockpit.events.codec import dump_event
from agent_cockpit.events.harness import AgentEnd, AgentStart, ModelUpdate, TurnStart
from agent_cockpit.events.sitting import Notice, PromptQueued, SittingResumed
from agent_cockpit.transcript.blocks import PromptBlock
from agent_cockpit.transcript.fold import Transcript
from tests.cockpit.screen import text_of, type_in, until
from tests.cockpit.test_app import Cockpit
from tests.cockpit.transcript_host import Host
from tests.support.scripted_source import ScriptedSource

SIZE = (100, 24)
EVENTS_A_GOAL = 4


def goals(count: int) -> list[Event]:
    """A past of so many short goals, stamped as a journal is."""
    told: list[Event] = []
    for number in range(count):
        told += [
            AgentStart(goal=f"goal {number}"),
            TurnStart(iteration=1),
            ModelUpdate(delta=f"answer {number}"),
            AgentEnd(outcome="success"),
        ]
    return [
        event.model_copy(update={"event_id": at, "session_id": "s"})
        for at, event in enumerate(told, 1)
    ]


PAST = goals(200)
ENDING = PAST[-30 * EVENTS_A_GOAL :]


# of the journal


def journal(folder: Path, events: list[Event]) -> Path:
    path = folder / "sitting.jsonl"
    path.write_text("".join(f"{dump_event(event)}\n" for event in events), encoding="utf-8")
    return path


def test_wherever_a_journal_is_cut_its_ending_begins_with_a_goal(tmp_path: Path) -> None:
    path = journal(tmp_path, goals(4))
    events, size = list(read_journal(path)), path.stat().st_size
    for most in range(size // 2, size // 2 + 400):
        ending = read_ending(path, most)
        assert isinstance(ending[0], AgentStart)
        assert ending == events[-len(ending) :]


def test_of_one_long_goal_the_ending_is_its_newest_turns(tmp_path: Path) -> None:
    turns = [TurnStart(iteration=number, event_id=number) for number in range(40)]
    ending = read_ending(journal(tmp_path, [AgentStart(goal="g"), *turns]), 2_000)
    assert ending
    assert ending == turns[-len(ending) :]


def test_a_short_journal_and_one_that_cannot_be_read_have_no_ending(tmp_path: Path) -> None:
    path = journal(tmp_path, goals(4))
    assert read_ending(path) == []
    assert read_ending(tmp_path / "none.jsonl") == []
    path.write_bytes(b"\xff\n" * 3_000)
    assert read_ending(path, 2_000) == []


# of the bridge


async def silent() -> AsyncIterator[Event]:
    return
    yield


def prompts(bridge: Bridge) -> list[str]:
    return [block.text for block in bridge.transcript.blocks if isinstance(block, PromptBlock)]


async def test_behind_its_ending_the_whole_past_is_what_it_would_be_without() -> None:
    bridge = Bridge(lambda _: None)
    bridge.show_ending(ENDING)
    assert prompts(bridge) == [f"goal {number}" for number in range(170, 200)]
    shown = len(bridge.transcript)
    bridge.take()
    await bridge.run(silent(), PAST)
    assert list(bridge.transcript.blocks) == list(Transcript.of(PAST).blocks)
    assert bridge.take().before == len(bridge.transcript) - shown
    assert bridge.past_read is None


async def test_while_a_past_is_read_nothing_of_it_happens_now() -> None:
    seen: list[tuple[float | None, bool, int]] = []
    now = iter(range(1_000_000))
    bridge = Bridge(lambda _: None, clock=lambda: next(now) / 100)
    bridge.show_ending(ENDING)
    running = asyncio.create_task(bridge.run(silent(), PAST))
    while not running.done():
        seen.append((bridge.past_read, bridge.status.is_running, len(prompts(bridge))))
        await asyncio.sleep(0)
    shares = [share for share, _, _ in seen if share is not None]
    assert shares == sorted(shares)
    assert 0 < shares[len(shares) // 2] < 1
    assert not any(is_running for _, is_running, _ in seen)
    assert {count for share, _, count in seen if share is not None} == {30}


async def test_what_is_told_before_the_past_is_read_comes_behind_it() -> None:
    bridge = Bridge(lambda _: None)
    bridge.show_ending(ENDING)
    bridge.tell("a key is bound twice")
    await bridge.run(silent(), PAST)
    assert [getattr(block, "text", "") for block in bridge.transcript.blocks][-2:] == [
        "answer 199",
        "a key is bound twice",
    ]


# of the view


def rows(host: Host) -> list[str]:
    return [host.view.render_line(y).text.rstrip() for y in range(host.view.size.height)]


def put_past_before(host: Host, *more: Event) -> None:
    whole = Transcript.of([*PAST, *more])
    host.view.put_before(whole, len(Transcript.of(PAST)) - len(host.transcript))
    host.transcript = whole


async def settled(pilot: Pilot[None]) -> None:
    await until(pilot, lambda: not pilot.app.query_one("TranscriptView")._layout_required)
    await pilot.pause()


async def test_the_past_comes_behind_what_is_read_and_is_not_new() -> None:
    host = Host(ENDING)
    async with host.run_test(size=SIZE) as pilot:
        host.view.jump_to(20)
        await settled(pilot)
        before = rows(host)
        put_past_before(host)
        await settled(pilot)
        assert rows(host) == before
        assert host.view.unseen == 0
        host.view.jump_to(0)
        await settled(pilot)
        assert "goal 0" in rows(host)[0]


async def test_at_the_end_it_comes_unseen_and_at_the_top_it_can_be_read_on() -> None:
    host = Host(ENDING)
    async with host.run_test(size=SIZE) as pilot:
        await settled(pilot)
        before = rows(host)
        put_past_before(host)
        await settled(pilot)
        assert rows(host) == before
        assert host.view.is_at_end
    host = Host(ENDING)
    async with host.run_test(size=SIZE) as pilot:
        host.view.jump_to(0)
        await settled(pilot)
        before = rows(host)
        put_past_before(host)
        await settled(pilot)
        assert rows(host) == before
        host.view.scroll_to(y=host.view.scroll_offset.y - 2)
        await settled(pilot)
        assert "answer 169" in rows(host)[0]


async def test_what_is_pointed_at_and_folded_stays_so() -> None:
    host = Host(ENDING)
    async with host.run_test(size=SIZE) as pilot:
        host.view.focus()
        host.view.point(-1)
        host.view.point(-1)
        await settled(pilot)
        before, key = rows(host), host.view.cursor.key
        assert key is not None
        count = len(Transcript.of(PAST)) - len(host.transcript)
        put_past_before(host)
        await settled(pilot)
        assert rows(host) == before
        assert host.view.cursor.key == key + count


async def test_a_search_goes_on_into_the_past() -> None:
    host = Host(ENDING)
    async with host.run_test(size=SIZE) as pilot:
        host.view.awaits_past = True
        search = host.view.search
        search.begin()
        search.look_for(Query("goal 1"))
        await until(pilot, lambda: search.total == 30)
        assert not search.is_complete
        search.walk(1)
        await until(pilot, lambda: search.number)
        shown = search.number
        put_past_before(host)
        await until(pilot, lambda: search.is_complete)
        hits = sum(f"goal {number}".startswith("goal 1") for number in range(200))
        assert search.total == hits
        assert search.number == hits - 30 + shown


# of the app


class Slow(ScriptedSource):
    """A sitting whose journal takes until the test lets it be read."""

    def take_past(self) -> tuple[Event, ...]:
        return tuple(PAST)


class SlowCockpit(Cockpit):
    def __init__(self, problem: Exception | None = None) -> None:
        super().__init__(Slow())
        self.loaded_at: list[float | None] = []
        """How much of the past was read when all was said to be loaded."""
        self.app = CockpitApp(self._open, read_ending=lambda: ENDING, when_loaded=self._note_loaded)
        self.may_open = threading.Event()
        self.problem = problem

    def _note_loaded(self) -> None:
        bridge = self.app.opening.bridge
        self.loaded_at.append(bridge.past_read if bridge else None)

    def _open(self) -> ScriptedSource:
        self.may_open.wait()
        if self.problem is not None:
            raise self.problem
        assert isinstance(self.source, ScriptedSource)
        return self.source


async def test_the_end_is_seen_and_a_prompt_typed_while_the_past_is_read() -> None:
    cockpit = SlowCockpit()
    async with cockpit.app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "answer 199" in cockpit.text)
        assert "reading the past" in cockpit.text
        await type_in(pilot, "next")
        await pilot.press("enter")
        await type_in(pilot, "more")
        assert cockpit.written == "more"
        await pilot.press("ctrl+f")
        await type_in(pilot, "goal 7")
        await until(pilot, lambda: "none yet, the past is still read" in cockpit.text)
        cockpit.source.say(SittingResumed(model="scripted"), PromptQueued(text="x"))
        cockpit.may_open.set()
        await until(pilot, lambda: "1 of 11 " in cockpit.text)
        await until(pilot, lambda: ("drive", "next", "steering") in cockpit.source.calls)
        assert "reading the past" not in cockpit.text
        assert cockpit.blocks[0] == "goal 0"
        assert cockpit.loaded_at == [None]


async def test_a_sitting_that_cannot_be_opened_shows_none_of_its_ending() -> None:
    cockpit = SlowCockpit(SittingLocked("it is written by another cockpit"))
    async with cockpit.app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "answer 199" in cockpit.text)
        cockpit.may_open.set()
        await until(pilot, lambda: "it is written by another cockpit" in cockpit.text)
        await until(pilot, lambda: "answer 199" not in cockpit.text)
        assert "no model yet" in cockpit.text


async def test_a_recording_shows_its_end_before_all_of_it_is_read() -> None:
    may_open = threading.Event()

    def open_source() -> ReplaySource:
        may_open.wait()
        return ReplaySource(PAST)

    app = ReplayApp(open_source, read_ending=lambda: ENDING)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "answer 199" in text_of(app))
        assert "reading the past" in text_of(app)
        may_open.set()
        await until(pilot, lambda: "end · event 800 of 800" in text_of(app))
        view, whole = app.transcript_view, len(Transcript.of(PAST))
        await until(pilot, lambda: view.placed is not None and view.placed.count == whole)
        assert "answer 199" in text_of(app)
        view.jump_to(0)
        await until(pilot, lambda: "goal 0 " in text_of(app))


async def test_a_notice_that_comes_with_the_past_stands_behind_it() -> None:
    cockpit = SlowCockpit()
    async with cockpit.app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "answer 199" in cockpit.text)
        cockpit.app.tell("said early")
        cockpit.source.say(Notice(text="said late"))
        cockpit.may_open.set()
        await until(pilot, lambda: cockpit.blocks[-2:] == ["said early", "said late"])
