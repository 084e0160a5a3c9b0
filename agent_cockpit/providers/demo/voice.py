"""The built-in demo voice: a script that reacts to the conversation, with no key and no network."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator

from agent_cockpit.providers.demo.scene import scene_of
from agent_cockpit.providers.demo.script import next_reply
from agent_cockpit.providers.demo.summary import summary_of
from agent_cockpit.providers.protocol import (
    Call,
    ModelRequest,
    Piece,
    Stop,
    Text,
    Thought,
    Usage,
)

_CHARACTERS_A_TOKEN = 4
_WORDS = re.compile(r"\S*\s*")


class DemoProvider:
    """A provider that holds no state: what it says follows from the messages alone.

    `pace_s` is the pause between two words, so that streaming can be seen; 0 in tests.
    """

    name = "demo"
    model = "demo"
    context_window: int | None = 32_000

    def __init__(self, *, pace_s: float = 0.012) -> None:
        self._pace_s = pace_s

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        """The next reply, word by word."""
        scene = scene_of(request)
        reply = summary_of(request) if request.mode == "summary" else next_reply(scene)
        for word in _words(reply.thought):
            yield Thought(word)
            await asyncio.sleep(self._pace_s)
        for word in _words(reply.text):
            yield Text(word)
            await asyncio.sleep(self._pace_s)
        written = len(reply.text) + len(reply.thought)
        for number, (name, arguments) in enumerate(reply.calls, start=scene.call_count + 1):
            encoded = json.dumps(arguments, ensure_ascii=False)
            written += len(name) + len(encoded)
            yield Call(f"demo-{number}", name, encoded)
        yield Usage(_tokens(_length(request)), _tokens(written))
        yield Stop("tool_use" if reply.calls else "end_turn")

    async def aclose(self) -> None:
        """Nothing to give back."""


def _words(text: str) -> list[str]:
    return [word for word in _WORDS.findall(text) if word]


def _length(request: ModelRequest) -> int:
    return sum(len(message.model_dump_json()) for message in request.messages)


def _tokens(characters: int) -> int:
    return max(1, characters // _CHARACTERS_A_TOKEN)
