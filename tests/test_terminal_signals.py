"""Titles, progress and notifications: the right bytes for the terminal, and nothing else."""

from __future__ import annotations

import pytest

from agent_cockpit.terminal_signals import (
    channel_of,
    has_window,
    notification,
    progress,
    shows_progress,
    title,
)

XTERM = {"TERM": "xterm-256color"}


@pytest.mark.parametrize(
    ("setting", "environ", "channel"),
    [
        ("auto", XTERM, "bell"),
        ("auto", {"TERM": "xterm-kitty"}, "osc99"),
        ("auto", {**XTERM, "TERM_PROGRAM": "tmux", "KITTY_WINDOW_ID": "1"}, "osc99"),
        ("auto", {**XTERM, "TERM_PROGRAM": "iTerm.app"}, "osc9"),
        ("auto", {**XTERM, "TERM_PROGRAM": "WezTerm"}, "osc9"),
        ("auto", {"TERM": "foot"}, "osc777"),
        ("auto", {"TERM": "linux", "TERM_PROGRAM": "WezTerm"}, "bell"),
        ("bell", {"TERM": "xterm-kitty"}, "bell"),
        ("osc777", XTERM, "osc777"),
        ("off", {"TERM": "xterm-kitty"}, ""),
    ],
)
def test_the_channel_is_the_one_that_the_terminal_takes(
    setting: str, environ: dict[str, str], channel: str
) -> None:
    assert channel_of(setting, environ) == channel


def test_each_channel_has_its_bytes() -> None:
    assert notification("bell", "x") == "\x07"
    assert notification("osc9", "a: b") == "\x1b]9;a: b\x07"
    assert notification("osc9", "4;1: b") == "\x1b]9;4,1: b\x07"
    assert notification("osc777", "a;b") == "\x1b]777;notify;agent-cockpit;a,b\x07"
    assert notification("osc99", "x") == "\x1b]99;;x\x1b\\"
    assert notification("", "x") == ""


def test_tmux_lets_it_pass_and_marks_its_pane() -> None:
    told = notification("osc9", "x", tmux=True)
    assert told == "\x1bPtmux;\x1b\x1b]9;x\x07\x1b\\\x07"
    assert notification("bell", "x", tmux=True) == "\x07"
    assert progress("busy", tmux=True) == "\x1bPtmux;\x1b\x1b]9;4;3\x07\x1b\\"


@pytest.mark.parametrize(
    "evil", ["\x07\x1b]52;c;aGk=\x07", "a\x1b\\b\nc\x9cd", "\u202e" + "x" * 999]
)
def test_no_text_leaves_its_sequence(evil: str) -> None:
    for told in (title(evil), notification("osc9", evil), notification("osc99", evil)):
        inner = told[3:-1].removesuffix("\x1b")
        assert not any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 for char in inner)
        assert "\u202e" not in told
        assert len(told) < 150


def test_titles_and_progress_go_only_where_they_are_understood() -> None:
    assert has_window(XTERM)
    assert not any(has_window({"TERM": term}) for term in ("dumb", "linux", ""))
    assert shows_progress({**XTERM, "WT_SESSION": "1"})
    assert shows_progress({**XTERM, "VTE_VERSION": "8003"})
    assert not shows_progress({**XTERM, "VTE_VERSION": "7600"})
    assert not shows_progress(XTERM)
