"""`!` in the composer: the person's own command, on a real sitting in a real folder."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.harness import Harness
from agent_cockpit.settings import HarnessConfig
from tests.cockpit.screen import text_of, type_in, until
from tests.cockpit.test_app import NotingApp
from tests.support.scripted_provider import ScriptedProvider
from tests.support.waiting import WITHIN_S


def cockpit(root: Path, *, when: threading.Event | None = None) -> NotingApp:
    """The cockpit, whose sitting opens once that is so."""

    def open_source() -> ReplSession:
        if when is not None:
            when.wait(WITHIN_S)
        config = HarnessConfig(workspace_root=str(root), sandbox="none")
        return ReplSession(Harness(config=config, provider=ScriptedProvider([])))

    return NotingApp(open_source)


async def test_a_command_runs_in_sight_and_its_output_can_be_attached(tmp_path: Path) -> None:
    (tmp_path / "made").write_text("content of it")
    app = cockpit(tmp_path)
    async with app.run_test(size=(110, 30)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await type_in(pilot, "!cat made")
        assert "run it yourself" in text_of(app)
        await pilot.press("enter")
        await until(pilot, lambda: app.shell.can_attach and "content of it" in text_of(app))
        assert "you ran" in text_of(app)
        assert app.notes == ["the model was not told of it"]
        await type_in(pilot, "see ")
        await pilot.press("alt+a")
        assert app.composer.text == "see [output 1 · 3 lines]"
        assert app.composer.whole_text == "see $ cat made\ncontent of it\n[exit 0]\n"
        assert not app.shell.can_attach
        await pilot.press("ctrl+u", "up")
        assert app.composer.text == "!cat made"


async def test_two_signs_keep_the_output_out_of_every_prompt(tmp_path: Path) -> None:
    app = cockpit(tmp_path)
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await type_in(pilot, "!!echo private")
        await pilot.press("enter")
        await until(pilot, lambda: "exit 0" in text_of(app))
        await pilot.press("alt+a")
        assert app.composer.text == ""


async def test_escape_stops_the_command(tmp_path: Path) -> None:
    app = cockpit(tmp_path)
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await type_in(pilot, "!echo begun; sleep 60")
        await pilot.press("enter")
        await until(pilot, lambda: "begun" in text_of(app))
        assert "running your command" in text_of(app)
        await pilot.press("escape")
        await until(pilot, lambda: not app.shell.is_running)
        await until(pilot, lambda: "ready" in text_of(app))


async def test_nothing_behind_the_sign_runs_nothing(tmp_path: Path) -> None:
    app = cockpit(tmp_path)
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await type_in(pilot, "! ")
        await pilot.press("enter")
        await until(pilot, lambda: app.notes == ["write a command behind the !"])
        assert not app.shell.is_running


async def test_what_is_sent_while_one_reads_above_is_shown(tmp_path: Path) -> None:
    app = cockpit(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await type_in(pilot, "!seq 60")
        await pilot.press("enter")
        await until(pilot, lambda: "60" in text_of(app) and not app.shell.is_running)
        await pilot.press("pageup")
        await until(pilot, lambda: not app.transcript_view.is_at_end)
        await type_in(pilot, "!echo seen")
        await pilot.press("enter")
        await until(pilot, lambda: "echo seen" in text_of(app))
        assert app.transcript_view.is_at_end


async def test_a_line_that_is_sent_before_the_sitting_is_open_runs_once_it_is(
    tmp_path: Path,
) -> None:
    opens = threading.Event()
    app = cockpit(tmp_path, when=opens)
    async with app.run_test(size=(80, 24)) as pilot:
        await type_in(pilot, "!echo again >> log")
        await pilot.press("enter")
        await until(pilot, lambda: "waits for the engine" in text_of(app))
        assert app.composer.text == ""
        opens.set()
        await until(pilot, lambda: app.shell.can_attach)
        assert "waits for the engine" not in text_of(app)
    assert (tmp_path / "log").read_text() == "again\n"


@pytest.mark.parametrize("key", ["up", "escape"])
async def test_a_line_that_waits_can_be_taken_back(tmp_path: Path, key: str) -> None:
    opens = threading.Event()
    app = cockpit(tmp_path, when=opens)
    async with app.run_test(size=(80, 24)) as pilot:
        await type_in(pilot, "!echo again >> log")
        await pilot.press("enter")
        await until(pilot, lambda: "waits for the engine" in text_of(app))
        await pilot.press(key)
        assert app.composer.text == "!echo again >> log"
        opens.set()
        await until(pilot, lambda: app.driving.source is not None)
    assert not (tmp_path / "log").exists()
