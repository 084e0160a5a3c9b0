"""Completion in the composer: what is offered, what a key puts in, what is sent."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.events.harness import ApprovalResolved
from agent_cockpit.rules.consent.policy import ConfiguredRule, RuleBook
from agent_cockpit.rules.grounding import Reference, references
from agent_cockpit.workspace.workspace import Workspace
from tests.cockpit.screen import text_of, until
from tests.support.scripted_source import ScriptedSource, asks
from tests.support.waiting import WITHIN_S

FILES = ("calc.py", "my notes.md", "[/x].md", ".env", "src/deep/calc_more.py", "src/app.py")
DENIED = "src/denied/x.py"


class Tree(ScriptedSource):
    """A sitting on a real folder."""

    def __init__(self, root: Path) -> None:
        super().__init__()
        for name in (*FILES, DENIED):
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("x")
        deny = ConfiguredRule("deny", "read_file", "", "here", path="src/denied/**")
        self.harness = SimpleNamespace(
            workspace=Workspace(root), base_policy=SimpleNamespace(rules=RuleBook([deny]))
        )

    def discover(self) -> Any:
        skill = SimpleNamespace(name="review", description="look at a change")
        return SimpleNamespace(skills=(skill,))


@pytest.fixture
def source(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


async def typed_in(app: CockpitApp, pilot: Pilot[None], text: str) -> None:
    """Typed at one go, as a burst."""
    for char in text:
        app.post_message(events.Key("space" if char == " " else char, char))
    await pilot.pause()


async def offered(app: CockpitApp, pilot: Pilot[None]) -> list[str]:
    """The labels on offer, once they are there."""
    await until(pilot, lambda: labels(app))
    return labels(app)


def labels(app: CockpitApp) -> list[str]:
    helper: Any = app.composer.suggesting
    return [row.label for row in helper._completing.rows] if helper else []


async def ready(app: CockpitApp, pilot: Pilot[None]) -> None:
    """The source is open and its file names are known."""
    await until(pilot, lambda: app.driving.source is not None)
    await typed_in(app, pilot, "@")
    await offered(app, pilot)
    await pilot.press("backspace")


FILE_KEYS = [
    ("see @calc", ["tab"], "see @calc.py "),
    ("see @calc", ["enter"], "see @calc.py "),
    ("@deepcalc", ["tab"], "@src/deep/calc_more.py "),
    ("@notes", ["tab"], '@"my notes.md" '),
    ("@calc:10-20", ["tab"], "@calc.py:10-20 "),
    ("@calc", ["down", "tab"], "@src/deep/calc_more.py "),
    ("@calc", ["up", "tab"], "@src/deep/calc_more.py "),
    ("@src", ["tab", "a", "p", "tab"], "@src/app.py "),
    ("@calc", ["escape", "x"], "@calcx"),
    ("@calc", ["tab", *":4-9"], "@calc.py:4-9"),
    ("@notes", ["tab", ":", "7"], '@"my notes.md":7'),
    ("@calc", ["tab", ",", "space", "b"], "@calc.py, b"),
    ("@calc", ["tab", "space", ":"], "@calc.py  :"),
    ("@calc", ["tab", "b", "backspace", ":"], "@calc.py :"),
]


async def test_a_file_is_put_in_by_a_few_letters(source: Tree) -> None:
    app = CockpitApp(lambda: source)
    async with app.run_test() as pilot:
        await ready(app, pilot)
        for typed, keys, written in FILE_KEYS:
            await typed_in(app, pilot, typed)
            await pilot.press(*keys)
            assert app.composer.text == written
            await pilot.press("ctrl+u")
        assert source.calls == []


async def test_a_name_begun_before_the_source_is_open_is_completed_once_it_is(
    source: Tree,
) -> None:
    opens = threading.Event()

    def slowly() -> Tree:
        assert opens.wait(WITHIN_S)
        return source

    app = CockpitApp(slowly)
    async with app.run_test() as pilot:
        await typed_in(app, pilot, "@calc")
        assert labels(app) == []
        opens.set()
        assert await offered(app, pilot) == ["calc.py", "src/deep/calc_more.py"]


async def test_what_was_put_in_is_read_as_the_file(source: Tree) -> None:
    app = CockpitApp(lambda: source)
    async with app.run_test() as pilot:
        await ready(app, pilot)
        await typed_in(app, pilot, "@notes:3-9")
        await pilot.press("tab", "enter")
        await until(pilot, lambda: source.calls)
        assert references(source.calls[0][1]) == (Reference("my notes.md", 3, 9),)


async def test_secret_and_outside_files_are_never_offered(source: Tree) -> None:
    app = CockpitApp(lambda: source)
    async with app.run_test() as pilot:
        await ready(app, pilot)
        for typed in ("@.env", "@denied/x", "@../", "@/etc", "me@calc"):
            await typed_in(app, pilot, typed)
            assert labels(app) == []
            await pilot.press("ctrl+u")


async def test_a_file_that_went_away_is_not_offered(source: Tree, tmp_path: Path) -> None:
    app = CockpitApp(lambda: source)
    async with app.run_test() as pilot:
        await ready(app, pilot)
        (tmp_path / "calc.py").unlink()
        await typed_in(app, pilot, "@calc")
        assert labels(app) == ["src/deep/calc_more.py"]


COMMAND_KEYS = [
    ("/mo", ["tab"], "/mode "),
    ("/mo", ["enter"], "/mode "),
    ("/veri", ["tab"], "/verify"),
    ("/mode in", ["tab"], "/mode investigate"),
    ("/diff ", ["down", "tab"], "/diff goal"),
    ("/rev", ["tab"], "/review"),
    ("/boundary calc", ["tab"], "/boundary calc.py"),
    ("/theme light", ["tab"], "/theme cockpit-light"),
]


async def test_a_command_and_its_argument_are_completed(source: Tree) -> None:
    app = CockpitApp(lambda: source)
    async with app.run_test() as pilot:
        await ready(app, pilot)
        await typed_in(app, pilot, "/rev")
        await until(pilot, lambda: labels(app)[:1] == ["/review"])
        await pilot.press("ctrl+u")
        for typed, keys, written in COMMAND_KEYS:
            await typed_in(app, pilot, typed)
            await pilot.press(*keys)
            assert app.composer.text == written
            await pilot.press("ctrl+u")


async def test_a_command_that_is_written_out_is_sent_at_once(source: Tree) -> None:
    app = CockpitApp(lambda: source)
    commands = ["/diff", "/diff ", "/mode plan", "/state", "/compact the api"]
    async with app.run_test() as pilot:
        await ready(app, pilot)
        for command in commands:
            await typed_in(app, pilot, command)
            await pilot.press("enter")
        await until(pilot, lambda: len(source.calls) == len(commands))
        assert source.calls == [("meta", command) for command in commands]


async def test_escape_closes_the_list_before_it_stops_the_goal(source: Tree) -> None:
    app = CockpitApp(lambda: source)
    async with app.run_test() as pilot:
        await ready(app, pilot)
        await typed_in(app, pilot, "go")
        await pilot.press("enter")
        await until(pilot, lambda: app.driving.is_busy)
        await typed_in(app, pilot, "@calc")
        await pilot.press("escape")
        assert labels(app) == []
        assert ("cancel", "interrupted by you") not in source.calls
        await pilot.press("escape")
        await until(pilot, lambda: ("cancel", "interrupted by you") in source.calls)


async def test_a_prompt_that_comes_back_opens_no_list(source: Tree) -> None:
    app = CockpitApp(lambda: source)
    async with app.run_test() as pilot:
        await ready(app, pilot)
        app.composer.prompts.add("older")
        app.composer.prompts.add("/diff")
        await pilot.press("up")
        assert (app.composer.text, labels(app)) == ("/diff", [])
        await pilot.press("up")
        assert app.composer.text == "older"


async def test_the_list_leaves_the_transcript_its_room_and_takes_clicks(source: Tree) -> None:
    app = CockpitApp(lambda: source)
    async with app.run_test(size=(60, 24)) as pilot:
        await ready(app, pilot)
        await typed_in(app, pilot, "/")
        await until(pilot, lambda: "/mode" in text_of(app))
        shown = app.screen.query_one("#suggestions")
        assert shown.region.height <= 24 // 4 + 1
        assert shown.region.bottom == app.screen.query_one("#prompt").region.y
        await pilot.click("#suggestions", offset=(4, 1))
        assert app.composer.text == "/help"
        assert app.focused is app.composer


async def test_what_was_sent_leaves_no_list_open_and_no_words_of_one_in_the_prompt(
    source: Tree,
) -> None:
    app = CockpitApp(lambda: source)
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(app, pilot)
        await typed_in(app, pilot, "/time")
        await offered(app, pilot)
        app.composer.text = ""
        app.present()
        assert not app.composer.is_choosing
        assert app.composer.placeholder == "ask, or describe a change"


async def test_a_question_takes_the_place_of_the_list(source: Tree) -> None:
    app = CockpitApp(lambda: source, quiet_s=0.0)
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(app, pilot)
        await typed_in(app, pilot, "@calc")
        assert app.composer.is_choosing
        source.say(asks())
        await until(pilot, lambda: app.panel.is_lit)
        assert not app.composer.is_choosing
        assert not app.screen.query_one("#suggestions").display
        assert app.status_line.region.bottom == 24
        await pilot.press("escape")
        source.say(ApprovalResolved(approval_id="call-1", allowed=False, via="human"))
        await until(pilot, lambda: not app.panel.is_open)
        assert app.composer.text == "@calc"
        await until(pilot, lambda: app.screen.query_one("#suggestions").display)


async def test_names_are_never_markup(source: Tree) -> None:
    app = CockpitApp(lambda: source)
    async with app.run_test() as pilot:
        await ready(app, pilot)
        await typed_in(app, pilot, "@x")
        await until(pilot, lambda: "[/x].md" in text_of(app))


async def test_the_history_is_searched_by_words_and_left_without_a_trace() -> None:
    app = CockpitApp(ScriptedSource)
    async with app.run_test() as pilot:
        for prompt in ("fix the parser", "look at calc", "fix the calc"):
            app.composer.prompts.add(prompt)
        await typed_in(app, pilot, "half")
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "no prompt of yours" in text_of(app))
        await pilot.press("escape")
        assert app.composer.text == "half"
        await pilot.press("ctrl+u", "ctrl+r")
        await typed_in(app, pilot, "calc")
        await pilot.press("ctrl+r")
        assert app.composer.draft() == ("", {})
        await pilot.press("enter")
        assert app.composer.text == "look at calc"
        await pilot.press("ctrl+u", "ctrl+r", "ctrl+c")
        assert app.composer.text == ""
        assert not app.quitting.is_armed


async def test_a_prompt_that_comes_back_during_a_search_meets_the_draft() -> None:
    app = CockpitApp(ScriptedSource)
    async with app.run_test() as pilot:
        app.composer.prompts.add("sent")
        await typed_in(app, pilot, "half")
        await pilot.press("ctrl+r", "x")
        app.give_back("recalled")
        assert app.composer.text == "recalled\nhalf"


async def test_a_chip_shows_how_its_paste_begins() -> None:
    app = CockpitApp(ScriptedSource)
    async with app.run_test() as pilot:
        app.composer.insert_text("\n".join(f"row {n}" for n in range(40)))
        await until(pilot, lambda: "row 2" in text_of(app))
        assert "alt+p writes it out" in text_of(app)
        await pilot.press("space")
        await until(pilot, lambda: "row 2" not in text_of(app))
