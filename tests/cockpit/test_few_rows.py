"""What is written to the terminal, frame by frame, adds up to what the screen shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.geometry import Region
from textual.pilot import Pilot
from textual.screen import Screen
from textual.strip import Strip
from textual.widgets import Static

from agent_cockpit import cockpit
from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.look.few_rows import FewRows, Painted, RowsUpdate
from agent_cockpit.events.harness import ModelUpdate
from tests.cockpit.screen import at_rest, until
from tests.support.scripted_source import ScriptedSource, asks

Cell = tuple[str, Style | None]


class Written(FewRows):
    """Remembers what a terminal would show, and how much was written at last."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[Cell]] = []
        self.frames: list[RowsUpdate] = []

    def render_full_update(self, simplify: bool = False) -> Any:
        update = super().render_full_update(simplify)
        self.rows = [cells_of(strip) for strip in self.render_strips()]
        return update

    def render_partial_update(self) -> Any:
        update = super().render_partial_update()
        if update is not None:
            self.frames.append(update)
            for y, x, strip in update.pieces:
                cells = cells_of(strip)
                self.rows[y][x : x + len(cells)] = cells
        return update


def cells_of(strip: Strip) -> list[Cell]:
    """Each cell's character and ink; the second cell of a wide one is empty."""
    cells: list[Cell] = []
    for text, ink, _ in strip:
        for char in text:
            width = cell_len(char)
            look = ink and (ink.without_color + Style.from_color(ink.color, ink.bgcolor))
            cells += [(char, look), *[("", look)] * (width - 1)] if width else []
    return cells


class Watched(CockpitApp):
    CSS_PATH = str(Path(cockpit.__file__).with_name("app.tcss"))

    def get_default_screen(self) -> Screen[Any]:
        screen = super().get_default_screen()
        screen._compositor = Written()
        return screen


async def shown(pilot: Pilot[None], written: Written) -> None:
    """The screen has come to rest, and is what was written to the terminal."""
    await at_rest(pilot)
    assert written.rows == [cells_of(strip) for strip in written.render_strips()]


async def test_what_was_written_row_by_row_is_what_the_screen_shows() -> None:
    source = ScriptedSource()
    app = Watched(lambda: source)
    app.animation_level = "none"
    async with app.run_test(size=(100, 24)) as pilot:
        written = app.screen_stack[0]._compositor
        assert isinstance(written, Written)
        await until(pilot, lambda: app.driving.source is not None)
        await pilot.press(*"go", "enter")
        await until(pilot, lambda: ("drive", "go", "steering") in source.calls)
        for words in ("# Head\n\nOne 两个字 three\n", "```py\nx = 1\n", "y\n```\n" + "- a\n" * 40):
            source.say(ModelUpdate(delta=words))
            await shown(pilot, written)
        await pilot.press(*"typed", "pageup")
        source.say(ModelUpdate(delta="- below\n" * 9))
        await shown(pilot, written)
        source.say(asks())
        await until(pilot, lambda: app.panel.is_lit)
        await shown(pilot, written)
        assert len(written.frames) > 5


async def test_a_key_is_echoed_before_the_frame_of_the_stream() -> None:
    source = ScriptedSource()
    app = Watched(lambda: source)
    async with app.run_test(size=(100, 24)) as pilot:
        written = app.screen_stack[0]._compositor
        assert isinstance(written, Written)
        await until(pilot, lambda: app.driving.source is not None)
        await shown(pilot, written)
        frames = len(written.frames)
        app.status_line.update("a frame that waits")
        await app.composer.on_event(events.Key("x", "x"))
        (echo,) = written.frames[frames:]
        assert [(y, "x" in strip.text) for y, _, strip in echo.pieces] == [
            (app.composer.region.y, True)
        ]
        await shown(pilot, written)


class Piece(Static):
    """Counts the rows that it was asked for."""

    rows_asked = 0

    def render_lines(self, crop: Region) -> list[Strip]:
        self.rows_asked += crop.height
        return super().render_lines(crop)


class ThreePieces(App[None]):
    CSS = "Piece { height: 4; } #behind { height: 12; }"

    def compose(self) -> ComposeResult:
        with Vertical(id="behind"):
            yield Piece("top", id="top")
            yield Piece("middle", id="middle")
            yield Piece("bottom", id="bottom")

    def get_default_screen(self) -> Screen[Any]:
        screen = super().get_default_screen()
        screen._compositor = Written()
        return screen


async def test_only_rows_that_changed_are_asked_for_and_written() -> None:
    app = ThreePieces()
    async with app.run_test(size=(20, 12)) as pilot:
        written = app.screen._compositor
        assert isinstance(written, Written)
        await at_rest(pilot)
        top, middle, bottom = app.query(Piece)
        for piece in (top, middle, bottom):
            piece.rows_asked = 0
        frames = len(written.frames)
        top.refresh(Region(0, 1, 20, 1))
        bottom.refresh(Region(0, 2, 20, 2))
        await until(pilot, lambda: len(written.frames) > frames)
        assert [piece.rows_asked for piece in (top, middle, bottom)] == [1, 0, 2]
        assert [(y, x) for y, x, _ in written.frames[-1].pieces] == [(1, 0), (10, 0), (11, 0)]


def test_a_piece_is_written_where_it_stands() -> None:
    update = RowsUpdate([Painted(4, 7, Strip([Segment("ab")])), Painted(5, 0, Strip([]))])
    assert update.render_segments(Console()) == "\x1b[5;8Hab\x1b[6;1H"
