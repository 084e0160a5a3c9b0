"""Commands with a slash: what is one, how it is read, and how a person finds them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.rules.meta_commands import (
    COMMANDS,
    MetaCall,
    MetaCommand,
    close_matches,
    find_command,
    help_text,
    is_meta,
    parse,
    unknown_text,
)

LAMP = MetaCommand("lamp", "/lamp NAME", "light another lamp", ("light",), "cockpit")
ALL = (*COMMANDS, LAMP)


@pytest.mark.parametrize(
    ("text", "meta"),
    [
        ("/help", True),
        ("/", True),
        ("/usr/bin/x is broken", True),
        (" /help", False),
        ("\n/help", False),
        ("help", False),
        ("", False),
        ("a / b", False),
    ],
)
def test_only_a_slash_at_the_very_beginning_makes_a_command(text: str, meta: bool) -> None:
    assert is_meta(text) is meta


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("/", MetaCall("help", "")),
        ("/help", MetaCall("help", "")),
        ("/HELP", MetaCall("help", "")),
        ("/exit", MetaCall("quit", "")),
        ("/ plan", MetaCall("help", "")),
        ("/mode edit", MetaCall("mode", "edit")),
        ("/Mode   Test_Only  ", MetaCall("mode", "Test_Only")),
        ("/mode\tedit", MetaCall("mode", "edit")),
        ("/mode\nedit\nplan", MetaCall("mode", "edit\nplan")),
        ("/permissions revoke 2", MetaCall("permissions", "revoke 2")),
        ("/usr/bin/X is broken", MetaCall("usr/bin/x", "is broken")),
        ("//help", MetaCall("/help", "")),
        ("no command", MetaCall("help", "")),
    ],
)
def test_a_command_is_a_word_and_the_rest(text: str, call: MetaCall) -> None:
    assert parse(text) == call


def test_a_front_end_may_have_commands_of_its_own() -> None:
    assert parse("/light dark", ALL) == MetaCall("lamp", "dark")
    assert find_command("lamp", ALL) == find_command("light", ALL) == LAMP
    assert find_command("lamp") is None
    assert "/lamp NAME" in help_text(ALL)
    assert "lamp" in close_matches("lam", ALL)


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("hlep", "help"),
        ("pla", "plan"),
        ("m", "mode"),
        ("QUIT ", "quit"),
        ("permission", "permissions"),
    ],
)
def test_a_slip_of_the_fingers_finds_the_command(typed: str, first: str) -> None:
    assert close_matches(typed)[0] == first


@pytest.mark.parametrize("typed", ["usr/bin/python", "", "zzzz"])
def test_what_is_like_no_command_suggests_none(typed: str) -> None:
    assert close_matches(typed) == ()


def test_an_unknown_command_says_what_to_do() -> None:
    assert unknown_text("hlep") == (
        "unknown command: /hlep. Did you mean /help? To send it as text, begin with a space."
    )
    assert "/help lists the commands" in unknown_text("usr/bin/python")


@given(st.text())
def test_whatever_is_typed_is_answered_in_one_short_safe_line(text: str) -> None:
    answer = unknown_text(parse("/" + text).name)
    assert len(answer) < 250
    assert "\n" not in answer
    assert "\x1b" not in answer


def test_a_pasted_line_is_answered_at_once_and_shortly() -> None:
    assert len(unknown_text("a" * 2_000_000)) < 250


def test_the_help_has_one_line_for_each_way_to_write_a_command_in_columns() -> None:
    lines = help_text().splitlines()
    assert len(lines) == len(COMMANDS)
    for line, command in zip(lines, COMMANDS, strict=True):
        assert line.startswith(command.usage)
        assert line.endswith("  " + command.words)
    columns = {len(line) - len(each.words) for line, each in zip(lines, COMMANDS, strict=True)}
    assert len(columns) == 1
    assert help_text(()) == ""


def test_each_command_is_written_as_it_is_named() -> None:
    for command in COMMANDS:
        assert command.usage.split()[0] == f"/{command.name}"
        assert parse(command.usage).name == command.name
