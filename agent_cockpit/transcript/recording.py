"""A recorded sitting as something to move about in: what stood on the screen at each place, where
a step ends, what the clock said.

Laws: a place is a number of events, from none to all; the transcript and the status of a place
are those of its events folded from the first on, however one came there.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import reduce
from typing import NamedTuple

from agent_cockpit.events import harness as h
from agent_cockpit.events import sitting as s
from agent_cockpit.events.base import Event
from agent_cockpit.transcript.advancing import advance
from agent_cockpit.transcript.fold import Transcript
from agent_cockpit.transcript.status import Status

LONGEST_WAIT_S = 2.0
"""A pause that was longer is no longer than this when it is played."""
LEAST_BETWEEN_MARKS = 256
MOST_MARKS = 200
"""Each mark keeps a list of its blocks: so many are some ten megabytes in a sitting of 5,000
turns, and none is further than a blink of an eye."""


class Scene(NamedTuple):
    """What a place looks like; whoever gets it may go on from it."""

    transcript: Transcript
    status: Status

    def after(self, event: Event) -> Scene:
        """The scene once this happened as well; the transcript grows, or a new page begins."""
        is_new_page = isinstance(event, s.ContextCompacted) and event.cause == "page"
        transcript = Transcript() if is_new_page else self.transcript
        transcript.apply(event)
        return Scene(transcript, advance(self.status, event))


class Recording:
    """Owns the events of one sitting that is over, and marks from which a scene is quickly made."""

    def __init__(self, events: Iterable[Event], *, least: int = LEAST_BETWEEN_MARKS) -> None:
        """With at `least` so many events between two marks."""
        self.events = tuple(events)
        self.clocks = _clocks(self.events)
        """When each event happened, never before the one ahead of it; None while unknown."""
        self._every = max(least, len(self.events) // MOST_MARKS)
        self._marks: list[Scene] = []
        self.stops = self._look_through()
        """Where a step ends: before each new block, when all above it is told, and at questions."""
        self.goals = self._behind(h.AgentStart)
        self.questions = self._behind(h.ApprovalRequested, s.PlanProposed)

    def __len__(self) -> int:
        return len(self.events)

    def scene(self, place: int) -> Scene:
        """What stood on the screen after so many events."""
        mark = min(place // self._every, len(self._marks) - 1)
        scene = self._marks[mark]
        scene = Scene(scene.transcript.copy(), scene.status)
        return reduce(Scene.after, self.events[mark * self._every : place], scene)

    def clock(self, place: int) -> datetime | None:
        """What the clock said at this place."""
        return self.clocks[max(0, place - 1)] if self.clocks else None

    def wait_s(self, place: int) -> float:
        """How long after the event before it the next one of this place came, when played."""
        if not 0 < place < len(self):
            return 0.0
        before, after = self.clocks[place - 1], self.clocks[place]
        if before is None or after is None:
            return 0.0
        return min(LONGEST_WAIT_S, (after - before).total_seconds())

    def place_at(self, when: datetime) -> int:
        """The place at which the first event from this time on has happened; at most the last."""
        known = [clock for clock in self.clocks if clock is not None]
        unknown = len(self.clocks) - len(known)
        return min(len(self), unknown + bisect_left(known, when) + 1)

    def _look_through(self) -> tuple[int, ...]:
        scene = Scene(Transcript(), Status())
        stops = {0, len(self.events)}
        for place, event in enumerate(self.events):
            if place % self._every == 0:
                self._marks.append(Scene(scene.transcript.copy(), scene.status))
            before = len(scene.transcript)
            scene = scene.after(event)
            if len(scene.transcript) != before:
                stops.add(place)
            if isinstance(event, h.ApprovalRequested | s.PlanProposed):
                stops.add(place + 1)
        if not self._marks:
            self._marks.append(scene)
        return tuple(sorted(stops))

    def _behind(self, *kinds: type[Event]) -> tuple[int, ...]:
        return tuple(
            place for place, event in enumerate(self.events, 1) if isinstance(event, kinds)
        )


def nearest(places: Sequence[int], place: int, step: int) -> int | None:
    """The next of these places (1), or the one before (-1); None when there is none."""
    at = bisect_right(places, place) if step > 0 else bisect_left(places, place) - 1
    return places[at] if 0 <= at < len(places) else None


def _clocks(events: Sequence[Event]) -> tuple[datetime | None, ...]:
    """What is not an event of the journal's own has no time of its own."""
    clocks: list[datetime | None] = []
    now: datetime | None = None
    for event in events:
        is_timed = not isinstance(event, s.DamagedLines)
        if isinstance(event, s.UnknownEvent):
            is_timed = "ts" in event.raw and event.ts is not None
        if is_timed and event.ts.tzinfo is not None:
            now = event.ts if now is None else max(now, event.ts)
        clocks.append(now)
    return tuple(clocks)
