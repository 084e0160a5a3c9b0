"""The whole app with real keys on a scripted source: what is asked of it, what is seen."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.app import __file__ as app_file
from agent_cockpit.cockpit.opening import Offer
from agent_cockpit.engine.state import MetaResult
from agent_cockpit.errors import DirtyWorkspaceError, PersonCanAct
from agent_cockpit.events.harness import AgentEnd, AgentStart, ModelUpdate
from agent_cockpit.rules.meta_commands import unknown_text
from tests.cockpit.screen import text_of, type_in, until
from tests.support.scripted_source import ScriptedSource, WatchedSource
from tests.support.waiting import WITHIN_S


class Cockpit:
    """One app on one scripted source, opened."""

    def __init__(self, source: WatchedSource | None = None, **options: Any) -> None:
        self.source = source if source is not None else ScriptedSource()
        self.app = CockpitApp(lambda: self.source, **options)

    @property
    def text(self) -> str:
        return text_of(self.app)

    @property
    def blocks(self) -> list[str]:
        """The texts of the transcript's blocks."""
        bridge = self.app.driving.bridge
        return [getattr(block, "text", "") for block in bridge.transcript.blocks] if bridge else []

    @property
    def written(self) -> str:
        return self.app.composer.text

    async def opened(self, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: self.app.driving.source is not None)


class NotingApp(CockpitApp):
    """An app that keeps what it says for a moment only."""

    CSS_PATH = str(Path(app_file).with_name("app.tcss"))

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        self.notes.append(text)
        super().note(text)


async def test_the_first_key_lands_in_the_composer_before_anything_is_loaded() -> None:
    cockpit = Cockpit()
    async with cockpit.app.run_test() as pilot:
        await pilot.press("h", "i")
        assert cockpit.written == "hi"


async def test_enter_sends_a_goal_and_the_screen_changes_when_the_event_comes_back() -> None:
    cockpit = Cockpit()
    async with cockpit.app.run_test() as pilot:
        await cockpit.opened(pilot)
        await type_in(pilot, "fix it")
        await pilot.press("enter")
        await until(pilot, lambda: ("drive", "fix it", "steering") in cockpit.source.calls)
        await until(pilot, lambda: cockpit.app.driving.waiting() == [])
        assert cockpit.written == ""
        assert "edit" in cockpit.text


async def test_a_prompt_sent_before_the_engine_is_there_waits_in_sight() -> None:
    source = ScriptedSource()
    opens = threading.Event()

    def open_slowly() -> ScriptedSource:
        assert opens.wait(WITHIN_S)
        return source

    app = CockpitApp(open_slowly)
    async with app.run_test() as pilot:
        await type_in(pilot, "early")
        await pilot.press("enter")
        await until(pilot, lambda: "early" in text_of(app))
        assert "waits for the engine" in text_of(app)
        opens.set()
        await until(pilot, lambda: ("drive", "early", "steering") in source.calls)


async def test_the_mode_that_is_chosen_before_the_engine_is_there_holds_once_it_is() -> None:
    source = ScriptedSource()
    opens = threading.Event()

    def open_slowly() -> ScriptedSource:
        assert opens.wait(WITHIN_S)
        return source

    app = CockpitApp(open_slowly)
    async with app.run_test() as pilot:
        await pilot.press("shift+tab", "shift+tab")
        await type_in(pilot, "go")
        await pilot.press("enter")
        opens.set()
        await until(pilot, lambda: len(source.calls) == 3)
        assert [call[0] for call in source.calls] == ["cycle", "cycle", "drive"]


async def test_enter_while_a_goal_runs_queues_in_sight() -> None:
    cockpit = Cockpit()
    async with cockpit.app.run_test() as pilot:
        await cockpit.opened(pilot)
        await type_in(pilot, "one")
        await pilot.press("enter")
        await type_in(pilot, "two")
        await pilot.press("enter")
        await type_in(pilot, "three")
        await pilot.press("tab")
        await until(pilot, lambda: "joins after this step" in cockpit.text)
        await until(pilot, lambda: "comes after this goal" in cockpit.text)
        assert cockpit.source.calls == [
            ("drive", "one", "steering"),
            ("drive", "two", "steering"),
            ("drive", "three", "follow_up"),
        ]


