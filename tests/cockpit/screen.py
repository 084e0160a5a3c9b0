"""Reading the screen and waiting for facts, for tests of the whole app."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from textual import events
from textual.app import App
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.strip import Strip

from agent_cockpit.cockpit.transcript.transcript import TranscriptView
from tests.support.waiting import WITHIN_S


def text_of(app: App[Any]) -> str:
    """All that the screen shows, line by line."""
    screen = app.screen
    width, height = app.size
    lines = []
    for strip in screen._compositor.render_strips():
        lines.append(strip.text[:width].rstrip())
    return "\n".join(lines[:height])


async def type_in(pilot: Pilot[Any], text: str) -> None:
    """Press the key of each letter, quicker than any finger: only after the last one it is
    waited until the app is idle, which takes longer than all that the others do."""
    for sign in text[:-1]:
        key = sign if sign.isalnum() else _character_to_key(sign)
        pilot.app.post_message(events.Key(key, sign))
    await pilot.press(text[-1])


async def at_rest(pilot: Pilot[Any]) -> None:
    """Let the app work until it shows the same picture several times in a row.

    Each time is longer than a frame, and whatever is due comes before it: what the app still
    had to tell, fold and draw went at least one step on.
    """
    before: list[Strip] = []
    alike = 0
    while alike < 4:
        await pilot.pause(0.04)
        await pilot.pause()
        now = list(pilot.app.screen._compositor.render_strips())
        alike, before = alike + 1 if now == before else 0, now


async def at_rest_and_measured(pilot: Pilot[Any]) -> None:
    """As `at_rest`, with the height of every block known: which ones are still estimated depends
    on how many frames it took to come here, and the scroll bar shows it."""
    await at_rest(pilot)
    for view in pilot.app.screen_stack[0].query(TranscriptView):
        layout = view.placed
        if layout is None:
            continue
        before = layout.total
        for key in range(len(layout._heights)):
            layout.measure(key)
        if layout.total != before:
            view.settle()
            await at_rest(pilot)


async def until(
    pilot: Pilot[Any], fact: Callable[[], object], *, within_s: float = WITHIN_S
) -> None:
    """Let the app work until something holds; fails when it never does."""
    deadline_s = time.monotonic() + within_s
    while time.monotonic() < deadline_s:
        if fact():
            return
        await pilot.pause(0.01)
    raise AssertionError(f"it never came true; the screen:\n{text_of(pilot.app)}")
