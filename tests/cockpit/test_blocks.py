"""Pointing at blocks: the cursor, its menu, selecting several, folding a kind for good."""

from __future__ import annotations

import stat
from collections.abc import Callable
from datetime import UTC
from functools import partial
from pathlib import Path

import pytest
from textual.pilot import Pilot

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.clipboard import clipboard_programs, copied_words, copy_by_program
from agent_cockpit.cockpit.editor import at_line
from agent_cockpit.cockpit.remembered import Remembered
from agent_cockpit.events import harness as h
from agent_cockpit.events import sitting as s
from agent_cockpit.events.base import Event
from agent_cockpit.transcript.fold import Transcript
from tests.cockpit.screen import at_rest, text_of, type_in, until
from tests.support.scripted_source import ScriptedSource
from tests.transcript.stories import fixed_test

BAR = "▍"


class Page:
    """A cockpit that shows these events."""

    def __init__(self, *told: Event, remembered: Remembered | None = None) -> None:
        self.source = ScriptedSource()
        self.app = CockpitApp(lambda: self.source, remembered=remembered)
        self._told = told

    async def shown(self, pilot: Pilot[None], words: str) -> None:
        await until(pilot, lambda: self.app.driving.source is not None)
        self.source.say(*self._told)
        await until(pilot, lambda: words in text_of(self.app))

    @property
    def pointed(self) -> list[str]:
        """The lines with the bar of the cursor, without it."""
        lines = text_of(self.app).split("\n")
        return [line.strip(f"{BAR} ") for line in lines if line.startswith(BAR)]

    @property
    def words(self) -> list[str]:
        """What can be read of the transcript, line by line, without the bar."""
        view = self.app.transcript_view
        lines = (view.render_line(y).text.strip(f"{BAR} ") for y in range(view.size.height))
        return [line for line in lines if line]


async def test_alt_and_the_arrows_point_at_blocks_and_a_letter_goes_back_to_the_prompt() -> None:
    page = Page(*(s.Notice(text=f"notice {number}") for number in range(60)))
    async with page.app.run_test(size=(80, 24)) as pilot:
        await page.shown(pilot, "notice 59")
        await pilot.press("alt+up", "alt+up", "up")
        await until(pilot, lambda: page.pointed == ["· notice 57"])
        await pilot.press("down")
        await until(pilot, lambda: page.pointed == ["· notice 58"])
        page.source.say(s.Notice(text="notice 60"))
        await until(pilot, lambda: "1 new" in text_of(page.app))
        await pilot.press("x")
        await until(pilot, lambda: page.pointed == [])
        assert page.app.composer.text == "x"
        assert page.app.focused is page.app.composer


async def test_where_no_block_shows_anything_the_keyboard_stays_at_the_prompt() -> None:
    page = Page(h.ModelUpdate(delta=" ", kind="thought"))
    async with page.app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: page.app.driving.source is not None)
        page.source.say(*page._told)
        await until(pilot, lambda: page.app.transcript_view.display)
        await pilot.press("x")
        await pilot.press("alt+up")
        assert page.app.composer.has_focus
        page.app.screen.set_focus(page.app.transcript_view)
        await pilot.press("escape")
        await until(pilot, lambda: page.app.composer.has_focus)


async def test_a_new_page_has_no_block_that_is_pointed_at() -> None:
    page = Page(s.Notice(text="one"), s.Notice(text="two"))
    async with page.app.run_test(size=(80, 24)) as pilot:
        await page.shown(pilot, "two")
        await pilot.press("alt+up")
        view = page.app.transcript_view
        view.attach(Transcript())
        await pilot.resize_terminal(60, 20)
        await pilot.press("escape", "o")
        assert not view.is_pointing
        assert page.app.composer.text == "o"


