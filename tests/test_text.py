"""Untrusted text: nothing that a terminal acts on gets through, nothing readable is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from agent_cockpit.text import (
    cell_width,
    clean,
    clean_line,
    has_hidden,
    head_and_tail,
    reveal,
    reveal_line,
    shorten,
)

NASTY = st.text(
    alphabet=st.one_of(
        st.characters(), st.sampled_from("\x1b\x9b\x9d\x07\x90\\[]PX^_;m0123456789\r\n\t\u202e")
    )
)


@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        ("plain, ünïcode 漢字 🙂", "plain, ünïcode 漢字 🙂"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]52;c;aGVsbG8=\x07clip", "clip"),
        ("\x1b]0;title\x1b\\t", "t"),
        ("\x9b31mC1", "C1"),
        ("a\x9d0;t\x9cb", "ab"),
        ("\x1b]never ended, so it is text", "never ended, so it is text"),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("a\x00b\x08c\x7fd", "abcd"),
        ("evil\u202egnp.exe\u202c", "evilgnp.exe"),
        ("lone \ud83d surrogate", "lone \ufffd surrogate"),
        ("family 👩\u200d👧", "family 👩\u200d👧"),
        ("❤\ufe0f 1\ufe0f\u20e3 🏳\ufe0f\u200d🌈", "❤\ufe0f 1\ufe0f\u20e3 🏳\ufe0f\u200d🌈"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("\u200da\u200d 漢\u200d漢 👩\u200d", "a 漢漢 👩"),
        ("\ufe0fa\ufe0f 👩\u200d\u200d👧 x\u200cy", "a 👩👧 xy"),
    ],
)
def test_cleaning_keeps_words_and_drops_what_a_terminal_acts_on(raw: str, safe: str) -> None:
    assert clean(raw) == safe


@given(NASTY)
def test_cleaned_text_holds_no_control_character_and_cleaning_again_changes_nothing(
    text: str,
) -> None:
    safe = clean(text)
    assert not any((ord(c) < 32 and c not in "\n\t") or 0x7F <= ord(c) <= 0x9F for c in safe)
    assert clean(safe) == safe
    safe.encode("utf-8")


@given(NASTY)
def test_revealed_text_hides_nothing(text: str) -> None:
    shown = reveal(text)
    assert not has_hidden(shown)
    assert len(shown) >= len(text)


def test_a_revealed_line_is_one_line_with_its_breaks_written_out() -> None:
    assert reveal_line("a\n\tb  c\u202e") == "a␊␉b  c<U+202E>"


def test_a_line_stays_a_line() -> None:
    assert clean_line(" a\n\x1b[1mb\t c ") == "a b c"


@given(st.text(min_size=0, max_size=300), st.integers(min_value=1, max_value=200))
def test_an_excerpt_has_both_ends_and_says_what_it_left_out(text: str, budget: int) -> None:
    shown = head_and_tail(text, budget)
    if len(text) <= budget:
        assert shown == text
    else:
        assert f"{len(text) - budget} of {len(text)} characters left out" in shown
        assert shown.endswith(text[-(budget - int(budget * 0.4)) :])


def test_wide_characters_take_two_cells_and_marks_none() -> None:
    assert cell_width("a漢e\u0301") == 4


@pytest.mark.parametrize(
    "text",
    [
        "👨\u200d👩\u200d👧",
        "❤\ufe0f",
        "⚠",
        "1\ufe0f\u20e3",
        "👍🏽",
        "👩\u200d❤\ufe0f\u200d💋\u200d👨",
        "🇩🇪",
        "한\u1112\u1161",
    ],
)
def test_joined_characters_are_as_wide_as_the_screen_takes_them(text: str) -> None:
    assert cell_width(f"a{text}b") == cell_len(f"a{text}b")


@given(st.text(st.characters(categories=["L", "P", "Mn", "Sm", "Zs"], max_codepoint=0xFFFF)))
def test_widths_are_those_of_the_screen(text: str) -> None:
    assert cell_width(clean_line(text)) == cell_len(clean_line(text))


@pytest.mark.parametrize(
    ("text", "short"),
    [("abcdef", "abc…"), ("abce\u0301f", "abc…"), ("a👨\u200d👩\u200d👧b", "a…"), ("abcd", "abcd")],
)
def test_what_is_cut_off_is_a_whole_character(text: str, short: str) -> None:
    assert shorten(text, 4) == short
