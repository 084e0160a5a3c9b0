"""The cockpit where colours are few or none, and where nothing shall move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rich.segment import Segment
from textual.pilot import Pilot
from textual.selection import SELECT_ALL

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.look.theme import drawn_theme
from agent_cockpit.events.harness import ToolStart
from agent_cockpit.settings import HarnessConfig
from tests.cockpit.screen import text_of, until
from tests.cockpit.test_look import DIFF, goal, still
from tests.support.scripted_source import ScriptedSource, asks
from tests.transcript.stories import fixed_test, hard_goal

EDIT = asks(
    tool="str_replace",
    input={"path": "calc.py"},
    tier=1,
    reason="changes calc.py (+1 −1)",
    preview=DIFF,
)


async def full(pilot: Pilot[Any], app: CockpitApp, source: ScriptedSource) -> None:
    """A page with diff, failure and verdict, what was found, a selection, and a question."""
    await until(pilot, lambda: app.driving.source is not None)
    source.say(*hard_goal())
    await until(pilot, lambda: app.panel.is_lit)
    source.say(goal(), EDIT)
    await until(pilot, lambda: "change calc.py?" in text_of(app))
    await until(pilot, lambda: app.panel.is_lit)


def drawn(app: CockpitApp) -> list[Segment]:
    return [segment for strip in app.screen._compositor.render_strips() for segment in strip]


def colors_of(app: CockpitApp) -> set[str]:
    styles = [segment.style for segment in drawn(app) if segment.style is not None]
    used = {color.name for style in styles for color in (style.color, style.bgcolor) if color}
    return used - {"default"}


async def test_no_color_draws_none_and_keeps_every_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    source = ScriptedSource()
    app = still(source)
    async with app.run_test(size=(100, 50)) as pilot:
        await full(pilot, app, source)
        assert colors_of(app) == set()
        words = text_of(app)
        for sign in ("✘ not verified", "✔ ruff check", "? waits for you", "● waiting for you"):
            assert sign in words


async def test_no_color_shows_cursor_selection_and_changed_words_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    source = ScriptedSource()
    app = still(source)
    async with app.run_test(size=(100, 40)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(*fixed_test())
        await pilot.press(*"abc", "shift+left", "shift+left")
        await until(pilot, lambda: _with(app, "reverse") & {"bc", "b", "c"})
        await until(pilot, lambda: {"-", "1", ")"} <= _with(app, "underline"))
        app.screen.selections = {app.transcript_view: SELECT_ALL}
        await until(pilot, lambda: "total / len(numbers)" in _with(app, "reverse"))


async def test_no_color_shows_the_chosen_line_of_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = still(ScriptedSource())
    async with app.run_test(size=(100, 40)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await pilot.press("ctrl+p")
        await until(pilot, lambda: "all keys and commands" in _with(app, "underline"))
        await pilot.press("escape", *"/theme", "enter")
        await until(pilot, lambda: "cockpit-dark" in _with(app, "underline"))
        await pilot.press("down")
        await until(pilot, lambda: "cockpit-light" in _with(app, "underline"))
        assert "cockpit-dark" not in _with(app, "underline")


def _with(app: CockpitApp, attribute: str) -> set[str]:
    styled = [each for each in drawn(app) if each.style and getattr(each.style, attribute)]
    return {segment.text.strip() for segment in styled}


@pytest.mark.parametrize("name", ["cockpit-dark", "cockpit-light", "nord"])
def test_sixteen_colors_are_the_terminals_own(name: str) -> None:
    theme = drawn_theme(name, is_bare=True)
    assert theme is not None
    assert theme.ansi
    assert theme.name == name
    assert "#" not in "".join(
        str(getattr(theme.palette, each)) for each in ("text", "muted", "accent", "added", "error")
    )


def test_a_screen_without_colors(
    snap_compare: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    source = ScriptedSource()
    app = still(source)
    assert snap_compare(
        app, terminal_size=(100, 40), run_before=lambda pilot: full(pilot, app, source)
    )


@pytest.mark.parametrize("how", ["setting", "environment"])
async def test_reduced_motion_lets_nothing_turn(how: str) -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        if how == "setting":
            app.looks.settle(HarnessConfig(reduced_motion=True))
        else:
            app.looks.begin({"NO_MOTION": "1"})
        source.say(goal(), ToolStart(call_id="c", tool="run_tests", input={"command": "make"}))
        await until(pilot, lambda: "● testing" in text_of(app))
        assert not app.transcript_view.is_turning
        assert app.status_line._spin_timer is None