async def test_the_cursor_walks_out_of_sight_and_takes_the_page_along() -> None:
    page = Page(*(s.Notice(text=f"notice {number}") for number in range(60)))
    async with page.app.run_test(size=(80, 15)) as pilot:
        await page.shown(pilot, "notice 59")
        for _ in range(20):
            page.app.action_point(-1)
        await until(pilot, lambda: page.pointed == ["· notice 40"])


async def test_pointing_at_what_one_reads_and_opening_its_menu_move_no_line() -> None:
    text = "\n\n".join(f"paragraph {number}" for number in range(60))
    page = Page(h.ModelUpdate(delta=text), h.TurnEnd(), s.Notice(text="behind it"))
    async with page.app.run_test(size=(80, 20)) as pilot:
        await page.shown(pilot, "behind it")
        await pilot.press("pageup", "pageup")
        await at_rest(pilot)
        words = page.words
        await pilot.press("alt+up")
        await until(pilot, lambda: page.pointed)
        assert page.words == words
        await pilot.press("enter")
        await until(pilot, lambda: "copy as Markdown" in text_of(page.app))
        assert page.words[0] == words[0]


@pytest.mark.parametrize("up", [0, 1])
async def test_the_block_that_is_pointed_at_first_is_the_last_in_sight(up: int) -> None:
    events = ((h.ModelUpdate(delta=f"answer {n}"), h.TurnEnd()) for n in range(30))
    page = Page(*(event for pair in events for event in pair))
    async with page.app.run_test(size=(80, 15)) as pilot:
        await page.shown(pilot, "answer 29")
        page.app.transcript_view.scroll_to(y=20 + up)
        await at_rest(pilot)
        words = page.words
        await pilot.press("alt+up")
        await until(pilot, lambda: page.pointed == words[-1:])
        assert page.words == words


async def test_several_blocks_are_selected_and_copied_as_text() -> None:
    page = Page(*fixed_test())
    async with page.app.run_test(size=(120, 40)) as pilot:
        await page.shown(pilot, "verified")
        await pilot.press("alt+up", "up", "alt+shift+up")
        await until(pilot, lambda: len(page.pointed) == 2)
        await pilot.press("ctrl+c")
        await until(pilot, lambda: "copied" in text_of(page.app))
        text = page.app.clipboard
        assert text.startswith("test")
        assert "\nRan 1 test in 0.001s\n" in text
        assert text.endswith("it divides by the count now.")
        assert page.app.is_running


@pytest.mark.parametrize(
    ("keys", "copied"),
    [
        (["c"], "```python\nx = 1\n```"),
        (["b"], "x = 1"),
        (["3"], "x = 1"),
        (["down", "down", "enter"], "x = 1"),
    ],
)
async def test_the_menu_acts_on_letters_digits_and_arrows(keys: list[str], copied: str) -> None:
    page = Page(h.ModelUpdate(delta="```python\nx = 1\n```"), h.TurnEnd())
    async with page.app.run_test(size=(100, 24)) as pilot:
        await page.shown(pilot, "x = 1")
        await pilot.press("alt+up", "enter")
        await until(pilot, lambda: "copy as Markdown" in text_of(page.app))
        await pilot.press("z", *keys)
        await until(pilot, lambda: page.app.clipboard == copied)
        assert "copy as Markdown" not in text_of(page.app)
        await pilot.press("escape")
        assert page.app.focused is page.app.composer
        assert page.app.composer.text == ""


async def test_the_mouse_opens_the_menu_and_chooses_in_it() -> None:
    page = Page(*fixed_test())
    async with page.app.run_test(size=(120, 40)) as pilot:
        await page.shown(pilot, "verified")
        lines = text_of(page.app).split("\n")
        row = next(y for y, line in enumerate(lines) if "edit" in line and "+1" in line)
        await pilot.click("#transcript", offset=(10, row), button=3)
        await until(pilot, lambda: "why it was allowed" in text_of(page.app))
        lines = text_of(page.app).split("\n")
        row = next(y for y, line in enumerate(lines) if "why it was allowed" in line)
        await pilot.click(offset=(lines[row].index("why it was"), row))
        await until(
            pilot, lambda: "allowed once by you" in "".join(text_of(page.app).split("╭")[1])
        )


