"""Server-sent events: the cuts of the network change nothing."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.errors import ProviderError
from agent_cockpit.providers.sse import LONGEST_EVENT_BYTES, EventParser, ServerEvent


def parse(*chunks: bytes) -> list[ServerEvent]:
    parser = EventParser()
    events = [event for chunk in chunks for event in parser.feed(chunk)]
    return events + parser.end()


@pytest.mark.parametrize(
    ("body", "events"),
    [
        (b"data: a\n\n", [("", "a")]),
        (b"data:a\n\n", [("", "a")]),
        (b"data:  a\n\n", [("", " a")]),
        (b"data: a\r\ndata: b\r\n\r\n", [("", "a\nb")]),
        (b"data: a\rdata: b\r\r", [("", "a\nb")]),
        (b": ping\n\n:\n\n", []),
        (b"event: ping\n\n", []),
        (b"event: error\ndata: x\nid: 7\nretry: 3\n\ndata: y\n\n", [("error", "x"), ("", "y")]),
        (b"data\n\n", [("", "")]),
        (b"data: a", [("", "a")]),
        (b"data: a\n", [("", "a")]),
        (b"\xef\xbb\xbfdata: a\n\n", [("", "a")]),
        ("data: \u2028\x85\x0b\n\n".encode(), [("", "\u2028\x85\x0b")]),
        (b"", []),
        (b"\n\n\n", []),
    ],
)
def test_events_are_what_the_standard_says(body: bytes, events: list[tuple[str, str]]) -> None:
    assert parse(body) == events
    for at in range(len(body) + 1):
        assert parse(body[:at], body[at:]) == events
    assert parse(*(body[at : at + 1] for at in range(len(body)))) == events


@given(
    lines=st.lists(
        st.sampled_from(["data: naïve", "data:", "", "", ": c", "event: e", "data: 日本🌍"])
    ),
    end=st.sampled_from(["\n", "\r", "\r\n"]),
    cuts=st.lists(st.integers(0, 400)),
)
def test_cutting_anywhere_changes_nothing(lines: list[str], end: str, cuts: list[int]) -> None:
    body = end.join([*lines, ""]).encode()
    places = sorted({min(cut, len(body)) for cut in cuts} | {0, len(body)})
    chunks = [body[a:b] for a, b in pairwise(places)]

    assert parse(*chunks) == parse(body)


def test_an_event_comes_out_with_the_byte_that_completes_it() -> None:
    parser = EventParser()

    assert parser.feed(b"data: a\n") == []
    assert parser.feed(b"\n") == [("", "a")]


@pytest.mark.parametrize(
    "body", [b"data: \xff\n\n", b"data: \xf0\x9f\x8c", b"data: \xed\xa0\x80\n"]
)
def test_bytes_that_are_no_text_are_an_error_and_not_a_replacement(body: bytes) -> None:
    with pytest.raises(ProviderError, match="no UTF-8"):
        parse(body)


@pytest.mark.parametrize("piece", [b"x" * 64_000, b"data: " + b"x" * 64_000 + b"\n"])
def test_an_endless_event_does_not_fill_the_memory(piece: bytes) -> None:
    parser = EventParser()

    def flood() -> None:
        for _ in range(LONGEST_EVENT_BYTES // 32_000):
            parser.feed(piece)

    with pytest.raises(ProviderError, match="too long"):
        flood()
