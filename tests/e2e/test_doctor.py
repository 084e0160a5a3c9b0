"""The doctor in a real pseudo-terminal: it asks, hears the answer, and leaves nothing behind."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.e2e.installed import COMMAND, clean_environment

pexpect = pytest.importorskip("pexpect")

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there"),
]


@pytest.mark.parametrize(
    ("answer", "words"),
    [("\x1b[?1u\x1b[?62;4c", "kitty protocol"), ("\x1b[?62;4c", "no kitty"), ("", "no kitty")],
)
def test_a_terminal_is_asked_about_its_keys(tmp_path: Path, answer: str, words: str) -> None:
    environ = clean_environment(tmp_path) | {"TERM": "xterm-256color"}
    child = pexpect.spawn(
        str(COMMAND), ["doctor"], cwd=tmp_path, env=environ, encoding="utf-8", dimensions=(40, 120)
    )
    child.expect_exact("\x1b[?u\x1b[c", timeout=30)
    child.send(answer)
    told = child.read()
    child.wait()
    assert child.exitstatus == 0, told
    assert words in told
    assert "62;4c" not in told, "the answer is not echoed"