async def test_a_quotation_goes_below_what_is_written() -> None:
    page = Page(s.Notice(text="said so"))
    async with page.app.run_test(size=(100, 24)) as pilot:
        await page.shown(pilot, "said so")
        await pilot.press("h", "alt+up", "enter")
        await until(pilot, lambda: "quote into" in text_of(page.app))
        await pilot.press("q")
        await until(pilot, lambda: page.app.focused is page.app.composer)
        assert page.app.composer.text == "h\n> said so\n"


async def test_a_kind_stays_folded_in_the_next_sitting_but_failures_do_not(tmp_path: Path) -> None:
    failed = [
        h.ToolStart(call_id="f", tool="str_replace"),
        h.ToolEnd(call_id="f", tool="str_replace", success=False, content="no such text"),
    ]
    path = tmp_path / "cockpit.json"
    page = Page(*fixed_test(), remembered=Remembered(path))
    async with page.app.run_test(size=(120, 40)) as pilot:
        await page.shown(pilot, "return total")
        await pilot.press("alt+up", "up", "up", "up", "enter")
        await until(pilot, lambda: "keep every edit folded" in text_of(page.app))
        await pilot.press("k")
        await until(pilot, lambda: "return total" not in text_of(page.app))
    page = Page(*fixed_test(), *failed, remembered=Remembered(path))
    async with page.app.run_test(size=(120, 40)) as pilot:
        await page.shown(pilot, "no such text")
        assert "return total" not in text_of(page.app)


TWO_HUNKS = """\
--- a/x
+++ b/x
@@ -1,2 +1,2 @@
-first
+erste
 same
@@ -9,2 +9,2 @@
 last
-old
+new
"""


async def test_hunks_fold_by_a_click_and_all_of_them_by_a_letter() -> None:
    page = Page(
        h.ToolStart(call_id="c", tool="str_replace"),
        h.ToolEnd(call_id="c", tool="str_replace", success=True, diff=TWO_HUNKS),
    )
    async with page.app.run_test(size=(100, 24)) as pilot:
        await page.shown(pilot, "+ new")
        row = next(y for y, line in enumerate(text_of(page.app).split("\n")) if "⋯" in line)
        await pilot.click("#transcript", offset=(60, row))
        await until(pilot, lambda: "⋯   3 lines from line 9   +1 −1" in text_of(page.app))
        assert "+ erste" in text_of(page.app)
        await pilot.press("alt+up", "enter", "h")
        await until(pilot, lambda: "⋯   3 lines from line 1   +1 −1" in text_of(page.app))
        await pilot.press("enter", "h")
        await until(pilot, lambda: "+ new" in text_of(page.app) and "+ erste" in text_of(page.app))


async def test_how_diffs_are_shown_is_one_key_and_is_remembered(tmp_path: Path) -> None:
    remembered = Remembered(tmp_path / "cockpit.json")
    page = Page(*fixed_test(), remembered=remembered)
    async with page.app.run_test(size=(120, 40)) as pilot:
        await page.shown(pilot, "verified")
        assert "│" not in text_of(page.app)
        await pilot.press("alt+s")
        await until(pilot, lambda: "│     5 +     return total / len(numbers)" in text_of(page.app))
    assert Remembered(tmp_path / "cockpit.json").text("diffs") == "beside"


async def test_folding_all_says_what_it_came_to_where_nothing_can_be_folded_too() -> None:
    page = Page(s.Notice(text="nothing to fold"))
    async with page.app.run_test(size=(120, 20)) as pilot:
        await page.shown(pilot, "nothing to fold")
        for words in ("all unfolded", "all folded", "folded as usual"):
            await pilot.press("ctrl+o")
            await until(pilot, partial(says, page.app, words))


