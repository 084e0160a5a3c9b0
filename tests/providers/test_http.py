"""How a reply is read: word by word at its start, then what came in a frame at once."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx

from agent_cockpit.providers.http import Patience, ServerReply
from agent_cockpit.providers.server_errors import Address

WORD = b'data: {"choices":[{"delta":{"content":"word"}}]}\n\n'
ADDRESS = Address(url="http://127.0.0.1:1/v1", model="m", key="")


async def pauses(*chunks: bytes) -> list[int]:
    """After how many chunks the reading of a reply pauses; all of it is read."""
    read: list[bytes] = []
    paused: list[int] = []

    async def body() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    async def sleep(seconds: float) -> None:
        assert seconds < 0.04
        paused.append(len(read))

    reply = ServerReply(
        httpx.Response(200, content=body()), ADDRESS, Patience(9, 9, 9), sleep=sleep
    )
    async for chunk in reply.chunks():
        read.append(chunk)
    assert read == list(chunks)
    return paused


async def test_a_short_answer_is_read_as_it_comes() -> None:
    assert await pauses(*[WORD] * 8) == []


async def test_of_a_longer_one_what_comes_in_a_frame_is_left_to_be_read_at_once() -> None:
    assert await pauses(*[WORD] * 12) == [9, 10, 11, 12]


async def test_a_server_that_is_ahead_never_waits() -> None:
    assert await pauses(*[WORD * 400] * 12) == []
