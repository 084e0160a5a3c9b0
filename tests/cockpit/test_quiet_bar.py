"""A scrollbar of our own reads as Textual's, and draws what changed of it."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.scrollbar import ScrollBar

from agent_cockpit.cockpit.look.in_sight import InSight
from agent_cockpit.cockpit.transcript.quiet_bar import QuietBar
from agent_cockpit.events.harness import AgentStart
from tests.cockpit.screen import at_rest
from tests.cockpit.transcript_host import Host

ROWS = 20


class Bars(InSight):
    CSS = "Screen { layout: horizontal; } ScrollBar { width: 1; height: 100%; }"

    def compose(self) -> ComposeResult:
        yield ScrollBar(name="plain")
        yield QuietBar(name="quiet", thickness=1)

    def place(self, total: int, position: float) -> None:
        """Put both bars there."""
        for bar in self.query(ScrollBar):
            bar.window_size, bar.window_virtual_size, bar.position = ROWS, total, position


PLACES = [(21, 0), (40, 20), (333, 100.5), (20, 0), (5_000, 4_980)]


async def test_it_reads_as_the_bar_that_it_stands_for() -> None:
    app = Bars()
    async with app.run_test(size=(10, ROWS)) as pilot:
        await at_rest(pilot)
        for place in PLACES:
            app.place(*place)
            for strip in app.screen._compositor.render_strips():
                plain, quiet = strip.divide([1, 2])
                assert list(plain.simplify()) == list(quiet.simplify())


async def test_rows_that_look_the_same_are_not_drawn_again() -> None:
    app = Bars()
    async with app.run_test(size=(10, ROWS)) as pilot:
        app.place(5_000, 2_000)
        await at_rest(pilot)
        bar = app.query_one(QuietBar)
        bar.position = 2_001
        bar.window_virtual_size = 5_001
        assert not bar._exchange_repaint_regions()
        bar.position = 2_400
        changed = bar._exchange_repaint_regions()
        assert changed
        assert all(region.height == 1 for region in changed)
        assert len(changed) < 6


async def test_the_bar_appears_where_one_reads() -> None:
    app = Host()
    async with app.run_test(size=(40, ROWS)) as pilot:
        await at_rest(pilot)
        app.feed(*(AgentStart(goal=f"goal {number}") for number in range(60)))
        app.view.jump_to(30)
        await at_rest(pilot)
        assert app.view.scroll_y > 0
        assert app.view.vertical_scrollbar.position == app.view.scroll_y
