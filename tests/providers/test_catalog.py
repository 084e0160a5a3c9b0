"""From settings to a voice, or to a sentence that says what to set."""

from __future__ import annotations

from typing import Any

import pytest

from agent_cockpit.errors import SettingsError
from agent_cockpit.providers.catalog import open_provider
from agent_cockpit.settings import HarnessConfig

OPENAI: dict[str, Any] = {"provider": "openai", "model": "m"}


@pytest.mark.parametrize(
    ("settings", "environ", "words"),
    [
        ({}, {}, "agent-cockpit demo"),
        ({"model": "m"}, {}, "--provider openai"),
        ({"provider": "openai"}, {}, "--model NAME"),
        (OPENAI, {}, "no key for https://api.openai.com/v1: set OPENAI_API_KEY"),
        (OPENAI | {"base_url": "https://models.example/v1"}, {}, "set OPENAI_API_KEY"),
        (OPENAI | {"base_url": "nonsense"}, {}, "`nonsense`"),
        (OPENAI | {"api_key": "a b"}, {}, "set OPENAI_API_KEY again"),
    ],
)
def test_what_is_missing_is_named(
    settings: dict[str, Any], environ: dict[str, str], words: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        open_provider(HarnessConfig(**settings), environ=environ)

    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "environ"),
    [
        (OPENAI, {"OPENAI_API_KEY": "k"}),
        (OPENAI | {"api_key": "k"}, {}),
        (OPENAI | {"base_url": "http://127.0.0.1:8080/v1"}, {}),
        (OPENAI | {"base_url": "http://[::1]:8080/v1"}, {}),
        (OPENAI | {"base_url": "http://localhost/v1"}, {}),
        (OPENAI | {"base_url": "http://192.168.1.4:8080/v1"}, {}),
        (OPENAI | {"base_url": "http://gpu-box:8080/v1"}, {}),
        ({"base_url": "http://127.0.0.1:1/v1", "model": "m"}, {}),
    ],
)
def test_an_openai_voice_opens_without_connecting(
    settings: dict[str, Any], environ: dict[str, str]
) -> None:
    provider = open_provider(HarnessConfig(**settings, context_window=8000), environ=environ)

    assert (provider.name, provider.model, provider.context_window) == ("openai", "m", 8000)


def test_the_demo_needs_nothing() -> None:
    assert open_provider(HarnessConfig(provider="demo"), environ={}).name == "demo"
