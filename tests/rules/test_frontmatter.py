"""The few lines of `key: value` that a file may begin with."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.rules.model.frontmatter import flag, frontmatter


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("name: x", {"name": "x"}),
        ("name:", {"name": ""}),
        ("name : x", {"name": "x"}),
        ("when_to_use: now", {"when-to-use": "now"}),
        ("Name: x", {"name": "x"}),
        ("a: b: c", {"a": "b: c"}),
        ("url: http://x/#y", {"url": "http://x/#y"}),
        ("a: b # why", {"a": "b"}),
        ("a: 'it''s # so'", {"a": "it's # so"}),
        ('a: "line\\nend \\"q\\""', {"a": 'line\nend "q"'}),
        ("a: one\n  two\n  three", {"a": "one two three"}),
        ("a: >\n  one\n  two\nb: c", {"a": "one two", "b": "c"}),
        ("a: |\n  one\n  two", {"a": "one\ntwo"}),
        ("a: >-\n  one\n\n  two", {"a": "one  two"}),
        ("# a comment\na: b", {"a": "b"}),
        ("tags:\n- one\n- two\na: b", {"tags": "- one - two", "a": "b"}),
        ("meta:\n  deep: 1\na: b", {"meta": "deep: 1", "a": "b"}),
        ("", {}),
    ],
)
def test_fields_are_read(lines: str, expected: dict[str, str]) -> None:
    assert frontmatter(f"---\n{lines}\n---\nbody\n") == (expected, "body\n")


@pytest.mark.parametrize("text", ["", "body", "# title\n---\n", " ---\nname: x\n---\n"])
def test_without_an_opening_line_there_are_no_fields(text: str) -> None:
    assert frontmatter(text) == ({}, text)


def test_a_byte_order_mark_and_dots_are_no_hindrance() -> None:
    assert frontmatter("\ufeff---\nname: x\n...\nbody") == ({"name": "x"}, "body")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("---\nname: x\n", "no closing ---"),
        ("---", "no closing ---"),
        ("---\nname: x\nwhat is this\n---\n", "line 3 of its frontmatter"),
        ("---\n{name: x}\n---\n", "line 2 of its frontmatter"),
    ],
)
def test_what_cannot_be_read_is_said(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        frontmatter(text)


@given(st.text(alphabet="ab:- |>'\"#\n\\", max_size=80))
def test_any_text_gives_fields_or_a_reason(text: str) -> None:
    try:
        fields, body = frontmatter(f"---\n{text}\n---\nbody")
    except ValueError:
        return
    assert body.endswith("body")
    assert all(isinstance(value, str) for value in fields.values())


@pytest.mark.parametrize(
    ("word", "expected"),
    [("true", True), ("Yes", True), ("off", False), ("FALSE", False), ("", None)],
)
def test_a_flag_is_yes_or_no_or_its_default(word: str, expected: bool | None) -> None:
    for default in (True, False):
        wanted = default if expected is None else expected
        assert flag({"a": word}, "a", default=default) is wanted
    assert flag({}, "a", default=True)


def test_another_word_is_no_flag() -> None:
    with pytest.raises(ValueError, match="user-invocable is true or false, not 'maybe'"):
        flag({"user-invocable": "maybe"}, "user-invocable", default=True)
