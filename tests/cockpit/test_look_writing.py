"""What helps with writing looks like: lists above the prompt, chips, a command of one's own."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from agent_cockpit.events.harness import ToolEnd, ToolStart
from agent_cockpit.transcript.wording import PERSON_COMMAND
from tests.cockpit.screen import text_of, until
from tests.cockpit.test_look import Compare, at_every_size, still
from tests.support.scripted_source import ScriptedSource
from tests.transcript.stories import fixed_test


@at_every_size
def test_commands_to_choose_from(snap_compare: Compare, size: tuple[int, int]) -> None:
    source = ScriptedSource()
    app = still(source)

    async def before(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(*fixed_test())
        await until(pilot, lambda: "verified" in text_of(app))
        await pilot.press("/", "m", "o", "down")

    assert snap_compare(app, terminal_size=size, run_before=before)


@pytest.mark.parametrize("theme", ["cockpit-dark", "cockpit-light"])
def test_a_long_paste_with_its_beginning(snap_compare: Compare, theme: str) -> None:
    app = still(ScriptedSource())

    async def before(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.driving.source is not None)
        app.looks.preview(theme)
        app.composer.insert_text("explain ")
        app.composer.insert_text("".join(f"{n}: a line of a log\n" for n in range(10_000)))
        await until(pilot, lambda: "writes it out" in text_of(app))

    assert snap_compare(app, terminal_size=(80, 24), run_before=before)


def test_a_search_of_what_was_sent(snap_compare: Compare) -> None:
    app = still(ScriptedSource())

    async def before(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.driving.source is not None)
        for prompt in ("fix the parser", "look at calc.py", "fix the calc\nand its tests"):
            app.composer.prompts.add(prompt)
        await pilot.press("ctrl+r", "c", "a", "l", "c")

    assert snap_compare(app, terminal_size=(80, 24), run_before=before)


def test_a_command_of_the_persons(snap_compare: Compare) -> None:
    source = ScriptedSource()
    app = still(source)
    call: dict[str, Any] = {"call_id": "1", "tool": PERSON_COMMAND}
    content = " M calc.py\n?? notes.md\n[exit 0]"

    async def before(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(
            ToolStart(**call, input={"command": "git status --short"}, allowed_by="you typed it"),
            ToolEnd(**call, success=True, content=content, exit_code=0, duration_ms=31),
        )
        await until(pilot, lambda: "notes.md" in text_of(app))
        await pilot.press("!", "g", "i", "t")

    assert snap_compare(app, terminal_size=(80, 24), run_before=before)
