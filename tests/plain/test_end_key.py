"""Ctrl+D in plain lines, at a real terminal: it leaves where no goal runs, whenever it comes."""

from __future__ import annotations

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

import os
import pty
import threading
from collections.abc import Iterator
from pathlib import Path

from agent_cockpit.plain.front import PlainFront
from agent_cockpit.plain.reading import Lines
from tests.plain.paper import Paper
from tests.support.goals import Folder, writes
from tests.support.scripted_provider import says
from tests.support.waiting import WITHIN_S

END_KEY = b"\x04"
pytestmark = pytest.mark.timeout(120)


class Terminal:
    """Both ends of one, and a person who presses the end key again when nothing comes of it."""

    def __init__(self) -> None:
        self.person_end, self.own_end = pty.openpty()
        self.pressed_again = False
        self._is_over = threading.Event()
        self._patience = threading.Thread(target=self._press_again)

    def press(self, keys: bytes) -> None:
        os.write(self.person_end, keys)

    def begin(self) -> None:
        self._patience.start()

    def end(self) -> None:
        self._is_over.set()
        self._patience.join()

    def _press_again(self) -> None:
        while not self._is_over.wait(WITHIN_S):
            self.pressed_again = True
            self.press(END_KEY)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    made = Terminal()
    yield made
    os.close(made.own_end)
    os.close(made.person_end)


class Pressing(Paper):
    """A paper on which some words make the person press a key at once."""

    def __init__(self, terminal: Terminal, words: str) -> None:
        super().__init__()
        self._terminal, self._words = terminal, words

    def write(self, text: str) -> int:
        if self._words in text:
            self._terminal.press(END_KEY)
        return super().write(text)


def test_it_leaves_between_the_end_of_a_goal_and_the_next_prompt(
    tmp_path: Path, terminal: Terminal
) -> None:
    repl = Folder(tmp_path).sitting(writes(), says("done"))
    paper = Pressing(terminal, "verified")
    terminal.press(b"make a.txt good\n")
    terminal.begin()
    try:
        PlainFront(repl, lines=Lines(terminal.own_end), out=paper, quiet_s=0).run()
    finally:
        terminal.end()
    assert "verified" in paper.getvalue()
    assert not terminal.pressed_again


def test_it_does_nothing_while_a_goal_runs(tmp_path: Path, terminal: Terminal) -> None:
    repl = Folder(tmp_path).sitting(writes(), says("done"))
    paper = Pressing(terminal, "write a.txt")
    terminal.press(b"make a.txt good\n")

    def leave() -> None:
        paper.wait_for("verified")
        terminal.press(END_KEY)

    closing = threading.Thread(target=leave)
    closing.start()
    try:
        PlainFront(repl, lines=Lines(terminal.own_end), out=paper, quiet_s=0).run()
    finally:
        closing.join()
    assert "verified" in paper.getvalue()


def test_it_is_heard_when_it_came_before_the_line_could_be_edited(terminal: Terminal) -> None:
    lines = Lines(terminal.own_end)
    lines._edits = True
    terminal.press(END_KEY)
    assert lines.prompt("> ") is None
