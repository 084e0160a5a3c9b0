"""The answers of a panel: in as few rows as they can be, and as far apart as these allow."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from agent_cockpit.cockpit.consent.question import Option
from agent_cockpit.cockpit.widgets.options_row import OptionsRow
from tests.cockpit.screen import text_of

ANSWERS = [Option("y", "once", "allow", "once"), Option("n", "no, never", "deny", "no")]


class Host(App[None]):
    def compose(self) -> ComposeResult:
        yield OptionsRow("approval")

    def on_mount(self) -> None:
        width = self.app.size.width
        self.query_one(OptionsRow).show(ANSWERS, width=width, lit=True, words="full")


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (60, "[y] once    [n] no, never"),
        (25, "[y] once    [n] no, never"),
        (24, "[y] once   [n] no, never"),
        (23, "[y] once  [n] no, never"),
        (22, "[y] once\n[n] no, never"),
    ],
)
async def test_answers_move_together_before_they_take_another_row(width: int, shown: str) -> None:
    app = Host()
    async with app.run_test(size=(width, 5)):
        assert text_of(app).strip() == shown
