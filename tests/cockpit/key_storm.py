"""Random keys, clicks, drags, pastes, resizes and events on the running cockpit, and what must
hold.

`python -m tests.cockpit.key_storm --runs 20` plays twenty hours of a person's time, one act a
second, and says which of them broke a law; `--seed N` plays one again and prints its acts.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import traceback
from collections import deque
from collections.abc import Awaitable, Callable

from textual import events
from textual.pilot import Pilot

from agent_cockpit.cockpit.keys.gate import KeepsKeys
from agent_cockpit.cockpit.keys.key_table import KEYS
from agent_cockpit.cockpit.screens.full_screen import DecidingScreen
from agent_cockpit.engine.state import MetaResult
from agent_cockpit.errors import DirtyWorkspaceError
from agent_cockpit.events.harness import AgentEnd
from agent_cockpit.events.sitting import Notice
from tests.cockpit.screen import until
from tests.cockpit.storm_laws import (
    Broken,
    Watched,
    answers_of,
    check_answers,
    check_footer,
    check_picture,
    check_places,
    check_reach,
    whole_text,
)
from tests.cockpit.storm_news import DIFF, TEXTS, News
from tests.support.scripted_source import ScriptedSource

HOUR = 3600
"""Acts of an hour: one a second."""
NEVER = {"ctrl+q", "ctrl+d", "ctrl+z"}
"""Keys that end the app or put it to sleep."""
TYPED = (
    *"yanrvexqlo/?1 2[]@Adcfkhjp!",
    "enter",
    "space",
    "backspace",
    "delete",
    "ctrl+u",
    "ctrl+w",
)
BOUND = tuple(sorted({key for line in KEYS for key in line.keys} - NEVER))
WORDS = ("/theme", "/keys", "/diff", "/help", "/status", "/copy all", "/times", "/panel", "@a", "x")
"""What is written whole and sent."""
SIZES = ((80, 24), (60, 20), (120, 40), (40, 15), (40, 10), (20, 5), (3, 2), (1, 1))
LARGEST = (300, 100)
LARGEST_OF = 40
"""One window of so many is the largest, which takes the longest to draw."""
SETTLED_EVERY = 40
"""So many acts lie between two moments at which nothing runs."""
SEARCHED_EVERY = 5
"""So many of those moments lie between two searches."""


class Storm:
    """One person's time at one cockpit. `acts` are the last things that happened."""

    def __init__(self, seed: int) -> None:
        self.acts: deque[str] = deque(maxlen=60)
        self._dice = random.Random(seed)
        self._source = ScriptedSource()
        self._source.meta["/diff"] = MetaResult("diff", DIFF)
        quiet_s = self._dice.choice([0.0, 0.02])
        self._app = Watched(self._source, quiet_s)
        self._news = News(self._dice)
        self._last = ""
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
        )

    async def rage(self, count: int) -> int:
        """So many acts, fewer where one of them ends the cockpit; how many there were."""
        async with self._app.run_test(size=self._dice.choice(SIZES[:3])) as pilot:
            await until(pilot, lambda: self._app.driving.source is not None)
            for done in range(1, count + 1):
                await self._act(pilot)
                if self._is_left():
                    return done
                if done % SETTLED_EVERY == 0:
                    if not await self._settles(pilot):
                        return done
                    if done % (SETTLED_EVERY * SEARCHED_EVERY) == 0:
                        await self._searches(pilot)
            await self._settles(pilot)
        return count

    async def _act(self, pilot: Pilot[None]) -> None:
        weights, doings = zip(*self._doings, strict=True)
        (doing,) = self._dice.choices(doings, weights)
        answered = len(answers_of(self._source))
        await doing(pilot)
        new = answers_of(self._source)[answered:]
        check_answers(self._news.asked, self._app.shown, new)
        if not self._is_left():
            check_footer(self._app)
            check_picture(self._app)
            check_places(self._app)

    # acts

    async def _key(self, pilot: Pilot[None]) -> None:
        key = self._dice.choice(TYPED if self._dice.random() < 0.5 else BOUND)
        if key != "ctrl+c" or self._last != key:
            self.acts.append(f"key {key}")
            await pilot.press(key)
        self._last = key

    async def _event(self, pilot: Pilot[None]) -> None:
        for _ in range(self._dice.choice([1, 1, 3, 20])):
            event = self._news.next()
            self.acts.append(f"event {type(event).__name__}")
            self._source.say(event)
        if self._dice.random() < 0.5:
            await self._keeps_the_prompt(pilot, pilot.pause)

    async def _resize(self, pilot: Pilot[None]) -> None:
        for _ in range(self._dice.choice([1, 1, 4])):
            size = self._dice.choice(SIZES) if self._dice.randrange(LARGEST_OF) else LARGEST
            self.acts.append(f"resize {size}")
            await self._keeps_the_prompt(pilot, lambda: pilot.resize_terminal(*size))  # noqa: B023

    async def _paste(self, pilot: Pilot[None]) -> None:
        text = self._dice.choice(TEXTS)
        self.acts.append(f"paste {text[:8]!r}")
        self._app.post_message(events.Paste(text))
        await pilot.pause()

    async def _click(self, pilot: Pilot[None]) -> None:
        times, button = self._dice.choice([1, 1, 2, 3]), self._dice.choice([1, 1, 3])
        spot = self._spot()
        self.acts.append(f"click {spot} {times}")
        await pilot.click(offset=spot, times=times, button=button)

    async def _drag(self, pilot: Pilot[None]) -> None:
        spots = [self._spot() for _ in range(self._dice.randrange(2, 5))]
        self.acts.append(f"drag {spots}")
        self._mouse(events.MouseMove, spots[0], 0)
        self._mouse(events.MouseDown, spots[0], 1)
        for spot in spots[1:]:
            if self._dice.random() < 0.3:
                self._source.say(self._news.next())
            self._mouse(events.MouseMove, spot, 1)
            await pilot.pause()
        self._mouse(events.MouseUp, spots[-1], 1)
        await pilot.pause()

    async def _wheel(self, pilot: Pilot[None]) -> None:
        kind = self._dice.choice([events.MouseScrollUp, events.MouseScrollDown])
        spot = self._spot()
        self.acts.append(f"{kind.__name__} {spot}")
        for _ in range(self._dice.randrange(1, 6)):
            self._mouse(kind, spot, 0)
        await pilot.pause()

    async def _command(self, pilot: Pilot[None]) -> None:
        words = self._dice.choice(WORDS)
        self.acts.append(f"write {words}")
        keys = ["space" if letter == " " else letter for letter in words]
        for key in (*keys, *["enter"] * self._dice.randrange(3)):
            await pilot.press(key)

    async def _away(self, pilot: Pilot[None]) -> None:
        self.acts.append("another window, and back")
        kinds = [events.AppBlur(), events.AppFocus()]
        for event in kinds if self._dice.random() < 0.7 else kinds[1:]:
            self._app.post_message(event)
            await pilot.pause()
        if self._dice.random() < 0.3:
            self.acts.append("seen again")
            self._app.app_resume_signal.publish(self._app)
            await pilot.pause()

    async def _plan(self, pilot: Pilot[None]) -> None:
        self.acts.append("plan")
        self._source.plan = ["1. do\n2. look", "1. other"][: self._dice.randrange(1, 3)]

    async def _dirty(self, pilot: Pilot[None]) -> None:
        self.acts.append("dirty tree")
        self._source.fails.append(DirtyWorkspaceError("dirty", paths=("a.py",)))

    async def _goal_ends(self, pilot: Pilot[None]) -> None:
        self.acts.append("goal ends")
        self._source.finish()
        await pilot.pause()

    def _spot(self) -> tuple[int, int]:
        width, height = self._app.size
        return self._dice.randrange(max(1, width)), self._dice.randrange(max(1, height))

    def _mouse(self, kind: type[events.MouseEvent], spot: tuple[int, int], button: int) -> None:
        x, y = spot
        assert self._app._driver is not None
        self._app._driver.process_message(
            kind(None, x, y, 0, 0, button, False, False, False, screen_x=x, screen_y=y)
        )

    # the laws

    async def _keeps_the_prompt(
        self, pilot: Pilot[None], act: Callable[[], Awaitable[None]]
    ) -> None:
        """What only happens, and was not typed, leaves what is written as it is."""
        await pilot.pause()
        before, calls = self._app.composer.whole_text, len(self._source.calls)
        is_quiet = not self._source.said.qsize() or "PromptsRecalled" not in " ".join(self.acts)
        await act()
        after = self._app.composer.whole_text
        is_quiet = is_quiet and len(self._source.calls) == calls and not self._source.fails
        if is_quiet and before not in after:
            raise Broken(f"nobody typed, and {before!r} became {after!r}")

    async def _searches(self, pilot: Pilot[None]) -> None:
        """A block of any age is found."""
        texts = whole_text(self._app)
        marks = [mark for mark in self._news.marks if mark in texts]
        if marks and self._app.transcript_view.display:
            word = self._dice.choice(marks)
            self.acts.append(f"search {word}")
            await pilot.resize_terminal(100, 30)
            await check_reach(pilot, self._app, word)
            if not await self._settles(pilot):
                raise Broken("the search left the cockpit")

    async def _settles(self, pilot: Pilot[None]) -> bool:
        """With the goal over and every page closed no panel is left, and the prompt takes what
        is typed; False where the cockpit was left instead."""
        app, source = self._app, self._source
        source.plan, source.fails = [], []
        source.finish()
        source.say(AgentEnd(outcome="success"))
        self.acts.append("all ends")
        await self._until(pilot, self._nothing_runs, "a goal, its panel or its page stays")
        for _ in range(30):
            if self._is_left() or self._at_prompt():
                break
            await pilot.press("escape")
            await pilot.pause()
        if self._is_left():
            return False
        await self._until(pilot, self._at_prompt, "the prompt has not got the keyboard")
        source.say(Notice(text=f"settled {len(source.calls)}"))
        await self._until(pilot, self._is_drawn, "what was told is not drawn")
        app.composer.put("")
        await pilot.press("o", "k")
        if app.composer.text != "ok":
            raise Broken(f"typed ok, and the prompt holds {app.composer.text!r}")
        app.composer.put("")
        return True

    def _nothing_runs(self) -> bool:
        """Nothing that belongs to a run is left; a question of the sitting's own is answered."""
        app = self._app
        if self._is_left():
            return True
        self._source.finish()
        question = app.panel.question
        is_own = question is not None and question.question_id.startswith("dirty tree")
        if is_own and not app.panel.is_writing and app.panel.is_lit:
            app.panel.press("escape")
        is_deciding = any(isinstance(screen, DecidingScreen) for screen in app.screen_stack)
        if is_deciding and isinstance(app.screen, DecidingScreen):
            app.screen.dismiss(None)
        elif app.panel.is_writing or isinstance(app.focused, KeepsKeys) or not app.is_main:
            app.simulate_key("escape")
        return not (app.driving.is_busy or app.panel.is_open or is_deciding)

    def _is_drawn(self) -> bool:
        """Whether all that was told has come to the screen, and given prompts back."""
        bridge, view = self._app.opening.bridge, self._app.transcript_view
        if not self._source.said.empty() or bridge is None or view.placed is None:
            return False
        return view.placed.count == len(bridge.transcript) and not view.is_behind

    def _at_prompt(self) -> bool:
        app = self._app
        return app.is_main and app.composer.has_focus and not isinstance(app.focused, KeepsKeys)

    def _is_left(self) -> bool:
        return self._app.quitting.is_leaving or not self._app.is_running

    async def _until(self, pilot: Pilot[None], fact: Callable[[], bool], broken: str) -> None:
        for _ in range(600):
            if fact() or self._is_left():
                return
            await pilot.pause(0.01)
        stack = [type(screen).__name__ for screen in self._app.screen_stack]
        raise Broken(f"{broken}: {stack}, focus {self._app.focused!r}")


async def play(seed: int, count: int) -> str:
    """So many acts of this seed, in as many cockpits as they take; empty, or what broke."""
    done, part = 0, 0
    while done < count:
        storm = Storm(seed * 1000 + part)
        part += 1
        try:
            done += await storm.rage(count - done)
        except BaseException as problem:
            if isinstance(problem, KeyboardInterrupt | SystemExit | asyncio.CancelledError):
                raise
            told = "".join(traceback.format_exception(problem)[-12:])
            acts = "\n  ".join(storm.acts)
            return f"seed {seed}, cockpit {part}, about act {done}:\n  {acts}\n{told}"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1, help="hours to play, from seed 0 on")
    parser.add_argument("--seed", type=int, help="play this one only")
    parser.add_argument("--acts", type=int, default=HOUR)
    given = parser.parse_args()
    seeds = range(given.runs) if given.seed is None else [given.seed]
    broken = 0
    for seed in seeds:
        told = asyncio.run(play(seed, given.acts))
        broken += bool(told)
        print(told or f"seed {seed}: {given.acts} acts, every law held", flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
