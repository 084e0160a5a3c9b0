"""What model calls cost, at the prices that a person set."""

from __future__ import annotations

from agent_cockpit.settings import HarnessConfig

_PER = 1_000_000
"""Prices are for so many tokens, as every price list says them."""


def cost_of(prompt: int, completion: int, cached: int, config: HarnessConfig) -> float:
    """In the currency of the prices; 0 without prices. `cached` tokens are part of `prompt`,
    and cost what others do where no price of their own is set."""
    read = config.price_input or 0.0
    again = read if config.price_cached is None else config.price_cached
    cached = min(cached, prompt)
    written = completion * (config.price_output or 0.0)
    return ((prompt - cached) * read + cached * again + written) / _PER
