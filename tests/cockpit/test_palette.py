"""The palette: all that works now, found by a few letters, run by Enter or a click."""

from __future__ import annotations

import pytest
from textual.widgets import OptionList

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.keys.key import Situation
from agent_cockpit.cockpit.keys.key_table import KEYS
from agent_cockpit.cockpit.keys.keymap import Keymap
from agent_cockpit.cockpit.keys.palette_items import items, matching
from agent_cockpit.cockpit.screens.palette import Palette, QueryField
from agent_cockpit.rules.meta_commands import COMMANDS
from tests.cockpit.screen import at_rest, text_of, type_in, until
from tests.cockpit.test_approval_modal import Asking
from tests.cockpit.test_composer import burst
from tests.support.scripted_source import ScriptedSource, asks


def test_it_offers_what_works_and_nothing_that_consents() -> None:
    offered = items(Keymap(), Situation(), COMMANDS)
    actions = {item.action for item in offered if item.action}
    assert {"app.help", "app.edit_outside"} <= actions
    assert not {"app.interrupt", "app.take_back", "app.fold"} & actions
    assert not {line.action for line in KEYS if line.consents and line.action} & actions
    assert {"app.interrupt", "app.fold"} <= {
        item.action for item in items(Keymap(), Situation(running=True, has_blocks=True), ())
    }


def test_each_item_says_how_it_is_done_without_the_palette() -> None:
    offered = items(Keymap({"help": ("f2",)}), Situation(), COMMANDS)
    assert [item.label for item in offered if item.action == "app.help"] == ["f2"]
    assert {way for item in offered for way in item.label.split(" · ")} >= {
        each.usage for each in COMMANDS
    }


def test_what_a_key_and_a_command_do_alike_is_offered_once() -> None:
    offered = items(Keymap(), Situation(has_blocks=True), COMMANDS)
    assert [item.label for item in offered if "/panel" in item.label] == ["ctrl+t · /panel"]
    assert [item.label for item in offered if "/times" in item.label] == ["alt+t · /times"]


@pytest.mark.parametrize(
    ("query", "first"),
    [("diff", "/diff"), ("fold all", "app.fold"), ("perm", "/permissions"), ("editor", "edit")],
)
def test_a_few_letters_find_it(query: str, first: str) -> None:
    found = matching(items(Keymap(), Situation(has_blocks=True), COMMANDS), query)
    assert first in (found[0].command or found[0].action)


async def opened(keys: str = "") -> tuple[ScriptedSource, CockpitApp]:
    source = ScriptedSource()
    return source, CockpitApp(lambda: source)


async def test_enter_runs_what_is_marked() -> None:
    source, app = await opened()
    async with app.run_test(size=(100, 40)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await pilot.press("ctrl+p", *"state", "enter")
        await until(pilot, lambda: ("meta", "/state") in source.calls)
        assert app.composer.has_focus
        await pilot.press("ctrl+p", *"next way", "enter")
        await until(pilot, lambda: ("cycle", "accept_edits") in source.calls)


async def test_a_command_that_needs_words_waits_in_the_prompt_for_them() -> None:
    _, app = await opened()
    async with app.run_test(size=(100, 40)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await pilot.press("ctrl+p", *"/mode", "enter")
        await until(pilot, lambda: app.composer.text == "/mode ")


@pytest.mark.parametrize("key", ["escape", "ctrl+c"])
async def test_it_closes_and_does_nothing(key: str) -> None:
    source, app = await opened()
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await pilot.press("ctrl+p", *"quit", key)
        await until(pilot, lambda: len(app.screen_stack) == 1)
        assert app.composer.has_focus
        assert [call for call in source.calls if call[0] != "drive"] == []
        await pilot.press("ctrl+p", *"zzzzz", "enter")
        await until(pilot, lambda: "nothing that works now is called so" in text_of(app))


async def test_a_command_that_needs_words_takes_no_written_prompt_away() -> None:
    _, app = await opened()
    async with app.run_test(size=(100, 40)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await type_in(pilot, "half")
        await pilot.press("ctrl+p")
        await type_in(pilot, "boundary")
        await pilot.press("enter")
        await until(pilot, lambda: app.composer.text == "/boundary ")
        await pilot.press("ctrl+u", "up")
        assert app.composer.text == "half"


async def test_a_click_runs_a_line() -> None:
    source, app = await opened()
    async with app.run_test(size=(100, 40)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await pilot.press("ctrl+p", *"/state")
        await until(pilot, lambda: isinstance(app.screen, Palette))
        await pilot.click(OptionList, offset=(4, 0))
        await until(pilot, lambda: ("meta", "/state") in source.calls)


async def test_a_call_that_asks_meanwhile_waits_for_its_own_keys() -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test() as pilot:
        await until(pilot, lambda: asking.app.driving.source is not None)
        await pilot.press("ctrl+p")
        await asking.asked(pilot, asks(), lit=False)
        await pilot.press("y", "a", "escape")
        await until(pilot, lambda: asking.app.panel.is_lit)
        assert asking.answers == []


async def test_what_is_typed_in_one_go_with_its_key_is_looked_for() -> None:
    _, app = await opened()
    async with app.run_test(size=(90, 24)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        burst(app, *"ab", "ctrl+p", *"side x", "backspace", "backspace")
        await until(pilot, lambda: isinstance(app.screen, Palette))
        await until(pilot, lambda: app.screen.query_one(QueryField).text == "side")
        burst(app, "escape")
        await until(pilot, lambda: app.is_main)
        assert app.composer.text == "ab"


async def test_nothing_that_is_typed_in_one_go_with_its_key_is_an_answer() -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source)
    async with app.run_test(size=(90, 24)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(asks("call-1"))
        await until(pilot, lambda: app.panel.is_lit and app.focused is app.panel)
        burst(app, "ctrl+p", *"ay")
        await until(pilot, lambda: isinstance(app.screen, Palette))
        await at_rest(pilot)
        assert not [call for call in source.calls if call[0] == "resolve"]


@pytest.mark.parametrize("opened_by", ["/theme", "ctrl+p"])
async def test_the_chosen_row_of_a_list_has_a_sign(opened_by: str) -> None:
    _, app = await opened()
    async with app.run_test(size=(90, 24)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await pilot.press(*([*opened_by, "enter"] if opened_by[0] == "/" else [opened_by]))
        await until(pilot, lambda: not app.is_main and text_of(app).count("▸ ") == 1)
        first = next(row for row in text_of(app).split("\n") if "▸ " in row)
        await pilot.press(*["down"] * 3, "up")
        await until(pilot, lambda: text_of(app).count("▸ ") == 1 and first not in text_of(app))


@pytest.mark.parametrize("size", [(3, 2), (1, 1), (2, 9), (5, 3)])
@pytest.mark.parametrize("opened_by", ["/theme", "ctrl+p"])
async def test_a_list_is_opened_and_left_where_there_is_hardly_a_screen(
    opened_by: str, size: tuple[int, int]
) -> None:
    _, app = await opened()
    async with app.run_test(size=(90, 24)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await pilot.resize_terminal(*size)
        await pilot.press(*([*opened_by, "enter"] if opened_by[0] == "/" else [opened_by]))
        await until(pilot, lambda: not app.is_main)
        await pilot.press("down", "escape")
        await until(pilot, lambda: app.is_main)
