"""What one frame costs: only rows that changed are drawn, and nothing else is moved."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC

from rich.segment import Segment
from rich.style import Style
from textual._compositor import LayoutUpdate
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.screen import Screen
from textual.strip import Strip

from agent_cockpit.cockpit.keys.key import Situation
from agent_cockpit.cockpit.transcript.pace import Pace
from agent_cockpit.cockpit.transcript.rows import Rows
from agent_cockpit.cockpit.transcript.transcript import TranscriptView
from agent_cockpit.cockpit.widgets.status_line import StatusLine
from agent_cockpit.events import harness as h
from agent_cockpit.transcript.status import Status
from tests.cockpit.transcript_host import Host
from tests.support.waiting import until

SIZE = (80, 24)


class Watched(TranscriptView):
    """Remembers which rows the screen asked for."""

    def __init__(self) -> None:
        super().__init__(zone=UTC)
        self.rows_drawn: list[int] = []

    def render_line(self, y: int) -> Strip:
        self.rows_drawn.append(y)
        return super().render_line(y)


class WatchedHost(Host):
    def compose(self) -> ComposeResult:
        yield Watched()


def said(*texts: str) -> list[h.ModelUpdate]:
    return [h.ModelUpdate(delta=text) for text in texts]


async def drawn(pilot: Pilot[None], view: TranscriptView) -> None:
    """All that the view was told is on the screen, and everything is in its place."""
    await until(lambda: not view.is_behind)
    await pilot.pause()
    parts = [view.screen, *view.screen.query()]
    await until(lambda: not any(part._layout_required for part in parts))
    await pilot.pause()


def watched(host: Host) -> Watched:
    view = host.view
    assert isinstance(view, Watched)
    return view


@contextmanager
def layouts(host: Host) -> Iterator[list[Screen[object]]]:
    """The times that the whole screen was laid out, while this is open."""
    seen: list[Screen[object]] = []
    host.screen.screen_layout_refresh_signal.subscribe(host, seen.append, immediate=True)
    yield seen
    host.screen.screen_layout_refresh_signal.unsubscribe(host)


async def test_a_frame_that_writes_on_draws_its_own_rows_only() -> None:
    host = WatchedHost([h.AgentStart(goal="g"), h.TurnStart(iteration=1), *said("One.\n\nTwo")])
    async with host.run_test(size=SIZE) as pilot:
        await drawn(pilot, host.view)
        written = next(y for y in range(24) if "Two" in host.view.render_line(y).text)
        watched(host).rows_drawn.clear()
        with layouts(host) as seen:
            host.feed(*said(" and"))
            await drawn(pilot, host.view)
        assert "Two and" in host.view.render_line(written).text
        assert set(watched(host).rows_drawn) == {written}
        assert seen == []


async def test_lines_that_come_below_lay_nothing_out_again() -> None:
    long = "\n\n".join(f"Paragraph {number}." for number in range(40))
    host = WatchedHost([h.AgentStart(goal="g"), h.TurnStart(iteration=1), *said(long)])
    async with host.run_test(size=SIZE) as pilot:
        await drawn(pilot, host.view)
        assert host.view.show_vertical_scrollbar
        with layouts(host) as seen:
            host.feed(*said("\n\nThe last", " of all."))
            await drawn(pilot, host.view)
        assert "The last of all." in host.view.render_line(23).text
        assert host.view.vertical_scrollbar.window_virtual_size == host.view.virtual_size.height
        assert host.view.max_scroll_y == host.view.scroll_y
        assert seen == []


async def test_the_first_lines_below_the_screen_bring_the_scrollbar() -> None:
    host = WatchedHost([h.AgentStart(goal="g"), h.TurnStart(iteration=1), *said("One.")])
    async with host.run_test(size=SIZE) as pilot:
        await drawn(pilot, host.view)
        assert not host.view.show_vertical_scrollbar
        host.feed(*said("\n\nOne more." * 40))
        await drawn(pilot, host.view)
        assert host.view.show_vertical_scrollbar
        assert "One more." in host.view.render_line(23).text


def strips(*texts: str) -> list[Strip | None]:
    return [Strip([Segment(text, Style())]) for text in texts]


def test_rows_change_when_they_read_or_look_otherwise() -> None:
    rows = Rows()
    assert rows.changed(0, strips("a", "b", "c", "d")) == [range(4)]
    assert rows.changed(0, strips("a", "b", "c", "d")) == []
    assert rows.changed(0, [*strips("x", "b", "y"), None]) == [range(1), range(2, 4)]
    assert rows.changed(0, [Strip([Segment("x", Style(bold=True))]), *strips("b", "y"), None]) == [
        range(1)
    ]


def test_another_line_at_the_top_changes_every_row() -> None:
    rows, first = Rows(), strips("a", "b")
    rows.changed(0, first)
    assert rows.changed(1, first) == [range(2)]


def test_a_line_that_stays_is_dressed_once() -> None:
    rows, strip = Rows(), Strip([Segment("a", Style())])
    dressed = rows.dressed(7, strip, 10)[1]
    assert dressed.text == "a         "
    assert rows.dressed(7, strip, 10)[1] is dressed
    assert rows.dressed(7, strip, 12)[1] is not dressed
    rows.style = Style(bold=True)
    assert next(iter(rows.dressed(7, strip, 12)[1])).style == Style.parse("bold") + Style.from_meta(
        {"offset": (0, 7)}
    )


class Counted(Host):
    """Counts what is sent to the terminal."""

    painted = 0

    def _display(self, screen: Screen[object], renderable: object) -> None:
        self.painted += renderable is not None
        super()._display(screen, renderable)  # type: ignore[arg-type]


async def test_what_a_frame_drew_is_painted_with_it() -> None:
    host = Counted([h.ModelUpdate(delta="One")])
    async with host.run_test(size=SIZE) as pilot:
        await drawn(pilot, host.view)
        before = host.painted

        def draw() -> None:
            host.view.refresh()

        Pace(host.view, draw).ask()
        assert host.painted == before + 1
        await pilot.pause()
        assert host.painted == before + 1


class WatchedLine(StatusLine):
    """Remembers how often it was drawn."""

    times = 0

    def render_line(self, y: int) -> Strip:
        self.times += 1
        return super().render_line(y)


class LineHost(App[None]):
    def compose(self) -> ComposeResult:
        yield WatchedLine()


async def test_the_status_line_is_drawn_only_when_it_says_something_else() -> None:
    host = LineHost()
    async with host.run_test() as pilot:
        line = host.query_one(WatchedLine)
        host.animation_level = "none"
        writing = Status(is_running=True, activity="writing")
        line.show(writing, Situation(running=True))
        await until(lambda: "writing" in line.render_line(0).text)
        await pilot.pause()
        line.times = 0
        line.show(replace(writing), Situation(running=True))
        await pilot.pause()
        assert line.times == 0
        line.show(replace(writing, activity="testing"), Situation(running=True))
        await until(lambda: "testing" in line.render_line(0).text)


class Painted(Host):
    """Remembers what the transcript looked like in each picture of the whole screen."""

    def __init__(self, text: str) -> None:
        super().__init__([h.ModelUpdate(delta=text), h.TurnEnd()])
        self.pictures: list[list[str]] = []

    def _display(self, screen: Screen[object], renderable: object) -> None:
        if isinstance(renderable, LayoutUpdate):
            rows = range(self.view.size.height)
            self.pictures.append([self.view.render_line(y).text.strip() for y in rows])
        super()._display(screen, renderable)  # type: ignore[arg-type]


async def test_another_width_is_wrapped_before_it_is_painted() -> None:
    host = Painted("words that wrap " * 40)
    async with host.run_test(size=SIZE) as pilot:
        await drawn(pilot, host.view)
        host.pictures.clear()
        await pilot.resize_terminal(50, 24)
        await until(lambda: host.view.size.width == 50)
        await drawn(pilot, host.view)
        rows = [host.view.render_line(y).text.strip() for y in range(24)]
    assert len("".join(rows)) > 400
    assert max(map(len, rows)) < 50
    assert host.pictures
    assert all(picture == rows for picture in host.pictures)
