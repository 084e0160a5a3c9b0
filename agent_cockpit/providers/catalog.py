"""Settings to a voice: which provider, with what; and what to set when something is missing."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from urllib.parse import urlsplit

from agent_cockpit.errors import SettingsError
from agent_cockpit.providers.protocol import Provider
from agent_cockpit.settings import HarnessConfig

DEFAULT_BASE_URL = "https://api.openai.com/v1"
KEY_VARIABLE = "OPENAI_API_KEY"


def open_provider(config: HarnessConfig, *, environ: Mapping[str, str] = os.environ) -> Provider:
    """The voice that the settings name; nothing is connected yet.

    A `base_url` without a provider means an OpenAI-compatible server. Raises `SettingsError`
    that says what to set.
    """
    if config.provider == "demo":
        from agent_cockpit.providers.demo.voice import DemoProvider

        return DemoProvider()
    if not config.provider and not config.base_url:
        raise SettingsError(
            "no model is set: give --provider openai and --model NAME (with --base-url URL for a "
            "server of your own), or try `agent-cockpit demo`, which needs no key"
        )
    return _openai(config, environ)


def _openai(config: HarnessConfig, environ: Mapping[str, str]) -> Provider:
    from agent_cockpit.providers.openai import OpenAIProvider

    base_url = config.base_url or DEFAULT_BASE_URL
    if not config.model:
        raise SettingsError(f"no model is chosen for {base_url}: give --model NAME")
    provider = OpenAIProvider(
        model=config.model,
        base_url=base_url,
        api_key=config.api_key or environ.get(KEY_VARIABLE),
        temperature=config.temperature,
        timeout_s=config.request_timeout_seconds,
        idle_timeout_s=config.request_idle_timeout_seconds,
        context_window=config.context_window,
    )
    if not (config.api_key or environ.get(KEY_VARIABLE)) and not _is_near(base_url):
        raise SettingsError(f"no key for {base_url}: set {KEY_VARIABLE}")
    return provider


def _is_near(base_url: str) -> bool:
    """Servers on this machine or in a private network need no key."""
    host = urlsplit(base_url).hostname or ""
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal")):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host
    return address.is_private
