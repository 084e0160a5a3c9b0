"""What is written outlives the cockpit: history and drafts of a project, on the real disk."""

from __future__ import annotations

import threading
from pathlib import Path

from textual.widgets import TextArea

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.prompt_files import LONGEST_CHARS, Draft, PromptFiles
from tests.cockpit.screen import type_in, until
from tests.cockpit.test_app import NotingApp
from tests.support.scripted_source import ScriptedSource
from tests.support.waiting import WITHIN_S


def files(tmp_path: Path) -> PromptFiles:
    return PromptFiles(tmp_path / "project", state=tmp_path / "state")


def cockpit(tmp_path: Path) -> NotingApp:
    return NotingApp(ScriptedSource, memory=lambda: files(tmp_path))


async def test_a_prompt_of_an_earlier_sitting_is_there_with_up(tmp_path: Path) -> None:
    first = cockpit(tmp_path)
    async with first.run_test() as pilot:
        await type_in(pilot, "look around")
        await pilot.press("enter")
        await until(pilot, lambda: files(tmp_path).earlier() == ["look around"])
    second = cockpit(tmp_path)
    async with second.run_test() as pilot:
        await until(pilot, second.composer.prompts.newest_first)
        await pilot.press("up")
        assert second.composer.text == "look around"


async def test_what_was_not_sent_is_written_down_and_offered_at_the_next_start(
    tmp_path: Path,
) -> None:
    first = cockpit(tmp_path)
    async with first.run_test() as pilot:
        await type_in(pilot, "half")
        await until(pilot, lambda: list((tmp_path / "state").rglob("draft-*.json")))
        await type_in(pilot, " a word")
        first.quitting.leave()
        await until(pilot, lambda: first._exit)
    second = cockpit(tmp_path)
    async with second.run_test() as pilot:
        await until(pilot, lambda: second.composer.text == "half a word")
        assert second.notes == ["your draft is back"]
        await pilot.press("enter")
        await until(pilot, lambda: not list((tmp_path / "state").rglob("draft-*.json")))


async def test_what_was_put_aside_is_there_in_the_next_sitting_too(tmp_path: Path) -> None:
    app = cockpit(tmp_path)
    app.clearing.armed_s = 600
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await type_in(pilot, "half a word")
        await pilot.press("escape", "escape")
        await until(pilot, lambda: app.composer.text == "")
        await until(pilot, lambda: files(tmp_path).earlier() == ["half a word"])


async def put_aside(tmp_path: Path, *changes: str) -> None:
    """A sitting in which the draft comes back, is changed so, and put aside."""
    app = cockpit(tmp_path)
    app.clearing.armed_s = 600
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.composer.text.startswith("see [paste 1"))
        await pilot.press(*changes)
        await pilot.press("escape", "escape")
        await until(pilot, lambda: app.composer.text == "")
        await pilot.pause()
        app.quitting.leave()
        await until(pilot, lambda: app._exit)


async def test_what_is_too_long_for_the_history_comes_back_once_after_it_was_put_aside(
    tmp_path: Path,
) -> None:
    long = Draft("see [paste 1 · 20 lines]", {"[paste 1 · 20 lines]": "x" * (LONGEST_CHARS + 1)})
    files(tmp_path).put_by(long)
    await put_aside(tmp_path, "x")
    await put_aside(tmp_path)
    assert files(tmp_path).take_drafts() == []


async def test_no_draft_takes_the_place_of_what_was_typed_a_moment_before(tmp_path: Path) -> None:
    left = files(tmp_path)
    left.keep(Draft("half a word"))
    left.close()
    is_typed = threading.Event()

    def opened() -> PromptFiles:
        is_typed.wait(WITHIN_S)
        return files(tmp_path)

    app = NotingApp(ScriptedSource, memory=opened)
    async with app.run_test() as pilot:
        with app.composer.prevent(TextArea.Changed):  # which comes later
            app.composer.insert("look ")
        is_typed.set()
        await until(pilot, lambda: app.notes)
        assert app.composer.text == "look "
        assert app.composer.prompts.newest_first() == ["half a word"]


async def test_a_prompt_that_waited_at_the_end_is_part_of_the_draft(tmp_path: Path) -> None:
    opens = threading.Event()

    def never_in_time() -> ScriptedSource:
        opens.wait(WITHIN_S)
        return ScriptedSource()

    app = CockpitApp(never_in_time, memory=lambda: files(tmp_path))
    async with app.run_test() as pilot:
        await type_in(pilot, "early")
        await pilot.press("enter")
        await type_in(pilot, "more")
        app.quitting.leave()
        await until(pilot, lambda: app._exit)
        opens.set()
    assert files(tmp_path).take_drafts() == [Draft("early\nmore")]


async def test_a_draft_never_mixes_with_what_is_typed_already(tmp_path: Path) -> None:
    earlier = files(tmp_path)
    earlier.keep(Draft("of yesterday"))
    earlier.close()
    opens = threading.Event()

    def slowly() -> PromptFiles:
        assert opens.wait(WITHIN_S)
        return files(tmp_path)

    app = CockpitApp(ScriptedSource, memory=slowly)
    async with app.run_test() as pilot:
        await type_in(pilot, "today")
        opens.set()
        await until(pilot, lambda: "of yesterday" in app.composer.prompts.newest_first())
        assert app.composer.text == "today"
        await pilot.press("up")
        assert app.composer.text == "of yesterday"
        await until(pilot, lambda: "of yesterday" in files(tmp_path).earlier())


async def test_of_several_drafts_one_is_back_and_the_others_are_there_with_up(
    tmp_path: Path,
) -> None:
    for text in ("of the day before", "of yesterday"):
        earlier = files(tmp_path)
        earlier.keep(Draft(text))
        earlier.close()
    app = cockpit(tmp_path)
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.composer.text == "of yesterday")
        assert app.notes == ["your draft is back, ↑ has 1 more"]
        await pilot.press("up", "up")
        assert app.composer.text == "of the day before"
    assert files(tmp_path).earlier() == ["of the day before"]


async def test_no_timer_lives_once_it_is_written_down(tmp_path: Path) -> None:
    app = cockpit(tmp_path)
    async with app.run_test() as pilot:
        await type_in(pilot, "half")
        await until(pilot, lambda: list((tmp_path / "state").rglob("draft-*.json")))
        await until(pilot, lambda: app.prompt_keeper._timer is None)


async def test_a_state_folder_that_cannot_be_used_costs_no_prompt(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file stands in the way")
    app = cockpit(tmp_path)
    async with app.run_test() as pilot:
        await type_in(pilot, "go")
        await pilot.press("enter")
        await until(pilot, lambda: any("prompts cannot be kept" in note for note in app.notes))
        await type_in(pilot, "on")
        assert app.composer.text == "on"
