"""Text that arrives in pieces reads the same however it was cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.text import clean, clean_output
from agent_cockpit.transcript.streaming import StreamedClean

HOSTILE = st.text(
    alphabet=st.sampled_from(
        "ab\n\r\t \x1b[]52;cm?h\\P\x07\x00\x90\x9b\x9c\x9d\u202e\u200bé漢👩\u200d\ufe0f1"
    ),
    max_size=60,
)


def streamed(pieces: list[str]) -> str:
    stream = StreamedClean()
    for piece in pieces:
        stream.add(piece)
    return stream.text


@given(st.lists(HOSTILE, max_size=8))
def test_the_cuts_do_not_show(pieces: list[str]) -> None:
    assert streamed(pieces) == streamed(list("".join(pieces))) == clean("".join(pieces))


@given(st.lists(HOSTILE, max_size=8))
def test_every_state_on_the_way_is_clean(pieces: list[str]) -> None:
    stream = StreamedClean()
    for at, piece in enumerate(pieces, start=1):
        stream.add(piece)
        assert stream.text == clean("".join(pieces[:at]))


@given(st.lists(HOSTILE, max_size=12), st.integers(1, 10))
def test_a_tail_is_the_end_of_the_whole(pieces: list[str], keep: int) -> None:
    stream = StreamedClean(keep=keep)
    for piece in pieces:
        stream.add(piece)
    assert stream.text == clean("".join(pieces))[-keep:]


@given(st.lists(HOSTILE, max_size=8))
def test_of_what_a_command_wrote_over_the_last_state_stays(pieces: list[str]) -> None:
    stream = StreamedClean(is_output=True)
    for at, piece in enumerate(pieces, start=1):
        stream.add(piece)
        assert stream.text == clean_output("".join(pieces[:at]))


@pytest.mark.parametrize(
    "text", ["👨\u200d👩\u200d👧 ❤\ufe0f", "🏳\ufe0f\u200d🌈!", "می\u200cخواهم\u200cش"]
)
def test_what_is_joined_stays_joined_letter_by_letter(text: str) -> None:
    assert streamed(list(text)) == text


def test_f10_five_thousand_updates_of_a_line_are_one_line() -> None:
    stream = StreamedClean(keep=8_000, is_output=True)
    stream.add("first\n")
    for number in range(5_000):
        stream.add(f"\r{number} of 5000")
    stream.add("\ndone\n")
    assert stream.text == "first\n4999 of 5000\ndone\n"


def test_a_clipboard_write_cut_in_two_never_shows() -> None:
    assert streamed(["before \x1b]52;c;", "aGVsbG8=", "\x07 after"]) == "before  after"


@pytest.mark.parametrize("size", [1, 1000])
def test_a_string_without_end_does_not_hide_what_follows(size: int) -> None:
    raw = "\x1b]0;" + "title " * 2000 + "the answer"
    pieces = [raw[at : at + size] for at in range(0, len(raw), size)]
    assert streamed(pieces).endswith("the answer")
