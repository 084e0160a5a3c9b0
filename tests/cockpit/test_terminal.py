"""The cockpit in a real terminal: bursts in one write, a call that asks while a person types,
and nothing foreign on the wire."""

from __future__ import annotations

import json
import os
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from agent_cockpit.cockpit.consent.quiet import QUIET_S
from tests.support.waiting import WITHIN_S

pty = pytest.importorskip("pty", reason="needs a pseudo-terminal")

ROOT = Path(__file__).parents[2]
KEY_GAP_S = 1 / 15
EDITOR = """\
import pathlib, sys
prompt = pathlib.Path(sys.argv[-1])
prompt.write_text(prompt.read_text() + " \\x1b[31mwell\\n")
"""


class Terminal:
    """A child on its own pseudo-terminal, and what it tells about itself."""

    def __init__(self, told: Path) -> None:
        self._told = told
        editor = told.with_name("editor.py")
        editor.write_text(EDITOR, encoding="utf-8")
        self._master, slave = pty.openpty()
        self._child = subprocess.Popen(
            [sys.executable, "-m", "tests.support.terminal_cockpit", str(told)],
            cwd=ROOT,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={
                **os.environ,
                "TERM": "xterm-256color",
                "EDITOR": shlex.join([sys.executable, str(editor)]),
            },
        )
        os.close(slave)
        self.raw = b""

    def type(self, keys: str | bytes) -> None:
        data = keys if isinstance(keys, bytes) else keys.encode()
        while data:
            data = data[os.write(self._master, data) :]

    @property
    def seen(self) -> dict[str, Any]:
        if not self._told.exists():
            return {"opened": False, "text": "", "calls": [], "is_open": False, "is_lit": False}
        found: dict[str, Any] = json.loads(self._told.read_text(encoding="utf-8"))
        return found

    def read(self, seconds: float) -> None:
        """Take in what the child writes, for this long."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if select.select([self._master], [], [], left)[0]:
                self.raw += os.read(self._master, 65536)

    def wait(self, fact: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """What the child told when a fact held; fails when it does not within some seconds."""
        deadline = time.monotonic() + WITHIN_S
        while time.monotonic() < deadline:
            self.read(0.02)
            if fact(self.seen):
                return self.seen
        raise AssertionError(f"it never came true: {self.seen}")

    def type_in_time(self, words: str) -> bool:
        """Type like a person; whether the machine let all keys come as close as that."""
        longest_s, before_s = 0.0, time.monotonic()
        for letter in words:
            self.type(letter)
            now_s = time.monotonic()
            longest_s, before_s = max(longest_s, now_s - before_s), now_s
            self.read(KEY_GAP_S)
        return longest_s < QUIET_S / 2

    def close(self) -> None:
        self._child.send_signal(signal.SIGKILL)
        self._child.wait()
        os.close(self._master)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    with closing(Terminal(tmp_path / "told.json")) as child:
        yield child


@pytest.mark.parametrize(
    ("burst", "sent"),
    [("abc\x7f\r", "ab"), ("ab\x1b[DX\r", "aXb"), ("a\x0ab\r", "a\nb"), ("a\\\rb\r", "a\nb")],
)
def test_a_burst_in_one_write_acts_in_order(terminal: Terminal, burst: str, sent: str) -> None:
    terminal.wait(lambda seen: seen["opened"])
    terminal.type(burst)
    assert terminal.wait(lambda seen: seen["calls"])["calls"] == [["drive", sent, "steering"]]


def test_a_long_paste_that_comes_in_many_reads_is_one_chip_and_is_never_sent(
    terminal: Terminal,
) -> None:
    terminal.wait(lambda seen: seen["opened"])
    lines = "\x1b[31mline of\x00 text\x1b[0m\r" * 2_000
    for piece in ("\x1b[200~" + lines[:7], lines[7:20_000], lines[20_000:] + "\x1b[201~"):
        terminal.type(piece)
        terminal.read(0.02)
    seen = terminal.wait(lambda seen: seen["text"])
    assert seen["text"] == "[paste 1 · 2,000 lines]"
    assert seen["characters"] == 2_000 * len("line of text\n")
    assert seen["calls"] == []


def test_bytes_that_are_no_text_end_nothing(terminal: Terminal) -> None:
    terminal.wait(lambda seen: seen["opened"])
    terminal.type(b"a\xe9b \x1b[200~caf\xe9\x1b[201~")
    terminal.type(b"\x1b[97;1:3u\x1b[99999999999u!")
    terminal.wait(lambda seen: seen["text"] == "a\ufffdb caf\ufffd!")


def test_typing_while_a_call_asks_stays_typing(tmp_path: Path) -> None:
    words = "yes always run any yaml now"
    for number in range(4):
        with closing(Terminal(tmp_path / f"told-{number}.json")) as terminal:
            terminal.wait(lambda seen: seen["opened"])
            if terminal.type_in_time(words):
                assert_all_was_typing(terminal, words)
                return
    raise AssertionError("this machine is too busy to type on it like a person")


def assert_all_was_typing(terminal: Terminal, words: str) -> None:
    """The call asks, and takes a key only now."""
    seen = terminal.wait(lambda seen: seen["text"] == words)
    assert seen["is_open"]
    assert seen["calls"] == []
    terminal.wait(lambda seen: seen["is_lit"])
    terminal.type("y")
    calls = terminal.wait(lambda seen: seen["calls"])["calls"]
    assert calls == [["resolve", "call-1", True, False, ""]]
    assert terminal.seen["text"] == words


def test_a_paste_is_no_answer_and_what_is_asked_writes_no_escape(terminal: Terminal) -> None:
    terminal.wait(lambda seen: seen["opened"])
    terminal.type("12345")
    terminal.wait(lambda seen: seen["is_lit"])
    terminal.type("\x1b[200~y\ny\n\x1b[201~")
    seen = terminal.wait(lambda seen: seen["text"] == "12345y\ny\n")
    assert seen["calls"] == []
    assert b"aGk=" in terminal.raw
    assert b"\x1b]52" not in terminal.raw
    assert "\u202e".encode() not in terminal.raw
    assert "\x9b".encode() not in terminal.raw


def test_the_editor_gives_the_prompt_back_safe(terminal: Terminal) -> None:
    terminal.wait(lambda seen: seen["opened"])
    terminal.type("say\x07")
    terminal.wait(lambda seen: seen["text"] == "say well")
    terminal.type("!\r")
    calls = terminal.wait(lambda seen: seen["calls"])["calls"]
    assert calls == [["drive", "say well!", "steering"]]
