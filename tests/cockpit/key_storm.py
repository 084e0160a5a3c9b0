"""Random keys, clicks, pastes, resizes and events on the running cockpit, and what must hold.

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
from typing import Any

from textual import events
from textual.pilot import Pilot

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.keys.gate import KeepsKeys
from agent_cockpit.cockpit.keys.key_table import KEYS
from agent_cockpit.cockpit.screens.full_screen import DecidingScreen
from agent_cockpit.errors import DirtyWorkspaceError
from agent_cockpit.events.ahead import CallsAhead
from agent_cockpit.events.base import Event
from agent_cockpit.events.consent import ConsentScope
from agent_cockpit.events.harness import (
    AgentEnd,
    AgentStart,
    ApprovalRequested,
    ApprovalResolved,
    CancellationObserved,
    ModelUpdate,
    ToolEnd,
    ToolStart,
)
from agent_cockpit.events.sitting import Notice, PromptQueued, PromptsRecalled
from tests.cockpit.screen import until
from tests.support.scripted_source import ScriptedSource, asks

HOUR = 3600
"""Acts of an hour: one a second."""
NEVER = {"ctrl+q", "ctrl+d", "ctrl+z"}
"""Keys that end the app or put it to sleep."""
TYPED = (*"yanrvexqlo/?1 2[]@Adcfk", "enter", "space", "backspace", "delete", "ctrl+u", "ctrl+w")
BOUND = tuple(sorted({key for line in KEYS for key in line.keys} - NEVER))
HOSTILE = ("[/]", "\x1b[2J", "\u202e", "[b]x", "한글", "\ud83d", "a\nb\r\nc", "", "x\n" * 40)
SIZES = ((120, 40), (80, 24), (150, 50), (40, 15), (40, 10), (20, 5), (1, 1))
DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n"
SETTLED_EVERY = 40
"""So many acts lie between two moments at which nothing runs."""


class Broken(AssertionError):
    """A law does not hold."""


class Storm:
    """One person's time at one cockpit. `acts` are the last things that happened."""

    def __init__(self, seed: int) -> None:
        self.acts: deque[str] = deque(maxlen=60)
        self._dice = random.Random(seed)
        self._source = ScriptedSource()
        quiet_s = self._dice.choice([0.0, 0.02])
        self._app = CockpitApp(lambda: self._source, quiet_s=quiet_s)
        self._asked: list[str] = []
        self._last = ""

    async def rage(self, count: int) -> int:
        """So many acts, fewer where one of them ends the cockpit; how many there were."""
        async with self._app.run_test(size=self._dice.choice(SIZES[:3])) as pilot:
            await until(pilot, lambda: self._app.driving.source is not None)
            for done in range(1, count + 1):
                await self._act(pilot)
                if self._app.quitting.is_leaving or not self._app.is_running:
                    return done
                self._check_answers()
                if done % SETTLED_EVERY == 0 and not await self._settles(pilot):
                    return done
            await self._settles(pilot)
        return count

    async def _act(self, pilot: Pilot[None]) -> None:
        dice = self._dice
        doing = dice.random()
        if doing < 0.5:
            key = dice.choice(TYPED if dice.random() < 0.5 else BOUND)
            if key != "ctrl+c" or self._last != key:
                await self._say(f"key {key}", pilot.press(key))
            self._last = key
        elif doing < 0.8:
            event = self._event()
            self.acts.append(f"event {type(event).__name__}")
            self._source.say(event)
        elif doing < 0.84:
            size = dice.choice(SIZES)
            await self._say(f"resize {size}", pilot.resize_terminal(*size))
        elif doing < 0.88:
            text = dice.choice(HOSTILE)
            self.acts.append(f"paste {text[:8]!r}")
            self._app.post_message(events.Paste(text))
            await pilot.pause()
        elif doing < 0.93:
            width, height = self._app.size
            spot = (dice.randrange(max(1, width)), dice.randrange(max(1, height)))
            times = dice.choice([1, 1, 2])
            await self._say(f"click {spot} {times}", pilot.click(offset=spot, times=times))
        elif doing < 0.96:
            self.acts.append("plan")
            self._source.plan = ["1. do\n2. look", "1. other"][: dice.randrange(1, 3)]
        elif doing < 0.98:
            self.acts.append("dirty tree")
            self._source.fails.append(DirtyWorkspaceError("dirty", paths=("a.py",)))
        else:
            self.acts.append("goal ends")
            self._source.finish()
            await pilot.pause()

    async def _say(self, what: str, act: Any) -> None:
        self.acts.append(what)
        await act

    def _event(self) -> Event:
        dice, text = self._dice, self._dice.choice(HOSTILE)
        call_id = dice.choice(self._asked) if self._asked else "none"
        match dice.randrange(13):
            case 0 | 1:
                return self._question(text)
            case 2:
                return CallsAhead(questions=[self._question(text), self._question(text)])
            case 3 | 4:
                return ApprovalResolved(approval_id=call_id, allowed=dice.random() < 0.5)
            case 5:
                return AgentStart(goal=text or "g", task_kind="edit")
            case 6:
                return AgentEnd(outcome=dice.choice(["success", "failed", None]))
            case 7:
                return CancellationObserved(reason=text)
            case 8:
                return ToolStart(call_id=call_id, tool="run_command", input={"command": text})
            case 9:
                return ToolEnd(call_id=call_id, tool="run_command", success=True, content=text)
            case 10:
                return PromptQueued(text=text)
            case 11:
                return dice.choice([Notice(text=text), PromptsRecalled(texts=[text])])
            case _:
                return ModelUpdate(delta=text)

    def _question(self, text: str) -> ApprovalRequested:
        self._asked.append(f"call-{len(self._asked)}")
        scopes = [
            ConsentScope(scope="once", covers="this call, once"),
            ConsentScope(scope="turn", covers="exactly this command, in this goal"),
            ConsentScope(scope="grant", covers=f"every `{text.strip()[:8]}` in this sitting"),
        ]
        if self._dice.random() < 0.4:
            values = {"path": "x", "content": text}
            return asks(
                self._asked[-1], tool="write_file", input=values, preview=DIFF, hunks=2, tier=1
            )
        command = {"command": f"echo {text}"}
        kept = scopes[: self._dice.randrange(4)]
        return asks(self._asked[-1], input=command, reason=text, scopes=kept)

    # the laws

    def _check_answers(self) -> None:
        """No answer comes from nowhere."""
        answered = {call[1] for call in self._source.calls if call[0] == "resolve"}
        if not answered <= set(self._asked):
            raise Broken(f"answers to nothing that asked: {answered - set(self._asked)}")

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