async def test_taking_back_brings_the_newest_waiting_prompt_and_leaves_the_others() -> None:
    cockpit = Cockpit()
    async with cockpit.app.run_test() as pilot:
        await cockpit.opened(pilot)
        for text in ("one", "two", "three"):
            await type_in(pilot, text)
            await pilot.press("enter")
        await until(pilot, lambda: cockpit.text.count("joins after") == 2)
        await pilot.press("up")
        await until(pilot, lambda: cockpit.written == "three")
        await until(pilot, lambda: cockpit.text.count("joins after") == 1)
    assert cockpit.source.calls[-1] == ("withdraw", "steering", "three")


async def test_escape_interrupts_only_what_runs() -> None:
    cockpit = Cockpit()
    async with cockpit.app.run_test() as pilot:
        await cockpit.opened(pilot)
        await pilot.press("escape")
        assert cockpit.source.calls == []
        await type_in(pilot, "go")
        await pilot.press("enter")
        await until(pilot, lambda: cockpit.source.calls)
        await pilot.press("escape")
        await until(pilot, lambda: ("cancel", "interrupted by you") in cockpit.source.calls)


async def test_control_c_interrupts_then_arms_then_quits() -> None:
    cockpit = Cockpit()
    async with cockpit.app.run_test() as pilot:
        await cockpit.opened(pilot)
        await type_in(pilot, "go")
        await pilot.press("enter")
        await until(pilot, lambda: cockpit.source.calls)
        await pilot.press("ctrl+c")
        await until(pilot, lambda: ("cancel", "interrupted by you") in cockpit.source.calls)
        await until(pilot, lambda: not cockpit.app.driving.is_busy)
        await pilot.press("ctrl+c")
        await until(pilot, lambda: "again to quit" in cockpit.text)
        await pilot.press("ctrl+c")
        await until(pilot, lambda: ("aclose",) in cockpit.source.calls)
    assert "/state/sitting.jsonl" in cockpit.app.farewell
    assert "--resume" in cockpit.app.farewell


async def test_a_goal_that_does_not_stop_can_be_left() -> None:
    class Deaf(ScriptedSource):
        async def cancel(self, reason: str = "cancelled") -> None:
            self.calls.append(("cancel", reason))

    cockpit = Cockpit(Deaf())
    async with cockpit.app.run_test() as pilot:
        await cockpit.opened(pilot)
        await type_in(pilot, "go")
        await pilot.press("enter")
        await until(pilot, lambda: cockpit.app.driving.waiting() == [])
        await pilot.press("ctrl+c", "ctrl+c")
        await until(pilot, lambda: "again to quit" in cockpit.text)
        await pilot.press("ctrl+c")
        await until(pilot, lambda: ("aclose",) in cockpit.source.calls)


async def test_two_goals_on_a_dirty_tree_are_asked_about_one_after_the_other() -> None:
    source = ScriptedSource()
    source.fails = [DirtyWorkspaceError("dirty"), DirtyWorkspaceError("dirty")]
    cockpit = Cockpit(source)
    async with cockpit.app.run_test() as pilot:
        await cockpit.opened(pilot)
        await pilot.press("a", "enter", "b", "enter")
        for _ in range(2):
            await until(pilot, lambda: cockpit.app.panel.is_lit)
            assert "steer" not in str(cockpit.app.composer.placeholder)
            assert "once this is answered" in str(cockpit.app.composer.placeholder)
            await pilot.press("n")
            await until(pilot, lambda: not cockpit.app.panel.is_lit)
        await until(pilot, lambda: not cockpit.app.panel.is_open)
        assert sorted(cockpit.written.split()) == ["a", "b"]


@pytest.mark.parametrize("size", [(80, 24), (40, 15)])
async def test_a_note_that_would_be_cut_stands_in_the_transcript(size: tuple[int, int]) -> None:
    cockpit = Cockpit()
    words = "nano could not be started: No such file or directory, so nothing was changed at all"
    async with cockpit.app.run_test(size=size) as pilot:
        await cockpit.opened(pilot)
        cockpit.app.note("short words")
        await until(pilot, lambda: "short words" in cockpit.text)
        assert cockpit.blocks == []
        cockpit.app.note(words)
        await until(pilot, lambda: cockpit.blocks == [words])
        await until(pilot, lambda: "at all" in cockpit.text)


async def test_any_other_key_disarms_quitting() -> None:
    cockpit = Cockpit()
    async with cockpit.app.run_test() as pilot:
        await cockpit.opened(pilot)
        await pilot.press("ctrl+c", "x", "ctrl+c")
        await until(pilot, lambda: "again to quit" in cockpit.text)
        assert cockpit.source.calls == []


