"""Every key of the panel in a real terminal, with hostile text in every field of a call."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pty", reason="needs a pseudo-terminal")

from tests.support.terminal import Terminal
from tests.support.waiting import WITHIN_S

SIZES = [(120, 40), (80, 24), (40, 15)]
SIZE_NAMES = ("COLUMNS", "LINES")
FORBIDDEN = (b"\x1b]52", b"\x1b]0;T", b"gnp.elif\xe2\x81\xa6", b"\xe2\x80\xae", b"\xc2\x9b")
UNSEEN = ("\u202e", "\u2066", "\u200b", "\x9b")


class Consent:
    """The cockpit with a call that asks, on a terminal of this size."""

    def __init__(self, folder: Path, kind: str, size: tuple[int, int]) -> None:
        self.told = folder / "told.json"
        command = [sys.executable, "-m", "tests.support.terminal_consent", str(self.told), kind]
        environ = {name: value for name, value in os.environ.items() if name not in SIZE_NAMES}
        self.terminal = Terminal(command, environ=environ, columns=size[0], rows=size[1])

    def wait(self, fact: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        deadline = time.monotonic() + WITHIN_S
        seen: dict[str, Any] = {}
        while time.monotonic() < deadline:
            if self.told.exists():
                seen = json.loads(self.told.read_text(encoding="utf-8"))
                if fact(seen):
                    return seen
            time.sleep(0.02)
        raise AssertionError(f"it never came true: {seen}\n{self.terminal.screen()}")

    def keys(self, text: str) -> None:
        """Press these, each once the panel takes keys."""
        for letter in text:
            self.wait(lambda seen: seen["is_lit"])
            self.terminal.send(letter)
            time.sleep(0.05)

    @property
    def text(self) -> str:
        return "\n".join(self.terminal.screen())


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("kind", ["command", "edit"])
def test_every_key_of_the_panel_shows_what_it_does(
    tmp_path: Path, kind: str, size: tuple[int, int]
) -> None:
    consent = Consent(tmp_path, kind, size)
    with consent.terminal as terminal:
        consent.wait(lambda seen: seen["is_lit"])
        terminal.wait_for(lambda rows: "<U+" in "".join(rows))
        if kind == "command":
            consent.keys("y")
            terminal.wait_for(lambda rows: "TAIL" in "".join(rows))
        consent.keys("v")
        consent.wait(lambda seen: seen["is_whole"])
        terminal.press("down", "pagedown", "up", "pageup", "right", "left")
        terminal.send("\x1b[F")
        terminal.wait_for(lambda rows: "<U+" in "".join(rows))
        consent.keys("v")
        consent.wait(lambda seen: not seen["is_whole"])
        consent.keys("r")
        consent.wait(lambda seen: seen["is_writing"])
        terminal.send("why not")
        terminal.press("escape")
        consent.wait(lambda seen: not seen["is_writing"])
        consent.keys("e")
        consent.wait(lambda seen: seen["is_writing"])
        terminal.press("escape")
        consent.wait(lambda seen: not seen["is_writing"] and seen["is_lit"])
        assert consent.wait(lambda _: True)["calls"] == []
        if kind == "edit":
            consent.keys("] y")
            kept = [0]
            expected = ["resolve", "call-1", True, False, "", {"kept": kept}]
        else:
            terminal.press("left")
            consent.keys("a")
            expected = ["resolve", "call-1", True, False, "", {"scope": "turn"}]
        answered = consent.wait(lambda seen: seen["calls"])
        assert answered["calls"] == [expected]
        assert answered["text"] == ""
        assert not [hidden for hidden in UNSEEN if hidden in consent.text]
        assert not [sequence for sequence in FORBIDDEN if sequence in bytes(terminal.raw)]


@pytest.mark.parametrize("key", ["\x1b", "\x03", "n"])
def test_each_no_is_a_no(tmp_path: Path, key: str) -> None:
    consent = Consent(tmp_path, "edit", (80, 24))
    with consent.terminal as terminal:
        consent.wait(lambda seen: seen["is_lit"])
        terminal.send(key)
        answered = consent.wait(lambda seen: seen["calls"])
        assert answered["calls"] == [["resolve", "call-1", False, False, ""]]
