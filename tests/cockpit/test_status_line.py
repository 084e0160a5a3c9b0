"""One line: where it stands and which keys work, at any width, never by colour alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.app import App, ComposeResult

from agent_cockpit.cockpit.keys.key import Situation
from agent_cockpit.cockpit.widgets.status_line import StatusLine
from agent_cockpit.transcript.approval_view import ApprovalView
from agent_cockpit.transcript.status import Status
from agent_cockpit.transcript.work import FileChange
from tests.cockpit.screen import text_of


class Host(App[None]):
    def __init__(self, status: Status | None, now: Situation, consent: str = "ask") -> None:
        super().__init__()
        self.given = (status, now, consent)

    def compose(self) -> ComposeResult:
        yield StatusLine()

    def on_mount(self) -> None:
        self.animation_level = "none"
        status, now, consent = self.given
        self.query_one(StatusLine).show(status, now, consent=consent)


CHANGED = (FileChange("a.py", 4, 0), FileChange("b.py", 1, 1))
RUNNING = Status(
    is_running=True, activity="running test", task_kind="edit", phase="editing", model="m-1"
)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (None, "starting"),
        (Status(), "ready"),
        (RUNNING, "edit · ● running test"),
        (Status(task_kind="edit", outcome="success"), "edit · ✔ success"),
        (Status(task_kind="test_only", outcome="failed"), "test only · ✘ failed"),
        (Status(task_kind="edit", outcome="blocked"), "edit · ! blocked"),
        (Status(task_kind="investigate", outcome="incomplete"), "investigate · ◌ incomplete"),
        (Status(gate="plan", task_kind="edit"), "plan · ready"),
        (Status(gate="plan", outcome="success", plan="1. x"), "plan · ? the plan waits for you"),
        (Status(outcome="[/]odd"), "[/]odd"),
        (Status(sandbox="none"), "no sandbox"),
        (Status(sandbox="landlock"), "sandboxed"),
        (Status(context_tokens=50, context_window=100), "ctx 50%"),
        (Status(model="[b]\x1b[31mevil"), "[b]evil"),
        (Status(branch="main"), "⎇ main"),
        (Status(cost=0.1234), "$0.12"),
        (Status(branch="main", changes=CHANGED), "⎇ main +5 −1"),
        (Status(branch="[b]feature/" + "x" * 60), "⎇ [b]feature/xxxxxxxxxxxx…"),
    ],
)
async def test_it_says_where_the_sitting_stands(status: Status | None, words: str) -> None:
    app = Host(status, Situation(running=bool(status and status.is_running)))
    async with app.run_test(size=(100, 5)):
        assert words in text_of(app)


async def test_waiting_for_the_person_is_said() -> None:
    asked = (ApprovalView(approval_id="1", tool="run_command"),)
    status = Status(is_running=True, activity="waiting for you", approvals=asked)
    app = Host(status, Situation(running=True, asking=True))
    async with app.run_test(size=(100, 5)):
        assert "waiting for you" in text_of(app)
        assert "enter send" not in text_of(app)


@pytest.mark.parametrize(
    ("now", "key"),
    [
        (Situation(choosing=True, has_text=True), "tab take"),
        (Situation(has_text=True), "enter send"),
        (Situation(running=True, has_text=True), "esc interrupt"),
        (Situation(), "? keys"),
    ],
)
async def test_on_a_narrow_screen_the_most_telling_key_is_named(now: Situation, key: str) -> None:
    app = Host(Status(is_running=now.running), now)
    async with app.run_test(size=(40, 5)):
        assert text_of(app).split("\n")[0].endswith(key)


@pytest.mark.parametrize("width", [1, 5, 20, 40, 59, 60, 80, 100, 200])
async def test_it_is_one_line_at_any_width(width: int) -> None:
    status = Status(
        task_kind="investigate",
        is_running=True,
        activity="running 12 calls",
        model="a-model-with-quite-a-long-name",
        context_tokens=99,
        context_window=100,
    )
    app = Host(status, Situation(running=True, has_text=True, has_queue=True, has_blocks=True))
    async with app.run_test(size=(width, 3)):
        lines = text_of(app).split("\n")
        assert lines[1:] == ["", ""]


async def test_narrow_screens_keep_the_help_key() -> None:
    app = Host(Status(task_kind="edit"), Situation())
    async with app.run_test(size=(50, 3)):
        assert "? keys" in text_of(app)


async def test_a_note_stands_in_place_of_the_keys_for_a_moment() -> None:
    app = Host(Status(), Situation())
    async with app.run_test(size=(100, 3)) as pilot:
        app.query_one(StatusLine).flash("[/] copied", seconds=60)
        await pilot.pause()
        assert "[/] copied" in text_of(app)
        assert "enter send" not in text_of(app)


FULL = Status(
    task_kind="edit",
    outcome="success",
    model="a-model-with-a-long-name",
    sandbox="bwrap",
    context_tokens=6,
    context_window=100,
)


@pytest.mark.parametrize("columns", [28, 40, 59, 60, 80])
async def test_the_key_that_leads_to_all_others_has_room_at_any_width(columns: int) -> None:
    app = Host(FULL, Situation())
    async with app.run_test(size=(columns, 5)):
        words = text_of(app)
        assert "? keys" in words
        assert "✔" in words


@pytest.mark.parametrize("columns", [60, 80])
@pytest.mark.parametrize("has_text", [False, True])
async def test_while_a_goal_runs_the_key_that_stops_it_has_room(
    columns: int, has_text: bool
) -> None:
    running = replace(FULL, is_running=True, outcome="", activity="writing")
    app = Host(running, Situation(running=True, has_text=has_text))
    async with app.run_test(size=(columns, 5)):
        words = text_of(app)
        assert "writing" in words
        assert "esc interrupt" in words


async def test_a_note_is_read_whole_in_place_of_what_matters_less() -> None:
    note = "copied 1234 characters of the answer as Markdown"
    app = Host(FULL, Situation())
    async with app.run_test(size=(80, 5)) as pilot:
        app.query_one(StatusLine).flash(note, seconds=600)
        await pilot.pause()
        assert note in text_of(app)


async def test_at_80_columns_the_keys_that_are_needed_most_stand_beside_the_sitting() -> None:
    crowded = replace(FULL, branch="feature/a-long-name", cost=1.25)
    app = Host(crowded, Situation(has_blocks=True))
    async with app.run_test(size=(80, 5)):
        row = text_of(app).split("\n")[0]
    assert row.startswith("edit · ✔ success")
    assert "a-model-with-a-long-name" in row
    assert row.endswith("enter send · ? keys")


async def test_that_edits_run_unasked_stands_there_longer_than_the_model() -> None:
    app = Host(FULL, Situation(), consent="accept_edits")
    async with app.run_test(size=(62, 5)):
        row = text_of(app).split("\n")[0]
    assert "accepts edits" in row
    assert "a-model" not in row


async def test_while_lines_are_selected_the_key_that_copies_them_is_named() -> None:
    app = Host(FULL, Situation(has_blocks=True, reading="blocks", selects=True, quit_armed=True))
    async with app.run_test(size=(80, 5)):
        assert "ctrl+c copy" in text_of(app)
