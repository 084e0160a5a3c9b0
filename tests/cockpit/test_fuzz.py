"""Random keys and random events together: the app lives, and no answer comes from nowhere."""

from __future__ import annotations

import random
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import (
    AgentEnd,
    AgentStart,
    ApprovalResolved,
    CancellationObserved,
    ModelUpdate,
    ToolEnd,
    ToolStart,
)
from agent_cockpit.events.sitting import Notice, PromptQueued, PromptsRecalled
from tests.cockpit.screen import until
from tests.support.scripted_source import ScriptedSource, asks

KEYS = (
    *"yanrvexq/?[",
    *("enter", "tab", "escape", "up", "down", "left", "right", "backspace", "space"),
    *("pageup", "pagedown", "home", "end", "delete", "f1"),
    *("ctrl+j", "ctrl+o", "ctrl+l", "ctrl+u", "ctrl+g", "ctrl+w", "shift+tab", "alt+up"),
    *("ctrl+f", "alt+r", "alt+down", "shift+up", "alt+t", "alt+s", "c", "f", "k"),
)
HOSTILE = ("[/]", "\x1b[2J", "\u202e", "[b]x", "한글", "\ud83d", "a\nb\r\nc", "")
SIZES = ((120, 40), (80, 24), (40, 10), (20, 5), (1, 1))


def some_event(dice: random.Random, asked: list[str]) -> Event:
    text = dice.choice(HOSTILE)
    call_id = dice.choice(asked) if asked else "none"
    match dice.randrange(11):
        case 0 | 1:
            asked.append(f"call-{len(asked)}")
            return asks(asked[-1], input={"command": f"echo {text}"}, reason=text)
        case 2:
            return ApprovalResolved(approval_id=call_id, allowed=dice.random() < 0.5)
        case 3:
            return AgentStart(goal=text or "g", task_kind="edit")
        case 4:
            return AgentEnd(outcome=dice.choice(["success", "failed", None]))
        case 5:
            return CancellationObserved(reason=text)
        case 6:
            return ToolStart(call_id=call_id, tool="run_command", input={"command": text})
        case 7:
            return ToolEnd(call_id=call_id, tool="run_command", success=True, content=text)
        case 8:
            return PromptQueued(text=text)
        case 9:
            return dice.choice([Notice(text=text), PromptsRecalled(texts=[text])])
        case _:
            return ModelUpdate(delta=text)


@pytest.mark.parametrize("seed", range(6))
async def test_the_app_lives_through_anything(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    dice = random.Random(seed)
    source = ScriptedSource()
    app = CockpitApp(lambda: source, quiet_s=dice.choice([0.0, 0.05]))
    asked: list[str] = []
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        for _ in range(70):
            await one_step(pilot, app, source, dice, asked)
        assert app.is_running
        answered = [call[1] for call in source.calls if call[0] == "resolve"]
        assert set(answered) <= set(asked)
        source.say(AgentEnd(outcome="success"))
        await until(pilot, lambda: not app.panel.is_open)
        while len(app.screen_stack) > 1:
            await pilot.press("escape")
        await pilot.press("escape", "escape")
        app.composer.put("")
        await pilot.press("o", "k")
        assert app.composer.text.endswith("ok")


async def one_step(
    pilot: Pilot[None],
    app: CockpitApp,
    source: ScriptedSource,
    dice: random.Random,
    asked: list[str],
) -> None:
    doing: Any = dice.random()
    if doing < 0.45:
        await pilot.press(dice.choice(KEYS))
    elif doing < 0.9:
        source.say(some_event(dice, asked))
    elif doing < 0.93:
        await pilot.resize_terminal(*dice.choice(SIZES))
    elif doing < 0.96:
        app.post_message(events.Paste(dice.choice(HOSTILE)))
    else:
        source.finish()
        await pilot.pause()
