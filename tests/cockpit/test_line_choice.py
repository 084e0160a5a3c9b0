"""Lines of the transcript, chosen with the keyboard: what is copied, whatever happens between."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from agent_cockpit.events import harness as h
from agent_cockpit.events import sitting as s
from tests.cockpit.screen import text_of, until
from tests.cockpit.test_blocks import Page
from tests.cockpit.test_transcript import notices, screen, settled
from tests.cockpit.transcript_host import Host
from tests.transcript.stories import fixed_test

WRAPPED = "Some words that wrap wherever the page ends, and then go on for quite a while longer."


async def pointed(pilot: Pilot[None], host: Host, key: int) -> None:
    """The keyboard is in the transcript, and this block is pointed at."""
    await settled(pilot)
    host.screen.set_focus(host.view)
    host.view.point_at(key)


def chosen(host: Host) -> list[str]:
    return (host.screen.get_selected_text() or "").split("\n")


async def test_a_selection_grows_and_shrinks_by_lines_over_the_borders_of_blocks() -> None:
    host = Host([*notices(3), h.ModelUpdate(delta="one\n\n- two\n- three"), h.TurnEnd()])
    async with host.run_test(size=(80, 24)) as pilot:
        await pointed(pilot, host, 1)
        await pilot.press("shift+down")
        assert chosen(host) == ["notice 1"]
        await pilot.press("shift+down", "shift+down")
        assert chosen(host) == ["notice 1", "notice 2", "", "one"]
        assert host.view.cursor.key == 3
        await pilot.press("shift+up", "shift+up", "shift+up")
        assert chosen(host) == ["notice 0", "notice 1"]
        await pilot.press("shift+up", "shift+up")
        assert chosen(host) == ["notice 0", "notice 1"]
        await pilot.press("down")
        assert host.screen.get_selected_text() is None
        assert host.view.cursor.key == 1


async def test_upwards_it_begins_with_the_last_line_of_the_block() -> None:
    host = Host(fixed_test())
    async with host.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        key = next(key for key in range(len(host.transcript)) if "▾ edit" in lines_of(host, key)[0])
        await pointed(pilot, host, key)
        await pilot.press("shift+up", "shift+up")
        assert [line.strip() for line in chosen(host)] == lines_of(host, key)[-2:]


@pytest.mark.parametrize(("key", "at"), [("shift+down", 0), ("shift+up", -1)])
async def test_in_a_block_that_is_longer_than_the_page_it_begins_in_sight(
    key: str, at: int
) -> None:
    host = Host([h.ModelUpdate(delta="\n".join(f"- item {n}" for n in range(200))), h.TurnEnd()])
    async with host.run_test(size=(80, 12)) as pilot:
        await pointed(pilot, host, 0)
        host.view.scroll_to(y=100)
        await settled(pilot)
        before = screen(host)
        await pilot.press(key)
        assert chosen(host) == [before[at].strip("▍ ")]
        assert screen(host) == before


def lines_of(host: Host, key: int) -> list[str]:
    layout = host.view.placed
    assert layout is not None
    return [strip.text.strip() for strip in layout.drawn.lines(key) if strip.text] or [""]


async def test_what_is_chosen_stays_so_at_another_width_and_under_another_fold() -> None:
    host = Host([s.Notice(text=f"{WRAPPED} {number}.") for number in range(20)])
    async with host.run_test(size=(50, 24)) as pilot:
        await pointed(pilot, host, 18)
        await pilot.press("shift+down", "shift+down", "shift+down")
        before = chosen(host)
        assert before[0].startswith("Some words")
        assert len(before) == 2
        assert before[1].startswith("Some words")
        await pilot.resize_terminal(200, 24)
        await settled(pilot)
        assert chosen(host) == [f"{WRAPPED} 18.", f"{WRAPPED} 19."]
        await pilot.resize_terminal(50, 24)
        await settled(pilot)
        host.view.toggle_fold_all()
        host.feed(*notices(3))
        await settled(pilot)
        assert chosen(host) == before
        await pilot.press("shift+down")
        assert len(chosen(host)[1]) > len(before[1])


async def test_lines_of_a_folded_block_are_those_that_it_shows() -> None:
    host = Host(fixed_test())
    async with host.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        row = next(y for y, line in enumerate(screen(host)) if "▸ test" in line)
        layout = host.view.placed
        assert layout is not None
        key = layout.block_at(host.view.scroll_offset.y + row)
        await pointed(pilot, host, key)
        await pilot.press("shift+down")
        (line,) = chosen(host)
        assert line.startswith("▸ test")
        host.view.toggle_fold(key)
        await settled(pilot)
        (line,) = chosen(host)
        assert line.startswith("▾ test")
        await pilot.press("shift+down", "shift+down")
        assert "Ran 1 test" in chosen(host)[-1]


async def test_the_far_end_is_brought_into_sight() -> None:
    host = Host(notices(60))
    async with host.run_test(size=(80, 15)) as pilot:
        await pointed(pilot, host, 58)
        await pilot.press(*["shift+up"] * 30)
        assert chosen(host) == [f"notice {number}" for number in range(29, 59)]
        assert any("notice 29" in line for line in screen(host))


@pytest.mark.parametrize(
    ("keys", "copied"),
    [
        (["ctrl+c"], "notice 1\nnotice 2"),
        (["enter", "c"], "notice 1\nnotice 2"),
        (["enter", "m"], "*notice 1*\n\n*notice 2*"),
    ],
)
async def test_they_are_copied_by_key_and_from_the_menu(keys: list[str], copied: str) -> None:
    page = Page(*notices(3))
    async with page.app.run_test(size=(100, 24)) as pilot:
        await page.shown(pilot, "notice 2")
        await pilot.press("alt+up", "shift+up", "shift+up")
        assert page.app.screen.get_selected_text() == "notice 1\nnotice 2"
        await pilot.press(keys[0])
        if keys[1:]:
            await until(pilot, lambda: "2 lines of 2 blocks" in text_of(page.app))
            await pilot.press(*keys[1:])
        await until(pilot, lambda: page.app.clipboard == copied)
        assert page.app.is_running


async def test_they_are_quoted_alone_and_esc_chooses_nothing() -> None:
    page = Page(*notices(3))
    async with page.app.run_test(size=(100, 24)) as pilot:
        await page.shown(pilot, "notice 2")
        await pilot.press("alt+up", "shift+up", "escape")
        assert page.app.screen.get_selected_text() is None
        await pilot.press("alt+up", "shift+up", "enter")
        await until(pilot, lambda: "1 line of notice" in text_of(page.app))
        await pilot.press("q")
        await until(pilot, lambda: page.app.composer.text == "> notice 2\n")


async def test_what_the_mouse_selects_takes_the_place_of_the_lines() -> None:
    host = Host(notices(10))
    async with host.run_test(size=(80, 24)) as pilot:
        await pointed(pilot, host, 3)
        await pilot.press("shift+down", "shift+down")
        await pilot.mouse_down(host.view, offset=(3, 6))
        await pilot.hover(host.view, offset=(11, 6))
        await pilot.mouse_up(host.view, offset=(11, 6))
        await pilot.pause()
        assert chosen(host) == ["notice 6"]
        host.feed(*notices(1, first=10))
        await settled(pilot)
        assert chosen(host) == ["notice 6"]
        assert host.view.chosen_lines == 0
        await pilot.press("shift+down")
        assert chosen(host) == ["notice 4"]


async def test_after_copying_the_block_is_pointed_at_alone() -> None:
    page = Page(*notices(3))
    async with page.app.run_test(size=(100, 24)) as pilot:
        await page.shown(pilot, "notice 2")
        await pilot.press("alt+up", "shift+up", "shift+up", "ctrl+c")
        await until(pilot, lambda: page.app.clipboard == "notice 1\nnotice 2")
        await pilot.press("enter")
        await until(pilot, lambda: page.app.reading_place == "menu")
        await until(pilot, lambda: "copy as text" in text_of(page.app))
        await pilot.press("c")
        await until(pilot, lambda: page.app.clipboard == "notice 1")
