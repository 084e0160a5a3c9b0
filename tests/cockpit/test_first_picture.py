"""What a person sees first, and what becomes of the keys that they press before all is loaded."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.screen import Screen
from textual.visual import VisualType

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.app import __file__ as app_file
from agent_cockpit.cockpit.keys.key_table import KEYS
from agent_cockpit.cockpit.widgets.welcome import Welcome
from tests.cockpit.screen import text_of, until
from tests.support.scripted_source import ScriptedSource
from tests.support.waiting import WITHIN_S

SIZE = (120, 40)


class FirstPicture(CockpitApp):
    """Keeps the picture that was drawn first, and loads nothing more before it may."""

    CSS_PATH = str(Path(app_file).with_name("app.tcss"))

    def __init__(self, source: ScriptedSource, **options: Any) -> None:
        super().__init__(lambda: source, **options)
        self.first_picture = ""
        self.may_load = threading.Event()

    def _display(self, screen: Screen[Any], renderable: Any) -> None:
        self.first_picture = self.first_picture or text_of(self)
        super()._display(screen, renderable)

    def load_surroundings(self) -> None:
        self.may_load.wait(WITHIN_S)
        super().load_surroundings()


@contextmanager
def held(source: ScriptedSource, **options: Any) -> Iterator[FirstPicture]:
    """An app that shows its first picture; whatever happens, its thread ends."""
    app = FirstPicture(source, **options)
    try:
        yield app
    finally:
        app.may_load.set()


async def test_the_first_picture_is_whole() -> None:
    with held(ScriptedSource(), title="project", suggestion="Fix it") as app:
        async with app.run_test(size=SIZE) as pilot:
            await until(pilot, lambda: app.first_picture)
            for words in ("project", "try  Fix it", "› ask, or describe", "starting", "enter send"):
                assert words in app.first_picture
            app.may_load.set()


class Counted(Welcome):
    """Counts how often it is given words to draw."""

    updates = 0

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        self.updates += 1
        super().update(content, layout=layout)


async def test_the_welcome_is_drawn_once_whatever_is_loaded_behind_it() -> None:
    with held(ScriptedSource()) as app:
        app.welcome = welcome = Counted("project", id="welcome")
        async with app.run_test(size=SIZE) as pilot:
            app.may_load.set()
            await until(pilot, lambda: "ready" in text_of(app))
            assert welcome.updates == 1
            await pilot.resize_terminal(50, 15)
            await until(pilot, lambda: "names a file" not in text_of(app))
            assert welcome.updates == 2


async def test_what_is_written_and_sent_before_all_is_loaded_is_kept_in_order() -> None:
    source = ScriptedSource()
    with held(source) as app:
        async with app.run_test(size=SIZE) as pilot:
            await pilot.press(*"first", "enter", *"secnd", "left", "left", "o", "end", "!")
            assert app.composer.text == "second!"
            app.may_load.set()
            await until(pilot, lambda: source.calls)
            assert source.calls == [("drive", "first", "steering")]
            assert app.composer.text == "second!"


async def test_a_completion_that_opens_before_all_is_loaded_stands_by_the_prompt() -> None:
    with held(ScriptedSource()) as app:
        async with app.run_test(size=SIZE) as pilot:
            await pilot.press("/")
            await until(pilot, lambda: app.composer.is_choosing)
            app.may_load.set()
            await until(pilot, lambda: app.is_furnished)
            parts = [part.id for part in app.screen.children if part.id]
            assert parts[-3:] == ["suggestions", "prompt", "status"]


async def test_a_person_may_leave_before_all_is_loaded() -> None:
    with held(ScriptedSource()) as app:
        async with app.run_test(size=SIZE) as pilot:
            await pilot.press("ctrl+c", "ctrl+c")
            await until(pilot, lambda: not app.is_running)
    assert app.return_code == 0


async def test_every_key_may_be_pressed_before_all_is_loaded() -> None:
    source = ScriptedSource()
    quits = {"ctrl+c", "ctrl+q", "ctrl+d", "ctrl+z"}
    keys = dict.fromkeys(key for line in KEYS if line.where == "anywhere" for key in line.keys)
    with held(source) as app:
        async with app.run_test(size=SIZE) as pilot:
            for key in keys.keys() - quits:
                await pilot.press(key)
                if not app.is_main:
                    await pilot.press("escape")
            app.may_load.set()
            await until(pilot, lambda: app.driving.source is not None)
            assert "ready" in text_of(app)


async def test_a_source_that_opens_as_the_person_leaves_breaks_nothing() -> None:
    app = CockpitApp(ScriptedSource)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: app.outside is not None)
        app.outside, app._running = None, False
        try:
            app.ready()
        finally:
            app._running = True
        assert app.outside is None


@pytest.mark.parametrize("due", [CockpitApp._painted, CockpitApp.on_frame, CockpitApp._furnish])
async def test_what_is_due_as_the_person_leaves_breaks_nothing(
    due: Callable[[CockpitApp], Any],
) -> None:
    app = CockpitApp(ScriptedSource)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: app.transcript_view.files is not None)
    app.transcript_view.files = None
    work = due(app)
    if work is not None:
        await work
    assert app.transcript_view.files is None
    assert app.return_code is None
