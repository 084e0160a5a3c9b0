"""What is being named at the cursor, and what takes its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.rules.completion import (
    Accepted,
    Wanted,
    accept_file,
    argument_patterns,
    arguments_of,
    wanted_at,
)
from agent_cockpit.rules.grounding import references


def at(marked: str, *, is_first: bool = True) -> Wanted | None:
    """What is wanted in a line whose cursor is written as `|`."""
    column = marked.index("|")
    return wanted_at(marked.replace("|", "", 1), column, is_first=is_first)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("see @|", Wanted("file", "", 4, 5)),
        ("see @src/ma|", Wanted("file", "src/ma", 4, 11)),
        ("see @src/ma|in.py now", Wanted("file", "src/ma", 4, 16)),
        ("see @calc.py:10-|", Wanted("file", "calc.py", 4, 16, lines=":10-")),
        ('see @"my no|', Wanted("file", "my no", 4, 11)),
        ('see @"my no|tes.md" now', Wanted("file", "my no", 4, 18)),
        ("me@host|", None),
        ("see @calc.py |", None),
        ("nothing|", None),
        ("/mo|", Wanted("command", "mo", 0, 3)),
        ("/|", Wanted("command", "", 0, 1)),
        ("/mode pl|", Wanted("argument", "pl", 6, 8, command="mode")),
        ("/mode |", Wanted("argument", "", 6, 6, command="mode")),
        (
            "/boundary clear a|",
            Wanted("argument", "a", 16, 17, command="boundary", behind="clear"),
        ),
        ("/boundary a 1-2 x|", None),
        (" /mode|", None),
    ],
)
def test_what_is_named_at_the_cursor(line: str, wanted: Wanted | None) -> None:
    assert at(line) == wanted


def test_a_command_stands_in_the_first_line_only() -> None:
    assert at("/mo|", is_first=False) is None


@pytest.mark.parametrize(
    ("line", "path", "accepted"),
    [
        ("see @ca|", "calc.py", Accepted("@calc.py ")),
        ("see @ca| now", "calc.py", Accepted("@calc.py")),
        ("see @ca:10-20|", "calc.py", Accepted("@calc.py:10-20 ")),
        ("see @ca:10-|", "calc.py", Accepted("@calc.py:10 ")),
        ("@no|", "my notes.md", Accepted('@"my notes.md" ')),
        ("@no:3|", "my notes.md", Accepted('@"my notes.md":3 ')),
        ("@sr|", "src/", Accepted("@src/")),
        ("@my|", "my folder/", Accepted('@"my folder/"', back=1)),
        ("@q|", 'a "quoted" name', None),
    ],
)
def test_what_takes_its_place(line: str, path: str, accepted: Accepted | None) -> None:
    wanted = at(line)
    assert wanted is not None
    assert accept_file(wanted, path, line.replace("|", "")) == accepted


@given(st.text(min_size=1, max_size=12).filter(lambda path: not path.endswith("/")))
def test_what_was_accepted_is_read_as_that_file(path: str) -> None:
    accepted = accept_file(Wanted("file", "x", 0, 2, lines=":4-9"), path, "@x")
    if accepted is not None:
        (reference,) = references(accepted.text)
        assert (reference.path, reference.first_line, reference.last_line) == (path, 4, 9)


@pytest.mark.parametrize(
    ("usage", "patterns"),
    [
        ("/help", []),
        ("/diff [goal|head]", [("goal",), ("head",)]),
        ("/mode <edit|plan|auto>", [("edit",), ("plan",), ("auto",)]),
        ("/permissions [revoke N]", [("revoke", "N")]),
        ("/compact [what to keep]", []),
        ("/skill NAME [ARGUMENTS]", [("NAME", "ARGUMENTS")]),
        ("/boundary clear [PATH]", [("clear", "PATH")]),
    ],
)
def test_usages_say_what_may_follow(usage: str, patterns: list[tuple[str, ...]]) -> None:
    assert argument_patterns(usage) == patterns


def test_arguments_come_from_every_line_of_the_table() -> None:
    boundary = at("/boundary |")
    assert boundary is not None
    assert arguments_of(boundary) == ("PATH", "clear")
    clear = at("/boundary clear |")
    assert clear is not None
    assert arguments_of(clear) == ("PATH",)
