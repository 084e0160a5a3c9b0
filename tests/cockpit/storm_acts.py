"""What happens in a storm: what a person does at the keyboard and with the mouse, and what the
sitting, the window and the machine do meanwhile."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from textual import events
from textual.pilot import Pilot

from agent_cockpit.cockpit.look.theme import theme_names
from agent_cockpit.errors import DirtyWorkspaceError
from tests.cockpit.storm_clock import Clocks
from tests.cockpit.storm_keys import keys_in_force
from tests.cockpit.storm_laws import Broken, Watched
from tests.cockpit.storm_news import News
from tests.cockpit.storm_texts import TEXTS
from tests.support.scripted_source import ScriptedSource

TYPED = (
    *"yanrvexqlo/?1 2[]@Adcfkhjp!",
    *("enter", "space", "backspace", "delete", "ctrl+u", "ctrl+w"),
)
VIM = (
    "d",
    "i",
    "w",
    "V",
    "v",
    "u",
    "G",
    "0",
    "$",
    "~",
    "p",
    "c",
    "x",
    "b",
    ".",
    "escape",
    "escape",
)
WORDS = ("/theme", "/keys", "/diff", "/help", "/status", "/copy all", "/times", "/panel", "@a", "x")
"""What is written whole and sent."""
SIZES = ((80, 24), (60, 20), (120, 40), (40, 15), (40, 10), (20, 5), (3, 2), (1, 1))
LARGEST = (300, 100)
LARGEST_OF = 40
"""One window of so many is the largest, which takes the longest to draw."""


class Stage(NamedTuple):
    """Where it all happens, and what has happened last."""

    dice: random.Random
    app: Watched
    source: ScriptedSource
    news: News
    clocks: Clocks
    acts: deque[str]


class Acts:
    """Lets one thing after another happen, as the dice say."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._dice, self._app, self._source, self._news, self._clocks, self._acts = stage
        self._last_key = ""
        self._doings: tuple[tuple[float, Callable[[Pilot[None]], Awaitable[None]]], ...] = (
            (40, self._key),
            (32, self._event),
            (4, self._resize),
            (4, self._paste),
            (4, self._click),
            (3, self._drag),
            (3, self._wheel),
            (2, self._command),
            (2, self._away),
            (1, self._plan),
            (1, self._dirty),
            (2, self._goal_ends),
            (2, self._leap),
            (1, self._theme),
        )

    async def next(self, pilot: Pilot[None]) -> None:
        """Let one thing happen."""
        weights, doings = zip(*self._doings, strict=True)
        (doing,) = self._dice.choices(doings, weights)
        await doing(pilot)

    # the person

    async def _key(self, pilot: Pilot[None]) -> None:
        among = [TYPED, keys_in_force(self._app.keymap)]
        if self._app.composer.vim is not None:
            among.append(VIM)
        key = self._dice.choice(self._dice.choice(among))
        if key != "ctrl+c" or self._last_key != key:
            self._acts.append(f"key {key}")
            await pilot.press(key)
        self._last_key = key

    async def _paste(self, pilot: Pilot[None]) -> None:
        text = self._dice.choice(TEXTS)
        self._acts.append(f"paste {text[:8]!r}")
        self._app.post_message(events.Paste(text))
        await pilot.pause()

    async def _click(self, pilot: Pilot[None]) -> None:
        times, button = self._dice.choice([1, 1, 2, 3]), self._dice.choice([1, 1, 2, 3])
        spot = self._spot()
        self._acts.append(f"click {spot} {times}")
        await pilot.click(
            offset=spot,
            times=times,
            button=button,
            shift=self._dice.random() < 0.1,
            control=self._dice.random() < 0.1,
        )

    async def _drag(self, pilot: Pilot[None]) -> None:
        """From one place to others, after a click or two; now and then beyond the window, where
        nobody hears of the release."""
        spots = [self._spot() for _ in range(self._dice.randrange(2, 5))]
        if self._dice.random() < 0.3:
            spots[1:] = [(x, spots[0][1] + y) for y in range(-3, 4) for x in (0, spots[-1][0])]
        clicks = self._dice.choice([0, 0, 1, 2])
        self._acts.append(f"drag {spots} after {clicks}")
        if clicks:
            await pilot.click(offset=spots[0], times=clicks)
        self._mouse(events.MouseMove, spots[0], 0)
        self._mouse(events.MouseDown, spots[0], 1)
        for spot in spots[1:]:
            if self._dice.random() < 0.3:
                self._source.say(self._news.next())
            self._mouse(events.MouseMove, spot, 1)
            await pilot.pause()
        if self._dice.random() < 0.9:
            self._mouse(events.MouseUp, spots[-1], 1)
        await pilot.pause()

    async def _wheel(self, pilot: Pilot[None]) -> None:
        kinds = (
            *(events.MouseScrollUp, events.MouseScrollDown),
            *(events.MouseScrollLeft, events.MouseScrollRight),
        )
        kind, spot = self._dice.choice(kinds), self._spot()
        self._acts.append(f"{kind.__name__} {spot}")
        for _ in range(self._dice.randrange(1, 6)):
            self._mouse(kind, spot, 0)
        await pilot.pause()

    async def _command(self, pilot: Pilot[None]) -> None:
        words = self._dice.choice(WORDS)
        self._acts.append(f"write {words}")
        keys = ["space" if letter == " " else letter for letter in words]
        for key in (*keys, *["enter"] * self._dice.randrange(3)):
            await pilot.press(key)

    # the sitting

    async def _event(self, pilot: Pilot[None]) -> None:
        for _ in range(self._dice.choice([1, 1, 3, 20])):
            event = self._news.next()
            self._acts.append(f"event {type(event).__name__}")
            self._source.say(event)
        if self._dice.random() < 0.5:
            await self._keeps_the_prompt(pilot, pilot.pause)

    async def _plan(self, pilot: Pilot[None]) -> None:
        self._acts.append("plan")
        plans = ["1. do\n2. look", "1. other", self._dice.choice(TEXTS)]
        self._source.plan = self._dice.sample(plans, self._dice.randrange(1, 3))

    async def _dirty(self, pilot: Pilot[None]) -> None:
        self._acts.append("dirty tree")
        paths = ("a.py", self._dice.choice(TEXTS))
        self._source.fails.append(DirtyWorkspaceError("dirty", paths=paths))

    async def _goal_ends(self, pilot: Pilot[None]) -> None:
        self._acts.append("goal ends")
        self._source.finish()
        await pilot.pause()

    # the window and the machine

    async def _resize(self, pilot: Pilot[None]) -> None:
        for _ in range(self._dice.choice([1, 1, 4])):
            size = self._dice.choice(SIZES) if self._dice.randrange(LARGEST_OF) else LARGEST
            self._acts.append(f"resize {size}")
            await self._keeps_the_prompt(pilot, lambda: pilot.resize_terminal(*size))  # noqa: B023

    async def _away(self, pilot: Pilot[None]) -> None:
        self._acts.append("another window, and back")
        kinds = [events.AppBlur(), events.AppFocus()]
        for event in kinds if self._dice.random() < 0.7 else kinds[1:]:
            self._app.post_message(event)
            await pilot.pause()
        if self._dice.random() < 0.3:
            await self._seen_again(pilot)

    async def _leap(self, pilot: Pilot[None]) -> None:
        """Whatever a clock does, nobody typed meanwhile."""
        self._acts.append(self._clocks.leap())
        await self._keeps_the_prompt(pilot, pilot.pause)
        if self._dice.random() < 0.5:
            await self._seen_again(pilot)

    async def _seen_again(self, pilot: Pilot[None]) -> None:
        self._acts.append("seen again")
        self._app.app_resume_signal.publish(self._app)
        await pilot.pause()

    async def _theme(self, pilot: Pilot[None]) -> None:
        name = self._dice.choice(list(theme_names()))
        self._acts.append(f"theme {name}")
        await self._keeps_the_prompt(pilot, lambda: self._drawn_in(name, pilot))

    async def _drawn_in(self, name: str, pilot: Pilot[None]) -> None:
        if not self._app.looks.keep(name):
            raise Broken(f"there is no theme {name}")
        await pilot.pause()

    # what all of it needs

    async def _keeps_the_prompt(
        self, pilot: Pilot[None], act: Callable[[], Awaitable[None]]
    ) -> None:
        """What only happens, and was not typed, leaves what is written as it is."""
        await pilot.pause()
        before, calls = self._app.composer.whole_text, len(self._source.calls)
        is_quiet = not self._source.said.qsize() or "PromptsRecalled" not in " ".join(self._acts)
        await act()
        after = self._app.composer.whole_text
        is_quiet = is_quiet and len(self._source.calls) == calls and not self._source.fails
        if is_quiet and before not in after:
            raise Broken(f"nobody typed, and {before!r} became {after!r}")

    def _spot(self) -> tuple[int, int]:
        width, height = self._app.size
        return self._dice.randrange(max(1, width)), self._dice.randrange(max(1, height))

    def _mouse(self, kind: type[events.MouseEvent], spot: tuple[int, int], button: int) -> None:
        x, y = spot
        assert self._app._driver is not None
        self._app._driver.process_message(
            kind(None, x, y, 0, 0, button, False, False, False, screen_x=x, screen_y=y)
        )