async def test_control_d_on_an_empty_prompt_quits() -> None:
    cockpit = Cockpit()
    async with cockpit.app.run_test() as pilot:
        await cockpit.opened(pilot)
        await pilot.press("ctrl+d")
        await until(pilot, lambda: ("aclose",) in cockpit.source.calls)


async def test_shift_tab_cycles_consent() -> None:
    cockpit = Cockpit()
    async with cockpit.app.run_test(size=(120, 30)) as pilot:
        await cockpit.opened(pilot)
        await pilot.press("shift+tab")
        await until(pilot, lambda: "accepts edits" in cockpit.text)
        await pilot.press("shift+tab", "shift+tab")
        assert [call for call in cockpit.source.calls if call[0] == "cycle"] == [
            ("cycle", "accept_edits"),
            ("cycle", "plan"),
            ("cycle", "ask"),
        ]


@pytest.mark.parametrize(
    ("problem", "shown"),
    [
        (PersonCanAct("set a model first"), "set a model first"),
        (ValueError("[/] broke [b]here"), "[/] broke [b]here"),
        (KeyError(), "KeyError"),
    ],
)
async def test_a_goal_that_cannot_start_gives_its_prompt_back(
    problem: Exception, shown: str
) -> None:
    source = ScriptedSource()
    source.fails = [problem]
    cockpit = Cockpit(source)
    async with cockpit.app.run_test() as pilot:
        await cockpit.opened(pilot)
        await type_in(pilot, "go")
        await pilot.press("enter")
        await until(pilot, lambda: cockpit.written == "go")
        assert shown in cockpit.blocks[-1]
        await pilot.press("enter")
        await until(pilot, lambda: len(source.calls) == 2)


async def test_a_dirty_tree_is_asked_about_and_a_yes_goes_on() -> None:
    source = ScriptedSource()
    source.fails = [DirtyWorkspaceError("uncommitted changes", paths=("a.py",))]
    cockpit = Cockpit(source, quiet_s=0.0)
    async with cockpit.app.run_test(size=(100, 30)) as pilot:
        await cockpit.opened(pilot)
        await type_in(pilot, "go")
        await pilot.press("enter")
        await until(pilot, lambda: cockpit.app.panel.is_lit)
        assert "a.py" in cockpit.text
        await pilot.press("y")
        await until(pilot, lambda: len(source.calls) == 3)
        assert source.calls[1:] == [("tolerate",), ("drive", "go", "steering")]
        assert not cockpit.app.panel.is_open


async def test_a_dirty_tree_and_escape_keep_the_prompt() -> None:
    source = ScriptedSource()
    source.fails = [DirtyWorkspaceError("uncommitted changes")]
    cockpit = Cockpit(source, quiet_s=0.0)
    async with cockpit.app.run_test() as pilot:
        await cockpit.opened(pilot)
        await type_in(pilot, "go")
        await pilot.press("enter")
        await until(pilot, lambda: cockpit.app.panel.is_lit)
        await pilot.press("escape")
        await until(pilot, lambda: cockpit.written == "go")
        assert ("tolerate",) not in source.calls


async def test_without_a_model_it_says_what_to_set_and_enter_opens_the_demo() -> None:
    demo = ScriptedSource()

    def no_model() -> Any:
        raise PersonCanAct("set AGENT_COCKPIT_MODEL")

    offer = Offer(lambda: demo, "sample", "Fix it")
    loaded: list[str] = []
    app = CockpitApp(
        no_model,
        title="my project",
        offer_demo=lambda: offer,
        when_loaded=lambda: loaded.append(text_of(app)),
    )
    async with app.run_test(size=(100, 30)) as pilot:
        assert not loaded
        await type_in(pilot, "early")
        await pilot.press("enter")
        await until(pilot, lambda: "set AGENT_COCKPIT_MODEL" in text_of(app))
        assert len(loaded) == 1
        await until(pilot, lambda: app.composer.text == "early")
        await pilot.press("ctrl+u", "enter")
        await until(pilot, lambda: app.driving.source is demo)
        await until(pilot, lambda: "try  Fix it" in text_of(app))
        await until(pilot, lambda: len(loaded) == 2)
        assert "sample" in text_of(app)
        assert "my project" not in text_of(app)
        await pilot.press("up")
        assert app.composer.text == "Fix it"
        await pilot.press("ctrl+u")
        await type_in(pilot, "go")
        await pilot.press("enter")
        await until(pilot, lambda: ("drive", "go", "steering") in demo.calls)


