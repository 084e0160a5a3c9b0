"""Moves about in a recorded sitting: plays it, steps, goes to a place.

Law: it hands events to the bridge and does nothing else; nothing here runs, writes or sends.
Loaded with a replay only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from datetime import tzinfo
from typing import Any, NamedTuple

from agent_cockpit.cockpit.bridge import Bridge
from agent_cockpit.transcript.jumping import place_named
from agent_cockpit.transcript.recording import Recording, nearest

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
_NEAR = 200
"""Up to so many events further they are told one by one; beyond, the scene is made at once."""


class Playback(NamedTuple):
    """Where a replay stands: `place` of `total` events, and what the clock said there."""

    place: int
    total: int
    clock: str
    is_playing: bool
    speed: float

    @property
    def brief(self) -> str:
        """For a small screen."""
        return f"{self._sign} {self.place:,}/{self.total:,} {self.clock[:5]}".rstrip()

    @property
    def words(self) -> str:
        """For a screen with room."""
        rests = "end" if self._is_over else "paused"
        state = f"plays {self.speed:g}×" if self.is_playing else rests
        parts = (f"{self._sign} {state}", f"event {self.place:,} of {self.total:,}", self.clock)
        return " · ".join(filter(None, parts))

    @property
    def _is_over(self) -> bool:
        return self.place == self.total

    @property
    def _sign(self) -> str:
        return "▸" if self.is_playing else "■" if self._is_over else "‖"


class Player:
    """Owns the place in one recording; `start` runs work beside the screen, `changed` is called
    when place, speed or playing changed."""

    def __init__(
        self,
        recording: Recording,
        bridge: Bridge,
        *,
        start: Callable[[Coroutine[Any, Any, None]], object],
        changed: Callable[[], object],
        zone: tzinfo | None,
    ) -> None:
        self.recording = recording
        self.place = -1
        self.speed = 1.0
        self._bridge = bridge
        self._start = start
        self._changed = changed
        self._zone = zone
        self._plays = 0
        """How often it was told to play or to stop: a play of before ends by it."""
        self.is_playing = False

    @property
    def playback(self) -> Playback:
        """Where it stands."""
        clock = self.recording.clock(self.place)
        told = "" if clock is None else clock.astimezone(self._zone).strftime("%H:%M:%S")
        return Playback(self.place, len(self.recording), told, self.is_playing, self.speed)

    def go(self, place: int) -> None:
        """Show what stood there, from here on at rest."""
        self._rest()
        self._move(place)

    def step(self, places: Sequence[int], step: int) -> bool:
        """Go to the next of these places, or the one before (-1); False: there is none."""
        place = nearest(places, self.place, step)
        self.go(self.place if place is None else place)
        return place is not None

    def step_event(self, step: int) -> None:
        """Go one event on, or back (-1)."""
        self.go(min(len(self.recording), max(0, self.place + step)))

    def go_to(self, words: str) -> bool:
        """Go to the place that these words name; False when they name none."""
        place = place_named(words, self.recording, self.place, self._zone)
        if place is not None:
            self.go(place)
        return place is not None

    def pace(self, step: int) -> None:
        """Play faster, or slower (-1)."""
        at = SPEEDS.index(self.speed) + step
        self.speed = SPEEDS[min(len(SPEEDS) - 1, max(0, at))]
        self._changed()

    def toggle(self) -> None:
        """Play on, or rest; from the end play all of it."""
        if self.is_playing:
            self._rest()
            self._changed()
            return
        if self.place == len(self.recording):
            self._move(0)
        self._plays += 1
        self.is_playing = True
        self._changed()
        self._start(self._play(self._plays))

    async def _play(self, play: int) -> None:
        while self.place < len(self.recording):
            await asyncio.sleep(self.recording.wait_s(self.place) / self.speed)
            if play != self._plays:
                return
            if self.place + 1 == len(self.recording):
                self._rest()
            self._move(self.place + 1)

    def _rest(self) -> None:
        self._plays += 1
        self.is_playing = False

    def _move(self, place: int) -> None:
        before, self.place = self.place, place
        if 0 <= before <= place <= before + _NEAR:
            self._bridge.feed(self.recording.events[before:place])
        else:
            self._bridge.stand(*self.recording.scene(place))
        self._changed()
