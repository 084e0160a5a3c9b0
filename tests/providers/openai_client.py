"""A client for the tests of the OpenAI-compatible voice."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest

from agent_cockpit.errors import ProviderError
from agent_cockpit.events.messages import Message
from agent_cockpit.providers.openai import OpenAIProvider
from agent_cockpit.providers.protocol import (
    ModelRequest,
    Piece,
    Text,
    ToolSchema,
)
from tests.support.chat_server import (
    ChatServer,
    ScriptItem,
)

KEY = "sk-very-secret-1234567890"
REQUEST = ModelRequest(
    messages=(Message.of("system", "Be brief."), Message.of("user", "Say hello.")),
    tools=(ToolSchema("read_file", "Read a file.", {"type": "object", "properties": {}}),),
)


@contextlib.asynccontextmanager
async def voice(base_url: str, **settings: Any) -> AsyncIterator[OpenAIProvider]:
    fixed: dict[str, Any] = {"model": "test-model", "api_key": KEY, "timeout_s": 5}
    provider = OpenAIProvider(base_url=base_url, **(fixed | {"idle_timeout_s": 5} | settings))
    try:
        yield provider
    finally:
        await provider.aclose()


async def answer(server: ChatServer, **settings: Any) -> list[Piece]:
    async with voice(server.base_url, **settings) as provider:
        return [piece async for piece in provider.stream(REQUEST)]


async def fault(base_url: str, **settings: Any) -> ProviderError:
    async with voice(base_url, **settings) as provider:
        with pytest.raises(ProviderError) as caught:
            async for _ in provider.stream(REQUEST):
                pass
    assert KEY not in str(caught.value)
    return caught.value


async def fault_of(item: ScriptItem, **settings: Any) -> ProviderError:
    with ChatServer([item]) as server:
        return await fault(server.base_url, **settings)


def text(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces if isinstance(piece, Text))


async def drain(provider: OpenAIProvider) -> list[Piece]:
    return [piece async for piece in provider.stream(REQUEST)]
