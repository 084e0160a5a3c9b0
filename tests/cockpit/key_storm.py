"""Random keys, clicks, drags, pastes, resizes, events and leaps of the clock on the running
cockpit, and what must hold.

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
from collections.abc import Callable
from datetime import timedelta, timezone
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

from textual.pilot import Pilot

from agent_cockpit.cockpit.keys.roles import KeepsKeys
from agent_cockpit.cockpit.screens.full_screen import DecidingScreen
from agent_cockpit.engine.state import MetaResult
from agent_cockpit.events.harness import AgentEnd
from agent_cockpit.events.sitting import Notice
from agent_cockpit.rules.consent.permission import ConsentPolicy
from agent_cockpit.settings import HarnessConfig
from agent_cockpit.workspace.workspace import Workspace
from tests.cockpit.screen import until
from tests.cockpit.storm_acts import SIZES, Acts, Stage
from tests.cockpit.storm_clock import Clocks
from tests.cockpit.storm_keys import write_moved_keys
from tests.cockpit.storm_laws import (
    Broken,
    Watched,
    answers_of,
    check_answers,
    check_borders,
    check_footer,
    check_picture,
    check_places,
    check_reach,
    whole_text,
)
from tests.cockpit.storm_news import News
from tests.cockpit.storm_texts import DIFFS
from tests.support.scripted_source import ScriptedSource

HOUR = 3600
"""Acts of an hour: one a second."""
SETTLED_EVERY = 40
"""So many acts lie between two moments at which nothing runs."""
SEARCHED_EVERY = 5
"""So many of those moments lie between two searches."""
_FAR_ZONES = (timezone(timedelta(hours=-12)), timezone(timedelta(hours=14)))


class VimSource(ScriptedSource):
    """A sitting of somebody who writes with vim's keys, in a folder whose files can be named."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.harness = SimpleNamespace(
            config=HarnessConfig(vim_keys=True),
            base_policy=ConsentPolicy(),
            workspace=Workspace(folder),
        )


class Storm:
    """One person's time at one cockpit, with their own keys and habits. `acts` are the last
    things that happened."""

    def __init__(self, seed: int, home: Path) -> None:
        dice = random.Random(seed)
        self.acts: deque[str] = deque(maxlen=60)
        self._dice = dice
        self._source = VimSource(home) if dice.random() < 0.3 else ScriptedSource()
        self._source.meta["/diff"] = MetaResult("diff", dice.choice(DIFFS))
        keys = home / "keys.toml"
        if dice.random() < 0.4:
            write_moved_keys(keys, dice)
            self.acts.append(keys.read_text())
        self._clocks = Clocks(dice)
        self._app = Watched(
            self._source,
            quiet_s=dice.choice([0.0, 0.02]),
            zone=dice.choice([None, *_FAR_ZONES]),
            keys_file=lambda: keys,
        )
        self._news = News(dice, self._clocks.stamp)
        self._doings = Acts(
            Stage(dice, self._app, self._source, self._news, self._clocks, self.acts)
        )

    async def rage(self, count: int) -> int:
        """So many acts, fewer where one of them ends the cockpit; how many there were."""
        with self._clocks.in_force():
            return await self._rage(count)

    async def _rage(self, count: int) -> int:
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
        answered = len(answers_of(self._source))
        await self._doings.next(pilot)
        new = answers_of(self._source)[answered:]
        check_answers(self._news.asked, self._app.shown, new)
        if not self._is_left():
            check_footer(self._app)
            check_picture(self._app)
            check_borders(self._app)
            check_places(self._app)

    # the laws

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
        if app.composer.vim is not None:
            await pilot.press("escape", "i")
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
        with TemporaryDirectory() as home:
            storm = Storm(seed * 1000 + part, Path(home))
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
