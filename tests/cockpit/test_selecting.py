"""What was selected may be gone when a key comes: other words, another wrap, no lines at all."""

from __future__ import annotations

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Offset
from textual.selection import Selection
from textual.strip import Strip
from textual.widgets import Static

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.transcript.overlay import with_marks
from tests.cockpit.screen import until
from tests.support.scripted_source import ScriptedSource


@pytest.mark.parametrize(
    ("marks", "inked"),
    [
        ([(0, 99)], "漢字ab"),
        ([(2, 4)], "ab"),
        ([(3, 5), (7, 9)], "b"),
        ([(4, 5)], ""),
        ([(9, -1)], ""),
        ([(0, 1), (1, -1)], "漢字ab"),
    ],
)
def test_a_mark_beyond_the_line_reaches_to_its_end(
    marks: list[tuple[int, int]], inked: str
) -> None:
    line = with_marks(Strip([Segment("漢字"), Segment("ab")]), marks, Style(reverse=True))
    assert line.text == "漢字ab"
    assert "".join(text for text, ink, _ in line if ink and ink.reverse) == inked


@pytest.mark.parametrize("way_in", ["", "f1", "ctrl+p"])
async def test_a_selection_whose_lines_are_gone_takes_no_key_and_no_cockpit(way_in: str) -> None:
    app = CockpitApp(lambda: ScriptedSource())
    async with app.run_test(size=(60, 20)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        if way_in:
            await pilot.press(way_in)
            await until(pilot, lambda: not app.is_main)
        text = next(each for each in app.screen.query(Static) if str(each.visual))
        beyond = Offset(0, len(str(text.visual).splitlines()))
        app.screen.selections = {text: Selection(beyond, None)}
        await pilot.press("ctrl+c")
        await until(pilot, lambda: app.is_main)
        assert not app.screen.selections
        await pilot.press("o", "k")
        assert app.composer.text == "ok"
