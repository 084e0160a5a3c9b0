"""How a reply is read: word by word at its start, then what came in a frame at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx

from agent_cockpit.providers.http import TOGETHER_S, Patience, ServerReply
from agent_cockpit.providers.server_errors import Address

WORD = b'data: {"choices":[{"delta":{"content":"word"}}]}\n\n'
ADDRESS = Address(url="http://127.0.0.1:1/v1", model="m", key="")


async def rests_after(*chunks: bytes, together: int = 1, apart_s: float = 0.001) -> list[int]:
    """After how many chunks the reading of a reply rests; all of it is read. So many chunks
    come `together`, cut out of what was sent in one go, and so much later than the others."""
    read: list[bytes] = []
    rested: list[int] = []
    now_s = 0.0

    async def body() -> AsyncIterator[bytes]:
        nonlocal now_s
        for number, chunk in enumerate(chunks):
            if number % together == 0:
                await asyncio.sleep(0)
                now_s += apart_s
            yield chunk

    async def sleep(seconds: float) -> None:
        nonlocal now_s
        assert 0 < seconds < TOGETHER_S
        now_s += seconds
        rested.append(len(read))

    reply = ServerReply(
        httpx.Response(200, content=body()),
        ADDRESS,
        Patience(9, 9, 9),
        sleep=sleep,
        clock=lambda: now_s,
    )
    async for chunk in reply.chunks():
        read.append(chunk)
    assert read == list(chunks)
    return rested


async def test_a_short_answer_is_read_as_it_comes() -> None:
    assert await rests_after(*[WORD] * 8) == []


async def test_of_a_longer_one_what_comes_in_a_frame_is_left_to_be_read_at_once() -> None:
    assert await rests_after(*[WORD] * 12) == [8, 10]


async def test_words_that_gathered_behind_one_are_read_with_it() -> None:
    """The one that rested is handed on with them, so that a frame shows them all."""
    assert await rests_after(*[WORD] * 40, together=20) == [20]


async def test_a_word_that_comes_later_than_a_frame_never_waits() -> None:
    assert await rests_after(*[WORD] * 20, apart_s=TOGETHER_S) == []


async def test_no_word_waits_that_came_with_the_one_before() -> None:
    """Most servers send a chunk for each word, also of what they have long had ready."""
    assert await rests_after(*[WORD] * 60, together=10) == [10, 30, 50]
    assert await rests_after(*[WORD] * 9_000, together=9_000) == []


async def test_a_server_that_is_ahead_never_waits_however_it_cuts_what_it_sends() -> None:
    assert await rests_after(*[WORD] * 9_000, together=1_000) == []


async def test_a_server_that_is_ahead_never_waits() -> None:
    assert await rests_after(*[WORD * 400] * 12) == []
