"""What calls cost by the prices of the settings."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.rules.prices import cost_of
from agent_cockpit.settings import HarnessConfig
from agent_cockpit.text import money

TOKENS = st.integers(0, 10**9)


@pytest.mark.parametrize(
    ("prices", "cost"),
    [
        ({}, 0),
        ({"price_input": 3}, 3),
        ({"price_output": 15}, 7.5),
        ({"price_input": 3, "price_output": 15}, 10.5),
        ({"price_input": 3, "price_cached": 0.3, "price_output": 15}, 8.34),
        ({"price_input": 3, "price_cached": 0, "price_output": 15}, 8.1),
    ],
)
def test_a_million_tokens_read_of_which_most_were_cached(
    prices: dict[str, Any], cost: float
) -> None:
    config = HarnessConfig(**prices)
    assert cost_of(1_000_000, 500_000, 800_000, config) == pytest.approx(cost)


@given(TOKENS, TOKENS, TOKENS)
def test_no_cost_is_below_nothing_whatever_a_server_counts(
    prompt: int, completion: int, cached: int
) -> None:
    config = HarnessConfig(price_input=1, price_cached=0.1, price_output=2)
    assert cost_of(prompt, completion, cached, config) >= 0


@pytest.mark.parametrize(
    ("dollars", "words"),
    [
        (0, "$0.000"),
        (0.0004, "<$0.001"),
        (0.0042, "$0.004"),
        (0.1, "$0.10"),
        (12.3, "$12.30"),
        (1234.5, "$1234.50"),
    ],
)
def test_money_is_as_exact_as_it_matters(dollars: float, words: str) -> None:
    assert money(dollars) == words
