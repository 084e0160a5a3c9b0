"""The way to a terminal that may take nothing more."""

from __future__ import annotations

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

import os
import pty
import threading
import tty
from collections.abc import Iterator
from pathlib import Path

from agent_cockpit.cockpit.look.patient_output import PatientOutput
from tests.support.waiting import WITHIN_S

MUCH = "x" * 1_000_000


class Line:
    """A terminal whose other end takes what a test tells it to."""

    def __init__(self) -> None:
        self.far, near = pty.openpty()
        tty.setraw(near)
        self.stream = os.fdopen(near, "w")
        self.output = PatientOutput(self.stream)

    def close(self) -> None:
        self.stream.close()
        os.close(self.output.fileno())
        os.close(self.far)


@pytest.fixture
def line() -> Iterator[Line]:
    made = Line()
    yield made
    made.close()


def in_a_thread(line: Line, text: str) -> threading.Thread:
    thread = threading.Thread(target=line.output.write, args=(text,), daemon=True)
    thread.start()
    return thread


def test_all_of_a_long_text_comes_through_a_slow_terminal(line: Line) -> None:
    thread = in_a_thread(line, "漢" + MUCH + "end")
    taken = b""
    while not taken.endswith(b"end"):
        taken += os.read(line.far, 65536)
    thread.join(WITHIN_S)
    assert taken.decode() == "漢" + MUCH + "end"
    assert not line.output.is_lost


def test_what_a_stuck_terminal_does_not_take_in_time_is_dropped(line: Line) -> None:
    thread = in_a_thread(line, MUCH)
    line.output.give_up_in(0.0)
    thread.join(WITHIN_S)
    assert not thread.is_alive()
    assert line.output.is_lost
    line.output.write("and this at once")
    line.output.wait_on()
    assert not line.output.is_lost


def test_a_terminal_that_is_gone_is_waited_for_no_longer() -> None:
    line = Line()
    thread = in_a_thread(line, MUCH)
    os.close(line.far)
    thread.join(WITHIN_S)
    assert line.output.is_lost
    line.stream.close()
    os.close(line.output.fileno())


def test_the_terminal_of_others_keeps_waiting_for_them(line: Line) -> None:
    assert os.get_blocking(line.stream.fileno())
    assert not os.get_blocking(line.output.fileno())


def test_what_is_no_terminal_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w") as stream, pytest.raises(OSError, match="ioctl"):
        PatientOutput(stream)


def test_a_character_that_cannot_be_written_is_its_escape(line: Line) -> None:
    line.output.write("a\ud800b")
    taken = b""
    while len(taken) < 8:
        taken += os.read(line.far, 100)
    assert taken == b"a\\ud800b"
