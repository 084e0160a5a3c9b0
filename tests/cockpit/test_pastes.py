"""Long pastes: one chip on the screen, every letter in what is sent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual.pilot import Pilot

from agent_cockpit.cockpit.prompt.pastes import Pastes
from tests.cockpit.test_composer import Host

LONG = "line of text\n" * 10_000
CHIP = "[paste 1 · 10,000 lines]"


async def paste(app: Host, pilot: Pilot[None], text: str) -> None:
    app.composer.focus()
    await pilot.pause()
    app.post_message(events.Paste(text))
    await pilot.pause()


@pytest.mark.parametrize(
    ("text", "chip"),
    [
        (LONG, CHIP),
        ("x" * 200_000, "[paste 1 · 200,000 characters]"),
        ("\r\n".join("abcdefghijkl"), "[paste 1 · 12 lines]"),
    ],
    ids=["many lines", "one long line", "line ends of Windows"],
)
async def test_a_long_paste_is_a_chip(text: str, chip: str) -> None:
    app = Host()
    async with app.run_test() as pilot:
        await paste(app, pilot, text)
        assert app.composer.text == chip
        assert app.sent == []
        await pilot.press("!", "enter")
        assert app.sent == [(text.replace("\r\n", "\n") + "!", "steering")]


async def test_ten_lines_are_shown_as_they_are() -> None:
    app = Host()
    async with app.run_test() as pilot:
        await paste(app, pilot, "\n".join("abcdefghij"))
        assert app.composer.text == "\n".join("abcdefghij")


async def test_the_cursor_steps_over_a_chip_and_a_key_deletes_it() -> None:
    app = Host()
    async with app.run_test() as pilot:
        await paste(app, pilot, LONG)
        await pilot.press("b", "left", "left", "a")
        assert app.composer.text == f"a{CHIP}b"
        await pilot.press("right", "c", "backspace", "backspace")
        assert app.composer.text == "ab"
        await pilot.press("ctrl+underscore", "enter")
        assert app.sent == [(f"a{LONG}b", "steering")]


@pytest.mark.parametrize("key", ["delete", "ctrl+d", "ctrl+w", "alt+delete", "shift+right,delete"])
async def test_no_key_leaves_half_a_chip(key: str) -> None:
    app = Host()
    async with app.run_test() as pilot:
        await paste(app, pilot, LONG)
        await pilot.press("end" if key == "ctrl+w" else "home", *key.split(","))
        await pilot.pause()
        assert app.composer.text == ""


async def test_a_click_into_a_chip_lands_beside_it() -> None:
    app = Host()
    async with app.run_test() as pilot:
        await paste(app, pilot, LONG)
        await pilot.click(app.composer, offset=(3, 0))
        await pilot.press("a")
        assert app.composer.text == f"a{CHIP}"


async def test_a_chip_is_written_out_where_it_stands_and_undone_as_one() -> None:
    app = Host()
    text = "\n".join(str(n) for n in range(20))
    async with app.run_test() as pilot:
        await paste(app, pilot, text)
        await pilot.press("alt+p")
        assert app.composer.text == text
        await pilot.press("ctrl+underscore")
        assert app.composer.text == "[paste 1 · 20 lines]"


async def test_what_comes_back_is_a_chip_again() -> None:
    app = Host()
    async with app.run_test() as pilot:
        await paste(app, pilot, LONG)
        await pilot.press("x", "enter", "up")
        assert app.composer.text == f"{CHIP}x"
        app.composer.put("")
        app.composer.give_back(f"{LONG}x")
        assert app.composer.text == f"{CHIP}x"
        await pilot.press("ctrl+a")
        app.composer.select_all()
        assert app.composer.selected_text == f"{LONG}x"


async def test_a_draft_brings_its_chips_into_the_next_sitting() -> None:
    before, after = Host(), Host()
    async with before.run_test() as pilot:
        await paste(before, pilot, LONG)
        text, pastes = before.composer.draft()
    async with after.run_test() as pilot:
        await paste(after, pilot, "y\n" * 20)
        await pilot.press("enter")
        after.composer.put_draft(text, pastes)
        assert after.composer.text == "[paste 2 · 10,000 lines]"
        await pilot.press("enter")
        assert after.sent[1] == (LONG, "steering")


async def test_text_that_reads_like_a_chip_is_sent_as_it_is() -> None:
    app = Host()
    async with app.run_test() as pilot:
        await paste(app, pilot, LONG)
        await pilot.press("enter")
        await paste(app, pilot, f"see {CHIP}")
        await pilot.press("enter")
        assert app.sent == [(LONG, "steering"), (f"see {CHIP}", "steering")]


@given(st.lists(st.text(min_size=1), max_size=4), st.text())
def test_what_is_held_is_expanded_letter_for_letter(texts: list[str], between: str) -> None:
    pastes = Pastes()
    shown = between.join(pastes.hold(text) for text in texts)
    assert pastes.expand(shown) == between.join(texts)
    assert pastes.expand(pastes.adopt(shown, pastes.within(shown))) == between.join(texts)
