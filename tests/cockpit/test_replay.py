"""A recorded sitting in the real screen: moved about in by keys, and nothing acts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from agent_cockpit.cockpit.app import __file__ as app_file
from agent_cockpit.cockpit.player import Playback, Player
from agent_cockpit.cockpit.replay_app import ReplayApp
from agent_cockpit.cockpit.widgets.options_row import OptionsRow
from agent_cockpit.engine.record.replay import ReplaySource
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.events import harness as h
from agent_cockpit.events import sitting as s
from agent_cockpit.events.base import Event
from agent_cockpit.transcript.fold import Transcript
from tests.cockpit.screen import at_rest, text_of, until
from tests.support.scripted_source import asks
from tests.transcript.stories import fixed_test, journaled, stamped

PLAN = "1. look at the test\n2. mend the divisor"
QUESTIONS = [
    h.AgentStart(goal="commit it", task_kind="edit"),
    h.TurnStart(),
    asks("call-1", input={"command": "git commit -m 'mend the mean'"}),
    h.ApprovalResolved(approval_id="call-1", allowed=True),
    h.ToolStart(call_id="call-1", tool="run_command", input={"command": "git commit"}),
    h.ToolEnd(call_id="call-1", tool="run_command", success=True, content="1 file changed"),
    s.PlanProposed(text=PLAN, version=1),
    s.PlanDecided(decision="left"),
    h.AgentEnd(status="cancelled", outcome="incomplete"),
]
STORY: Sequence[Event] = stamped([*journaled(fixed_test()), *QUESTIONS])
FIRST_PLAN = len(STORY) - 2


class Acts:
    """Whatever a replay asked of its source that would act."""

    def __init__(self, source: ReplaySource) -> None:
        self.recording = source.recording
        self.events = source.events
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name in ("harness", "state", "take_past", "consent", "unfinished", "cycle_consent"):
            raise AttributeError(name)
        if name in ("aclose", "person_commands", "is_compacting", "is_checking"):
            raise AttributeError(name)
        self.asked.append(name)
        raise AttributeError(name)


class WatchedReplay(ReplayApp):
    """An app that keeps where its replay stood."""

    CSS_PATH = str(Path(app_file).with_name("app.tcss"))

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.stood: list[Playback] = []

    def present(self) -> None:
        if self.playback is not None:
            self.stood.append(self.playback)
        super().present()


class Replay:
    """One recording in the app, opened."""

    def __init__(self, events: Iterable[Event] = STORY) -> None:
        self.source = Acts(ReplaySource(events))
        self.app = WatchedReplay(lambda: self.source, zone=UTC)

    @property
    def player(self) -> Player:
        assert self.app.player is not None
        return self.app.player

    @property
    def text(self) -> str:
        return text_of(self.app)

    async def opened(self, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: self.app.situation.replays)
        await self.shows(pilot, self.player.place)

    async def shows(self, pilot: Pilot[None], place: int) -> None:
        """Until the screen stands at this place, and shows the blocks of its events."""
        told = f"event {place:,} of {len(self.player.recording):,}"
        await until(pilot, lambda: self.player.place == place and told in self.text)
        assert self.app.opening.bridge is not None
        expected = Transcript.of(self.player.recording.events[:place]).blocks
        assert self.app.opening.bridge.transcript.blocks == expected
        await at_rest(pilot)
        layout = self.app.transcript_view.placed
        assert (layout.count if layout else 0) == len(expected)


async def test_a_replay_opens_at_its_end_and_each_step_back_and_on_shows_that_place() -> None:
    replay = Replay()
    async with replay.app.run_test(size=(100, 40)) as pilot:
        await replay.opened(pilot)
        assert "end · event" in replay.text
        stops = replay.player.recording.stops
        for place in stops[-2:-5:-1]:
            await pilot.press("left")
            await replay.shows(pilot, place)
        for place in stops[-3:]:
            await pilot.press("right")
            await replay.shows(pilot, place)
        await pilot.press("comma")
        await replay.shows(pilot, len(STORY) - 1)
        await pilot.press("full_stop", "full_stop")
        await replay.shows(pilot, len(STORY))


async def test_the_edges_goals_and_questions_are_gone_to() -> None:
    replay = Replay()
    async with replay.app.run_test(size=(100, 40)) as pilot:
        await replay.opened(pilot)
        recording = replay.player.recording
        await pilot.press("home")
        await replay.shows(pilot, 0)
        assert "nothing here runs, writes or sends" in replay.text
        await pilot.press("left", "comma", "G")
        await replay.shows(pilot, 0)
        assert "no goal before this" in replay.text
        for place in recording.goals:
            await pilot.press("g")
            await replay.shows(pilot, place)
        await pilot.press("end", "A")
        await replay.shows(pilot, recording.questions[-1])
        await pilot.press("a")
        await until(pilot, lambda: "nothing was asked after this" in replay.text)


async def test_a_question_shows_what_was_asked_and_closes_on_the_answer_of_then() -> None:
    replay = Replay()
    async with replay.app.run_test(size=(100, 40)) as pilot:
        await replay.opened(pilot)
        place = replay.player.recording.questions[-2]
        await pilot.press("A", "A")
        await replay.shows(pilot, place)
        assert "git commit -m 'mend the mean'" in replay.text
        assert "as it was asked" in replay.text
        assert replay.app.panel.query_one(OptionsRow).of_letter("y") is None
        await pilot.press("y", "n", "enter", "escape", "1", "v", "e", "r")
        await replay.shows(pilot, place)
        assert replay.app.panel.is_open
        await pilot.press("full_stop")
        await replay.shows(pilot, place + 1)
        assert not replay.app.panel.is_open


async def test_a_plan_shows_as_it_waited_and_closes_on_the_decision_of_then() -> None:
    replay = Replay()
    async with replay.app.run_test(size=(100, 40)) as pilot:
        await replay.opened(pilot)
        await pilot.press("A")
        await replay.shows(pilot, FIRST_PLAN)
        await until(pilot, lambda: "a plan waited for a decision" in replay.text)
        assert "mend the divisor" in replay.text
        await pilot.press("right")
        await until(pilot, lambda: not replay.app.panel.is_open)


async def test_a_question_that_is_longer_than_its_panel_can_be_read_to_its_end() -> None:
    command = "\n".join(f"echo {number}" for number in range(60))
    replay = Replay(stamped([QUESTIONS[0], asks("call-1", input={"command": command})]))
    async with replay.app.run_test(size=(80, 24)) as pilot:
        await replay.opened(pilot)
        assert "echo 59" not in replay.text
        await pilot.press(*["down"] * 60)
        await until(pilot, lambda: "echo 59" in replay.text)


def spread(events: Sequence[Event], apart: timedelta) -> list[Event]:
    """The same events, each so long after the one before."""
    began = events[0].ts
    return [e.model_copy(update={"ts": began + at * apart}) for at, e in enumerate(events)]


async def test_playing_tells_all_to_the_end() -> None:
    replay = Replay(spread(STORY, timedelta(milliseconds=9)))
    async with replay.app.run_test(size=(100, 40)) as pilot:
        await replay.opened(pilot)
        await pilot.press("plus", "equals_sign", *["plus"] * 9, "space")
        last = Playback(len(STORY), len(STORY), "09:41:00", is_playing=False, speed=32)
        await until(pilot, lambda: replay.app.stood[-1] == last)
        await replay.shows(pilot, len(STORY))
        played = [each.place for each in replay.app.stood if each.is_playing]
        assert set(played) == set(range(len(STORY)))
        assert played[played.index(0) :] == sorted(played[played.index(0) :])


async def test_what_plays_says_how_fast_and_a_key_pauses_it() -> None:
    replay = Replay(spread(STORY, timedelta(hours=1)))
    async with replay.app.run_test(size=(100, 40)) as pilot:
        await replay.opened(pilot)
        await pilot.press("minus", "space")
        await until(pilot, lambda: "plays 0.5×" in replay.text and "pause" in replay.text)
        await pilot.press("space")
        await until(pilot, lambda: "paused" in replay.text)
        await pilot.press("space", "g")
        await replay.shows(pilot, replay.player.place)
        assert replay.player.place in replay.player.recording.goals
        assert "paused" in replay.text


async def test_words_lead_to_a_place_and_others_are_refused() -> None:
    replay = Replay()
    async with replay.app.run_test(size=(100, 40)) as pilot:
        await replay.opened(pilot)
        await pilot.press("t", *"space", "enter")
        await until(pilot, lambda: "no place: space" in replay.text)
        await pilot.press("ctrl+u", "1", "0", "enter")
        await replay.shows(pilot, 10)
        await pilot.press("t", "9", "escape")
        await pilot.press("full_stop")
        await replay.shows(pilot, 11)


async def test_what_the_person_unfolded_stays_so_over_steps() -> None:
    replay = Replay()
    async with replay.app.run_test(size=(100, 40)) as pilot:
        await replay.opened(pilot)
        layout = replay.app.transcript_view.placed
        assert layout is not None
        key = next(k for k in range(layout.count) if layout.drawn.may_fold(k))
        before = layout.drawn.is_open(key)
        replay.app.transcript_view.toggle_fold(key)
        await pilot.press("left", "left", "right")
        await replay.shows(pilot, replay.player.place)
        now = replay.app.transcript_view.placed
        assert now is not None
        assert now.drawn.is_open(key) is not before


async def test_no_key_of_a_replay_asks_anything_of_its_source() -> None:
    replay = Replay()
    async with replay.app.run_test(size=(100, 40)) as pilot:
        await replay.opened(pilot)
        await pilot.press("A", "y", "ctrl+g", "escape", "shift+tab", "tab", "!", "l", "s", "enter")
        await pilot.press("alt+a", "alt+p", "ctrl+r", "escape", "escape", "/", "q", "enter")
        await at_rest(pilot)
        assert replay.source.asked == []
        assert replay.app.composer.text == ""
        await pilot.press("escape", "alt+up", "enter")
        await until(pilot, lambda: "copy as text" in replay.text)
        assert "$EDITOR" not in replay.text
        assert "quote" not in replay.text
        await pilot.press("escape", "ctrl+p")
        await until(pilot, lambda: not replay.app.is_main)
        assert "go to a time" in replay.text
        assert "undo the last change" not in replay.text


async def test_a_recording_at_rest_keeps_no_timer_alive() -> None:
    replay = Replay(STORY[: FIRST_PLAN - 2])
    async with replay.app.run_test(size=(100, 40)) as pilot:
        await replay.opened(pilot)
        layout = replay.app.transcript_view.placed
        assert layout is not None
        assert layout.drawn.source.open_keys(), "something ran when the journal ends"
        await until(pilot, lambda: not replay.app.transcript_view.is_turning)
        assert not replay.app.situation.running


async def test_a_replay_that_cannot_be_read_ends_with_the_reason() -> None:
    def refuses() -> Any:
        raise PersonCanAct("a.jsonl is no journal: it holds no event")

    app = ReplayApp(refuses)
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.problem)
    assert app.problem == "a.jsonl is no journal: it holds no event"
    assert app.return_code == 2


@pytest.mark.parametrize(
    ("playback", "words", "brief"),
    [
        (
            Playback(312, 1204, "09:41:07", False, 1.0),
            "‖ paused · event 312 of 1,204 · 09:41:07",
            "‖ 312/1,204 09:41",
        ),
        (
            Playback(5, 9, "09:41:07", True, 0.5),
            "▸ plays 0.5× · event 5 of 9 · 09:41:07",
            "▸ 5/9 09:41",
        ),
        (Playback(9, 9, "", False, 4.0), "■ end · event 9 of 9", "■ 9/9"),
    ],
)
def test_where_a_replay_stands_is_said_in_words(playback: Playback, words: str, brief: str) -> None:
    assert (playback.words, playback.brief) == (words, brief)
