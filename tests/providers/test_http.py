"""How a reply is read: word by word at its start, then what came in a frame at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx

from agent_cockpit.providers.http import Patience, ServerReply
from agent_cockpit.providers.server_errors import Address

WORD = b'data: {"choices":[{"delta":{"content":"word"}}]}\n\n'
ADDRESS = Address(url="http://127.0.0.1:1/v1", model="m", key="")


async def pauses(*chunks: bytes, together: int = 1) -> list[int]:
    """After how many chunks the reading of a reply pauses; all of it is read. So many chunks
    come `together`, cut out of what was sent in one go."""
    read: list[bytes] = []
    paused: list[int] = []

    async def body() -> AsyncIterator[bytes]:
        for number, chunk in enumerate(chunks):
            if number % together == 0:
                await asyncio.sleep(0)
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
    assert await pauses(*[WORD] * 12) == [9, 11]


async def test_no_word_waits_that_came_with_the_one_before() -> None:
    """Most servers send a chunk for each word, also of what they have long had ready."""
    assert await pauses(*[WORD] * 60, together=10) == [21, 41]
    assert await pauses(*[WORD] * 9_000, together=9_000) == []


async def test_a_server_that_is_ahead_never_waits_however_it_cuts_what_it_sends() -> None:
    assert await pauses(*[WORD] * 9_000, together=1_000) == []


async def test_a_server_that_is_ahead_never_waits() -> None:
    assert await pauses(*[WORD * 400] * 12) == []
