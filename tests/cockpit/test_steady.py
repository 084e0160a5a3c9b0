"""Characters that terminals measure in different ways are written with their place."""

from __future__ import annotations

import pytest
from textual._ansi_sequences import SYNC_END, SYNC_START
from textual.drivers.headless_driver import HeadlessDriver

from agent_cockpit.cockpit.look.steady import steadied, steady_driver


@pytest.mark.parametrize(
    ("character", "cells"),
    [
        ("👨\u200d👩\u200d👧", 2),
        ("❤\ufe0f", 2),
        ("1\ufe0f\u20e3", 2),
        ("🇩🇪", 2),
        ("🚀", 2),
        ("🇩", 1),
    ],
)
def test_a_disputed_character_is_drawn_on_blank_cells_and_left_behind(
    character: str, cells: int
) -> None:
    held = f"\x1b7{' ' * cells}\x1b8\x1b7{character}\x1b8\x1b[{cells}C"
    assert steadied(f"\x1b[1ma─{character}b\n漢") == f"\x1b[1ma─{held}b\n漢"


@pytest.mark.parametrize(
    "written",
    [
        "plain",
        "─│ 漢字 e\u0301 ⚠ ✔",
        "\x1b[38;5;1mm\ufe0f",
        "\x1b]0;a 🚀 title\x07",
        "\x1bP🚀\x1b\\",
        "\ud83d",
    ],
)
def test_everything_else_is_written_as_it_is(written: str) -> None:
    assert steadied(written) == written


def test_the_driver_stays_the_same_one() -> None:
    assert issubclass(steady_driver(HeadlessDriver), HeadlessDriver)


class Slow(HeadlessDriver):
    """Keeps what it was told to write."""

    def __init__(self) -> None:
        self.written: list[str] = []

    def write(self, data: str) -> None:
        self.written.append(data)

    def stop_application_mode(self) -> None:
        self.write("\x1b[?1049l")

    def suspend_application_mode(self) -> None:
        self.stop_application_mode()


def test_a_picture_is_written_at_once_and_everything_else_as_it_comes() -> None:
    driver = steady_driver(Slow)
    assert issubclass(driver, Slow)
    slow = driver()
    for piece in ("\x1b[?25l", SYNC_START, "a 🚀", "b", SYNC_END, "c"):
        slow.write(piece)
    picture = SYNC_START + steadied("a 🚀") + "b" + SYNC_END
    assert slow.written == ["\x1b[?25l", picture, "c"]


@pytest.mark.parametrize("leave", ["stop_application_mode", "suspend_application_mode"])
def test_a_picture_that_broke_off_keeps_back_nothing_of_how_the_terminal_is_left(
    leave: str,
) -> None:
    slow = steady_driver(Slow)()  # type: ignore[call-arg]
    for piece in (SYNC_START, "half a picture"):
        slow.write(piece)
    getattr(slow, leave)()
    assert slow.written == ["\x1b[?1049l"]  # type: ignore[attr-defined]