async def test_a_source_that_breaks_leaves_the_prompt_usable() -> None:
    class Breaking(ScriptedSource):
        async def events(self) -> Any:
            yield AgentStart(goal="x")
            raise OSError("[gone]")

    cockpit = Cockpit(Breaking())
    async with cockpit.app.run_test() as pilot:
        await cockpit.opened(pilot)
        await until(pilot, lambda: len(cockpit.blocks) > 1)
        await type_in(pilot, "still here")
        assert cockpit.written == "still here"


async def test_local_commands_go_to_the_engine_and_never_to_the_model() -> None:
    source = ScriptedSource()
    source.meta = {"/diff": MetaResult("diff", "--- a\n+++ b\n@@ -1 +1 @@\n-[/]\n+\x1b[2Jx\n")}
    cockpit = Cockpit(source)
    async with cockpit.app.run_test() as pilot:
        await cockpit.opened(pilot)
        await type_in(pilot, "/state")
        await pilot.press("enter")
        await type_in(pilot, "/diff")
        await pilot.press("enter")
        await until(pilot, lambda: "1 − [/]" in cockpit.text)
        assert "␛[2Jx" in cockpit.text
        assert source.calls == [("meta", "/state"), ("meta", "/diff")]
        await pilot.press("escape")
        await type_in(pilot, "/quit")
        await pilot.press("enter")
        await until(pilot, lambda: ("aclose",) in source.calls)


async def test_an_unknown_command_names_close_ones_and_comes_back() -> None:
    source = ScriptedSource()
    source.meta = {"/difff": MetaResult("message", unknown_text("difff"))}
    cockpit = Cockpit(source)
    async with cockpit.app.run_test() as pilot:
        await cockpit.opened(pilot)
        await type_in(pilot, "/difff")
        await pilot.press("enter")
        await until(pilot, lambda: "Did you mean /diff" in "".join(cockpit.blocks))
        await until(pilot, lambda: cockpit.written == "/difff")
        assert source.calls == [("meta", "/difff")]


async def test_a_command_that_calls_a_skill_is_sent_as_a_prompt() -> None:
    source = ScriptedSource()
    source.meta = {"/review it": MetaResult("prompt", "/skill:review it")}
    cockpit = Cockpit(source)
    async with cockpit.app.run_test() as pilot:
        await cockpit.opened(pilot)
        await type_in(pilot, "/review it")
        await pilot.press("enter")
        await until(pilot, lambda: len(source.calls) == 2)
        assert source.calls[1] == ("drive", "/skill:review it", "steering")
        assert cockpit.written == ""


async def test_escape_stops_a_compaction() -> None:
    source = ScriptedSource()
    source.is_compacting = True
    cockpit = Cockpit(source)
    async with cockpit.app.run_test() as pilot:
        await cockpit.opened(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: source.calls == [("cancel", "interrupted by you")])


async def test_a_command_with_no_engine_says_so() -> None:
    cockpit = Cockpit(WatchedSource())
    async with cockpit.app.run_test() as pilot:
        await cockpit.opened(pilot)
        await type_in(pilot, "/state")
        await pilot.press("enter")
        await until(pilot, lambda: "needs an open sitting" in "".join(cockpit.blocks))
        await type_in(pilot, "/difff now")
        await pilot.press("enter")
        await until(pilot, lambda: "Did you mean /diff?" in "".join(cockpit.blocks))
        assert cockpit.app.composer.text == "/difff now"


async def test_a_command_sent_before_the_engine_is_there_comes_before_the_goal_after_it() -> None:
    source = ScriptedSource()
    opens = threading.Event()

    def open_slowly() -> ScriptedSource:
        assert opens.wait(WITHIN_S)
        return source

    app = CockpitApp(open_slowly)
    async with app.run_test() as pilot:
        for text in ("/plan", "fix it"):
            await type_in(pilot, text)
            await pilot.press("enter")
        assert [text for _, text in app.driving.waiting()] == ["/plan", "fix it"]
        opens.set()
        await until(pilot, lambda: len(source.calls) == 2)
        assert source.calls == [("meta", "/plan"), ("drive", "fix it", "steering")]


