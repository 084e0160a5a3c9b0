"""Command lines that need no parser are understood as it understands them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.cli.parser import parse
from agent_cockpit.cli.quick import understood
from agent_cockpit.errors import PersonCanAct

WORDS = [
    *("demo", "run", "replay", "sessions", ".", "./run", "sub", "a b", "", " ", "-", "--", "-x"),
    *("--provider", "demo", "openai", "--base-url", "http://h/v1", "--model", "m", "--sandbox"),
    *("none", "bwrap", "--log", "l.jsonl", "--allow-dirty", "--auto", "--resume", "-r", "4a"),
    *("--continue", "-c", "-cr", "--mode", "plan", "edit", "fast", "--plain", "--workspace", "w"),
    *("--output", "json", "xml", "--allow", "run_command", "--model=m", "--prov", "--help"),
]


@given(st.lists(st.sampled_from(WORDS), max_size=6))
def test_what_needs_no_parser_is_what_the_parser_says(words: list[str]) -> None:
    quick = understood(words)
    if quick is not None:
        said = parse(words)
        assert (type(said), said) == (type(quick), quick)


@pytest.mark.parametrize(
    "line",
    [
        "",
        ".",
        "demo",
        "demo --plain",
        "-c",
        "--continue --plain",
        "--resume 4a",
        "--provider demo --model m --mode plan --auto sub",
        "--sandbox none --log l.jsonl",
        "run goal --output json --workspace w --mode edit --allow-dirty",
    ],
)
def test_an_ordinary_start_needs_no_parser(line: str) -> None:
    words = line.split()
    assert understood(words) == parse(words)


@pytest.mark.parametrize(
    "line", ["a b", "-c -r 4a", "-c --log l", "--mode fast", "--model", "--nope", "run", "-c -c"]
)
def test_what_is_not_plain_is_left_to_the_parser(line: str) -> None:
    assert understood(line.split()) is None


def test_the_parser_names_the_mistake() -> None:
    with pytest.raises(PersonCanAct, match="fast"):
        parse(["--mode", "fast"])
