"""Esc twice with nothing to interrupt puts the prompt aside, and only then."""

from __future__ import annotations

from tests.cockpit.screen import text_of, until
from tests.cockpit.test_composer import burst
from tests.cockpit.test_look import still
from tests.support.scripted_source import ScriptedSource


async def test_esc_twice_puts_the_prompt_aside_where_the_history_finds_it() -> None:
    app = still(ScriptedSource())
    app.clearing.armed_s = 600
    async with app.run_test(size=(100, 20)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        burst(app, *"draft", "escape", "x", "escape")
        await until(pilot, lambda: "esc again" in text_of(app))
        assert app.composer.text == "draftx"
        burst(app, "escape")
        await until(pilot, lambda: app.composer.text == "")
        burst(app, "up")
        await until(pilot, lambda: app.composer.text == "draftx")


async def test_esc_interrupts_and_leaves_the_prompt_that_is_written_meanwhile() -> None:
    source = ScriptedSource()
    app = still(source)
    async with app.run_test(size=(100, 20)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        burst(app, *"go", "enter", *"more")
        await until(pilot, lambda: app.situation.running)
        burst(app, "escape", "escape", "escape", "!")
        await until(pilot, lambda: app.composer.text == "more!")
        assert "cancel" in [call[0] for call in source.calls]
