"""A provider that plays a script: each model call takes the next reply, or asks a function."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

from agent_cockpit.providers.protocol import Call, ModelRequest, Piece, Stop, Text, Usage

Reply = list[Piece | Exception | asyncio.Event] | Callable[[ModelRequest], Any]
"""Pieces in order; an exception is raised where it stands, an event is waited for."""


class ScriptedProvider:
    """Meets the provider protocol; `requests` keeps every call that was made."""

    name = "scripted"

    def __init__(self, replies: Iterable[Reply], *, context_window: int | None = None) -> None:
        self.model = "scripted-1"
        self.context_window = context_window
        self.requests: list[ModelRequest] = []
        self.closed_early = 0
        self._replies = list(replies)

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        self.requests.append(request)
        if not self._replies:
            raise AssertionError("the script is over and the model was called again")
        reply = self._replies.pop(0)
        pieces = reply(request) if callable(reply) else reply
        finished = False
        try:
            for piece in pieces:
                if isinstance(piece, asyncio.Event):
                    await piece.wait()
                elif isinstance(piece, Exception):
                    raise piece
                else:
                    yield piece
            finished = True
        finally:
            self.closed_early += not finished

    async def aclose(self) -> None:
        return None


def says(text: str) -> Reply:
    """A final answer."""
    return [Text(text), Usage(10, 5), Stop("end_turn")]


def calls(*asked: tuple[str, dict[str, Any]], text: str = "") -> Reply:
    """A reply that asks for tools."""
    pieces: list[Piece | Exception | asyncio.Event] = [Text(text)] if text else []
    for number, (name, values) in enumerate(asked):
        pieces.append(Call(f"wire-{number}", name, json.dumps(values)))
    return [*pieces, Usage(10, 5), Stop("tool_use")]
