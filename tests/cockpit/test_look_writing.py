"""What helps with writing looks like: lists above the prompt, chips, a command of one's own."""

from __future__ import annotations

from typing import Any

from textual.pilot import Pilot

from agent_cockpit.events.harness import ToolEnd, ToolStart
from agent_cockpit.transcript.wording import PERSON_COMMAND
from tests.cockpit.screen import text_of, until
from tests.cockpit.test_look import Compare, still
from tests.support.scripted_source import ScriptedSource


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
