"""Replacing text: the same as replacing in plain lines, with every other byte kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.errors import ToolRefused
from agent_cockpit.workspace.editing.replacing import LineShift, Replacement, replace_text

texts = st.lists(st.sampled_from(["a", "b", "ä", "\n", "\r\n", "\r", " "]), max_size=40).map(
    "".join
)
short = st.lists(st.sampled_from(["a", "b", "\n", "\r\n"]), min_size=1, max_size=4).map("".join)


def plain(text: str) -> str:
    return text.replace("\r\n", "\n")


def replaced(text: str, old: str, new: str, *, everywhere: bool) -> Replacement | None:
    try:
        return replace_text(text, old, new, everywhere=everywhere, name="f")
    except ToolRefused:
        return None


@given(texts, short, st.one_of(short, st.just("")))
def test_in_plain_lines_it_is_an_ordinary_replacement(text: str, old: str, new: str) -> None:
    result = replaced(text, old, new, everywhere=True)
    if result is None:
        assert plain(old) == plain(new) or plain(old) not in plain(text)
    elif "\r" not in plain(text):
        assert plain(result.text) == plain(text).replace(plain(old), plain(new))
        assert len(result.spans) == plain(text).count(plain(old))


@given(texts, short, short)
def test_a_file_of_one_kind_of_line_end_keeps_it(text: str, old: str, new: str) -> None:
    crlf = plain(text).replace("\r", "").replace("\n", "\r\n")
    result = replaced(crlf, old, new, everywhere=True)
    if result is not None and "\n" in crlf:
        assert result.text.replace("\r\n", "").count("\n") == 0
    lf = crlf.replace("\r\n", "\n")
    result = replaced(lf, old, new, everywhere=True)
    assert result is None or "\r" not in result.text


@given(texts, texts, short)
def test_what_stands_before_and_after_one_place_is_the_same_text(
    head: str, tail: str, new: str
) -> None:
    result = replaced(f"{head}§{tail}", "§", new, everywhere=False)
    assert result is not None
    assert result.text.startswith(head)
    assert result.text.endswith(tail)


@given(texts, short, short)
def test_one_place_or_none(text: str, old: str, new: str) -> None:
    result = replaced(text, old, new, everywhere=False)
    if plain(old) != plain(new):
        assert (result is not None) == (plain(text).count(plain(old)) == 1)


@given(texts, short, short)
def test_shifts_lead_from_old_lines_to_new_ones(text: str, old: str, new: str) -> None:
    result = replaced(text, old, new, everywhere=True)
    if result is not None:
        grown = sum(shift.delta for shift in result.shifts)
        assert plain(result.text).count("\n") == plain(text).count("\n") + grown or (
            "\r" in plain(text)
        )


@pytest.mark.parametrize(
    ("old", "new", "spans", "shifts"),
    [
        ("b", "x", ((1, 1),), ()),
        ("b\nc", "x", ((1, 2),), (LineShift(1, -1),)),
        ("b\nc\n", "x\n", ((1, 2),), (LineShift(1, -1),)),
        ("b\nc\n", "", ((1, 2),), (LineShift(1, -2),)),
        ("b\nc\n", "x", ((1, 3),), (LineShift(1, -2),)),
        ("\nb", "\nx", ((0, 1),), ()),
        ("d", "d\ne", ((3, 3),), (LineShift(3, 1),)),
    ],
)
def test_spans_are_the_lines_that_a_match_touches(
    old: str, new: str, spans: tuple[tuple[int, int], ...], shifts: tuple[LineShift, ...]
) -> None:
    result = replace_text("a\nb\nc\nd", old, new, name="f")
    assert (result.spans, result.shifts) == (spans, shifts)