async def test_a_space_before_the_slash_makes_it_a_prompt() -> None:
    cockpit = Cockpit()
    async with cockpit.app.run_test() as pilot:
        await cockpit.opened(pilot)
        await type_in(pilot, " /diff")
        await pilot.press("enter")
        await until(pilot, lambda: ("drive", " /diff", "steering") in cockpit.source.calls)


@pytest.mark.parametrize("key", ["question_mark", "f1"])
async def test_the_help_page_opens_and_closes(key: str) -> None:
    cockpit = Cockpit()
    async with cockpit.app.run_test(size=(100, 40)) as pilot:
        await cockpit.opened(pilot)
        await pilot.press(key)
        await until(pilot, lambda: "while you type" in cockpit.text)
        await pilot.press("escape")
        await pilot.press("x")
        assert cockpit.written == "x"


async def test_a_watched_source_takes_no_prompts_and_gives_them_back() -> None:
    source = WatchedSource()
    cockpit = Cockpit(source)
    async with cockpit.app.run_test() as pilot:
        await cockpit.opened(pilot)
        source.say(AgentStart(goal="look", task_kind="investigate"), ModelUpdate(delta="Hel"))
        await until(pilot, lambda: len(cockpit.blocks) == 2)
        await type_in(pilot, "hello")
        await pilot.press("enter")
        assert cockpit.written == "hello"
        assert source.calls == []
        source.say(AgentEnd(outcome="success"))
        await until(pilot, lambda: "success" in cockpit.text)


async def test_a_replay_hides_the_prompt_and_quits_by_key() -> None:
    source = WatchedSource()
    cockpit = Cockpit(source, read_only=True)
    async with cockpit.app.run_test() as pilot:
        await cockpit.opened(pilot)
        await pilot.press("h", "enter")
        assert cockpit.written == ""
        await pilot.press("ctrl+q")
        await until(pilot, lambda: cockpit.app._exit)


async def test_what_the_mouse_selects_is_copied_and_typing_goes_on_in_the_prompt() -> None:
    cockpit = Cockpit()
    async with cockpit.app.run_test(size=(60, 20)) as pilot:
        await cockpit.opened(pilot)
        cockpit.source.say(AgentStart(goal="select these words", task_kind="edit"))
        await until(pilot, lambda: "select these words" in cockpit.text)
        view = cockpit.app.transcript_view
        await pilot.mouse_down(view, offset=(2, 0))
        await pilot.hover(view, offset=(14, 0))
        await pilot.mouse_up(view, offset=(14, 0))
        await until(pilot, lambda: "select these" in cockpit.app.clipboard)
        await pilot.press("x")
        assert cockpit.written == "x"


async def test_the_editor_gets_the_prompt_or_the_person_a_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    cockpit = Cockpit()
    async with cockpit.app.run_test() as pilot:
        await cockpit.opened(pilot)
        await pilot.press("a", "ctrl+g")
        await until(pilot, lambda: "set VISUAL or EDITOR" in cockpit.text)
        assert cockpit.written == "a"


async def test_an_editor_that_is_no_command_is_a_reason_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("VISUAL", "vim 'half")
    cockpit = Cockpit()
    async with cockpit.app.run_test() as pilot:
        await cockpit.opened(pilot)
        await pilot.press("a", "ctrl+g")
        await until(pilot, lambda: "is no command" in cockpit.text)
        assert cockpit.written == "a"


class LendingApp(CockpitApp):
    """An app that lends its terminal also where there is none; a prompt comes back meanwhile."""

    CSS_PATH = str(Path(app_file).with_name("app.tcss"))

    @contextmanager
    def suspend(self) -> Iterator[None]:
        self.give_back("not sent")
        yield


async def test_what_comes_back_while_one_writes_in_the_editor_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nprintf b >> "$1"\n')
    editor.chmod(0o700)
    monkeypatch.setenv("VISUAL", str(editor))
    app = LendingApp(ScriptedSource)
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await pilot.press("a", "ctrl+g")
        await until(pilot, lambda: app.composer.text == "ab")
        assert app.composer.prompts.newest_first() == ["not sent\na"]


async def test_up_at_the_start_writes_the_goal_that_is_offered() -> None:
    cockpit = Cockpit(suggestion="Fix the failing test")
    async with cockpit.app.run_test() as pilot:
        await cockpit.opened(pilot)
        assert "Fix the failing test" in cockpit.text
        await pilot.press("up", "enter")
        await until(pilot, lambda: cockpit.source.calls)
    assert cockpit.source.calls == [("drive", "Fix the failing test", "steering")]
