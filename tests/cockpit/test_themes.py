"""Every theme can be read, wherever the cockpit draws with it, and is chosen, kept, restored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.segment import Segment
from textual.app import App
from textual.color import Color
from textual.pilot import Pilot
from textual.theme import BUILTIN_THEMES

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.look.contrast import READABLE, contrast, readable
from agent_cockpit.cockpit.look.theme import DARK, LIGHT, drawn_theme, palette_of, theme_names
from agent_cockpit.cockpit.remembered import Remembered
from agent_cockpit.cockpit.screens.theme_screen import ThemeScreen
from agent_cockpit.cockpit.transcript.matching import Query
from agent_cockpit.settings import HarnessConfig
from tests.cockpit.screen import text_of, type_in, until
from tests.cockpit.test_look import DIFF, still
from tests.support.scripted_source import ScriptedSource, asks
from tests.transcript.stories import hard_goal

COLORED = [name for name in theme_names() if not name.startswith("ansi-")]


def test_there_are_ours_and_all_of_textuals() -> None:
    assert theme_names() == [DARK.name, LIGHT.name, *BUILTIN_THEMES]


def test_contrast_is_that_of_the_guidelines() -> None:
    white, black = Color(255, 255, 255), Color(0, 0, 0)
    assert contrast(white, black) == pytest.approx(21)
    assert contrast(Color(119, 119, 119), white) == pytest.approx(4.48, abs=0.01)


def test_a_color_moves_only_as_far_as_it_must() -> None:
    ground = [Color(20, 20, 20)]
    fine, dim = Color(200, 220, 240), Color(60, 30, 30)
    assert readable(fine, ground) == fine
    assert READABLE <= contrast(readable(dim, ground), ground[0]) < READABLE + 0.6


def shown(app: App[None]) -> Iterator[tuple[Segment, str]]:
    """Each drawn piece with letters in it, and the line that it stands in."""
    for strip in app.screen._compositor.render_strips():
        for segment in strip:
            if any(char.isalnum() for char in segment.text):
                yield segment, strip.text


def faint_pieces(app: App[None]) -> set[str]:
    """What stands on the screen and cannot be read well, with its colours."""
    found = set()
    for segment, line in shown(app):
        style = segment.style
        if style is None or style.color is None or style.bgcolor is None:
            found.add(f"no colours: {segment.text!r}")
            continue
        ink, ground = Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor)
        if contrast(ink, ground) < READABLE:
            found.add(f"{ink.hex} on {ground.hex}: {segment.text.strip()!r} in {line.strip()!r}")
    return found


async def dressed(pilot: Pilot[None], app: CockpitApp, name: str) -> None:
    """Show a theme, and wait until the screen has its colours."""
    assert app.looks.preview(name)
    ground = palette_of(app.current_theme).background
    await until(pilot, lambda: app.screen.background_colors[1].hex == ground)
    await pilot.pause()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("names", [COLORED[start::7] for start in range(7)], ids=" ".join)
async def test_all_that_is_drawn_can_be_read(names: list[str]) -> None:
    """A page with code, a diff, failures and search hits, a question, a selection."""
    source = ScriptedSource()
    app = still(source)
    edit = asks(tool="str_replace", input={"path": "calc.py"}, tier=1, preview=DIFF)
    async with app.run_test(size=(120, 70)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(*hard_goal(), edit)
        await until(pilot, lambda: app.panel.is_lit)
        search = app.transcript_view.search
        search.begin()
        search.look_for(Query("fields"))
        await until(pilot, lambda: search.number)
        app.composer.text = "what a person wrote and selected"
        app.composer.select_all()
        for name in names:
            await dressed(pilot, app, name)
            assert faint_pieces(app) == set(), name


@pytest.mark.parametrize("name", [DARK.name, LIGHT.name, "dracula", "solarized-light"])
async def test_an_empty_page_and_the_lists_can_be_read(name: str) -> None:
    app = still(ScriptedSource())
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await dressed(pilot, app, name)
        assert faint_pieces(app) == set()
        await pilot.press("/", "p")
        await until(pilot, lambda: "/permissions" in text_of(app))
        assert faint_pieces(app) == set()
        await pilot.press("escape", "escape")
        app.show(ThemeScreen(app.looks))
        await until(pilot, lambda: "enter keep" in text_of(app))
        assert faint_pieces(app) == set()


@pytest.mark.parametrize("name", theme_names())
def test_words_that_changed_can_be_read_and_seen(name: str) -> None:
    theme = drawn_theme(name)
    assert theme is not None
    palette = palette_of(theme)
    if not palette.background:
        return
    text = Color.parse(palette.text)
    for line, mark in (
        (palette.added, palette.added_mark),
        (palette.removed, palette.removed_mark),
    ):
        assert contrast(text, Color.parse(mark)) >= READABLE
        assert len({palette.background, line, mark}) == 3


def keeping(path: Path) -> tuple[ScriptedSource, CockpitApp]:
    source = ScriptedSource()
    return source, CockpitApp(lambda: source, remembered=Remembered(path))


async def test_the_list_shows_each_theme_and_esc_goes_back(tmp_path: Path) -> None:
    _, app = keeping(tmp_path / "cockpit.json")
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await type_in(pilot, "/theme")
        await pilot.press("enter")
        await until(pilot, lambda: not app.is_main)
        await pilot.press("down")
        await until(pilot, lambda: app.theme == LIGHT.name)
        await pilot.press("escape")
        await until(pilot, lambda: app.is_main)
        assert app.theme == DARK.name
    assert not (tmp_path / "cockpit.json").exists()


async def test_a_kept_theme_is_that_of_the_next_cockpit(tmp_path: Path) -> None:
    _, app = keeping(tmp_path / "state" / "cockpit.json")
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await type_in(pilot, "/theme")
        await pilot.press("enter")
        await until(pilot, lambda: not app.is_main)
        await pilot.press("down", "enter")
        await until(pilot, lambda: app.is_main)
    _, later = keeping(tmp_path / "state" / "cockpit.json")
    async with later.run_test() as pilot:
        await until(pilot, lambda: later.driving.source is not None)
        assert later.theme == LIGHT.name


async def test_a_theme_is_named_in_any_case_and_a_wrong_name_is_answered(tmp_path: Path) -> None:
    _, app = keeping(tmp_path / "cockpit.json")
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await type_in(pilot, "/theme Nord")
        await pilot.press("enter", "enter")
        await until(pilot, lambda: app.theme == "nord")
        await type_in(pilot, "/theme [x]")
        await pilot.press("enter")
        await until(pilot, lambda: "there is no theme '[x]'" in text_of(app))
        assert app.theme == "nord"


async def test_a_setting_counts_until_a_person_chooses_and_again_when_it_changes(
    tmp_path: Path,
) -> None:
    _, app = keeping(tmp_path / "cockpit.json")
    async with app.run_test() as pilot:
        await pilot.pause()
        assert app.looks.settle(HarnessConfig(theme="nord")) == ""
        assert app.theme == "nord"
        app.looks.keep("gruvbox")
        assert app.looks.settle(HarnessConfig(theme="nord")) == ""
        assert app.theme == "gruvbox"
        app.looks.settle(HarnessConfig())
        assert app.theme == "gruvbox"
        app.looks.settle(HarnessConfig(theme="dracula"))
        assert app.theme == "dracula"
        assert "'mauve'" in app.looks.settle(HarnessConfig(theme="mauve"))
        assert app.theme == "dracula"


def test_a_damaged_memory_is_said_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "cockpit.json"
    path.write_text("{ no", encoding="utf-8")
    remembered = Remembered(path)
    assert str(path) in remembered.problem
    assert remembered.text("theme") == ""
    remembered.keep(theme="nord")
    assert Remembered(path).text("theme") == "nord"


def test_two_cockpits_keep_what_the_other_wrote(tmp_path: Path) -> None:
    one, other = Remembered(tmp_path / "c.json"), Remembered(tmp_path / "c.json")
    one.keep(theme="nord")
    other.keep(side_panel=False)
    both = Remembered(tmp_path / "c.json")
    assert (both.text("theme"), both.flag("side_panel")) == ("nord", False)
