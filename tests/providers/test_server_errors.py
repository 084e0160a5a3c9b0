"""Refusals in the person's words, and how long to wait."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.providers.server_errors import (
    Address,
    error_in_stream,
    page,
    refusal,
    retry_after,
    words_of,
)
from agent_cockpit.text import clean_line

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ADDRESS = Address(url="https://x/v1", model="m", key="topsecretkey")


@pytest.mark.parametrize(
    ("headers", "wait_s"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "86400"}, 86400),
        ({"retry-after": "2, 5"}, 2),
        ({"retry-after": "Thu, 01 Jan 2026 00:00:09 GMT"}, 9),
        ({"retry-after": "Wed, 31 Dec 2025 23:00:00 GMT"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "0"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "Wed, 99 Foo 2026 99:99:99 GMT"}, None),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1m6s"}, 66),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "250ms"}, 0.25),
        ({"x-ratelimit-remaining-tokens": "7", "x-ratelimit-reset-tokens": "9s"}, None),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "later"}, None),
    ],
)
def test_the_servers_wish_is_read_in_all_its_forms(
    headers: dict[str, str], wait_s: float | None
) -> None:
    assert retry_after(headers, now=NOW) == wait_s


@given(st.text(max_size=60))
def test_a_wish_is_a_finite_time_above_zero_or_none(value: str) -> None:
    wait_s = retry_after({"retry-after": value}, now=NOW)

    assert wait_s is None or 0 < wait_s < float("inf")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('{"error": {"message": "no"}}', "no"),
        ('{"error": "no"}', "no"),
        ('{"message": "no"}', "no"),
        ('{"detail": [{"loc": ["x"], "msg": "no"}]}', "no"),
        ('[{"error": {"message": "no"}}]', "no"),
        ('{"error": {"code": 400, "type": "bad_thing"}}', "bad_thing"),
        ("<html><style>p{}</style><h1>502</h1></html>", "502"),
        ("plain", "plain"),
        ("{}", ""),
        ("", ""),
    ],
)
def test_words_are_found_in_every_shape(body: str, words: str) -> None:
    assert words_of(body).strip() == words


@pytest.mark.parametrize(
    ("url", "page_advice", "doubts_the_address"),
    [
        ("https://x", "set base_url to its address with `/v1`", True),
        ("https://x/v1", "set base_url to where the API is", False),
        ("https://x/v1beta/", "set base_url to where the API is", False),
    ],
)
def test_no_advice_asks_for_what_the_address_has(
    url: str, page_advice: str, doubts_the_address: bool
) -> None:
    address = Address(url=url, model="m")

    assert str(page(address)).endswith(page_advice)
    unknown = refusal(address, 404, {}, "", now=NOW)
    assert ("base_url" in str(unknown)) is doubts_the_address


@given(st.text(max_size=300), st.sampled_from([301, 400, 401, 402, 404, 413, 418, 429, 500, 503]))
def test_no_refusal_shows_a_key_a_control_character_or_a_novel(body: str, status: int) -> None:
    error = refusal(
        ADDRESS,
        status,
        {},
        body + " topsecret\u200ekey topsecretkey \x1b[2J sk-abcdef123456",
        now=NOW,
    )

    assert "topsecretkey" not in str(error)
    assert "sk-abcdef" not in str(error)
    assert clean_line(str(error)) == str(error)
    assert len(str(error)) < 600


@pytest.mark.parametrize(
    "error", [None, "", {}, [], {"message": None}, {"code": 500}, 3, {"error": {"a": {"b": {}}}}]
)
def test_an_error_object_of_any_shape_has_words(error: object) -> None:
    assert "model server" in str(error_in_stream(ADDRESS, error))
