"""Case F08: terminals that can do little, and none at all: clear words, and no raw escapes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.installed import run

pytestmark = pytest.mark.e2e

ODD = {
    "dumb": {"TERM": "dumb", "LANG": "C", "COLUMNS": "5"},
    "no TERM": {"TERM": ""},
    "no colour": {"TERM": "xterm-256color", "NO_COLOR": "1"},
}


@pytest.mark.parametrize("about", ODD)
def test_f08_without_a_terminal_it_says_what_to_do(
    about: str, tmp_path: Path, environ: dict[str, str]
) -> None:
    done = run([tmp_path], tmp_path, environ | ODD[about])
    assert (done.code, done.out) == (2, "")
    assert "the cockpit needs a terminal" in done.err
    assert "\x1b" not in done.err


@pytest.mark.parametrize("word", ["--help", "--version"])
def test_f08_help_is_plain_text(word: str, tmp_path: Path, environ: dict[str, str]) -> None:
    done = run([word], tmp_path, environ | ODD["dumb"])
    assert done.code == 0
    assert "agent-cockpit" in done.out
    assert "\x1b" not in done.out + done.err