def says(app: CockpitApp, words: str) -> bool:
    """Whether these words stand on the screen."""
    return words in text_of(app)


async def test_times_stand_beside_blocks_when_they_are_wanted() -> None:
    page = Page(*fixed_test())
    page.app = CockpitApp(lambda: page.source, zone=UTC)
    async with page.app.run_test(size=(100, 40)) as pilot:
        await page.shown(pilot, "verified")
        await at_rest(pilot)
        before = text_of(page.app)
        await pilot.press("alt+t")
        await until(pilot, lambda: "09:41  ◆ I'll look" in text_of(page.app))
        assert "09:41    ▸ read" in text_of(page.app)
        await pilot.press("alt+up", "up", "alt+shift+up", "ctrl+c")
        await until(pilot, lambda: page.app.clipboard)
        assert "09:41" not in page.app.clipboard
        page.app.composer.focus()
        await type_line(pilot, "/times")
        await until(pilot, lambda: text_of(page.app) == before)


async def type_line(pilot: Pilot[None], text: str) -> None:
    await type_in(pilot, text)
    await pilot.press("enter")


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], Path]:
    """Makes a program of this text."""

    def make(text: str) -> Path:
        path = tmp_path / "program"
        path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    return make


async def test_a_clipboard_program_gets_the_text_letter_for_letter(
    program: Callable[[str], Path], tmp_path: Path
) -> None:
    taken = tmp_path / "taken"
    path = program(f"cat > {taken}")
    assert await copy_by_program("añ\n-e x", [str(path)])
    assert taken.read_text(encoding="utf-8") == "añ\n-e x"
    assert not await copy_by_program("x", [str(program("exit 3"))])
    assert not await copy_by_program("x", [str(tmp_path / "none")])


@pytest.mark.parametrize(
    ("env", "there", "commands"),
    [
        ({}, {"xclip", "wl-copy", "tmux"}, []),
        ({"DISPLAY": ":0"}, {"xclip", "xsel"}, [["/xclip", "-selection", "clipboard"]]),
        ({"DISPLAY": ":0"}, {"xsel"}, [["/xsel", "--clipboard", "--input"]]),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "w"}, {"xsel", "wl-copy"}, [["/wl-copy"]]),
        ({"DISPLAY": ":0", "SSH_TTY": "x"}, {"xsel", "pbcopy"}, []),
        ({}, {"pbcopy"}, [["/pbcopy"]]),
        ({"TMUX": "s", "SSH_TTY": "x"}, {"tmux", "pbcopy"}, [["/tmux", "load-buffer", "-w", "-"]]),
        ({"TMUX": "s"}, {"tmux", "clip.exe"}, [["/tmux", "load-buffer", "-w", "-"], ["/clip.exe"]]),
        ({"TMUX": "s"}, set(), []),
    ],
)
def test_the_clipboard_programs_are_those_of_this_desktop_and_of_tmux(
    env: dict[str, str], there: set[str], commands: list[list[str]]
) -> None:
    assert clipboard_programs(env, lambda name: f"/{name}" if name in there else None) == commands


def test_what_was_copied_is_said_in_figures() -> None:
    assert copied_words("a") == "copied 1 character"
    assert copied_words("ab\nc" * 1_000) == "copied 1,001 lines, 4,000 characters"


@pytest.mark.parametrize(
    ("editor", "command"),
    [
        (["vim", "-p"], ["vim", "-p", "+7", "/w/a b.py"]),
        (["/usr/bin/code", "-w"], ["/usr/bin/code", "-w", "--goto", "/w/a b.py:7"]),
        (["hx"], ["hx", "/w/a b.py:7"]),
        (["unheard-of"], ["unheard-of", "/w/a b.py"]),
    ],
)
def test_an_editor_opens_at_the_line_as_it_wants_to_be_told(
    editor: list[str], command: list[str]
) -> None:
    assert at_line(editor, Path("/w/a b.py"), 7) == command
