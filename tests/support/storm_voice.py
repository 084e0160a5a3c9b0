"""A storm's voice: replies by chance, with faults at any piece."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable
from typing import Any

from agent_cockpit.errors import ProviderError
from agent_cockpit.providers.protocol import Call, ModelRequest, Piece, Stop, Text, Thought, Usage
from tests.support.storm_tools import DOINGS, a_few_moments


class StormProvider:
    """A voice of which every reply is drawn; `broken_pairing` says what it was once shown."""

    name = "storm"
    model = "storm-1"

    def __init__(self, chance: random.Random, *, real_commands: bool) -> None:
        self.context_window: int | None = chance.choice([None, None, 4000])
        self.open_streams = 0
        self.calls = 0
        self.broken_pairing = ""
        self.is_active: Callable[[], bool] = lambda: True
        self.was_idle = False
        self._chance = chance
        self._real_commands = real_commands

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        self.calls += 1
        self.broken_pairing = self.broken_pairing or unpaired(request)
        self.was_idle = self.was_idle or not self.is_active()
        self.open_streams += 1
        try:
            for piece in self._reply():
                if isinstance(piece, BaseException):
                    raise piece
                if isinstance(piece, int):
                    await a_few_moments(piece)
                elif isinstance(piece, asyncio.Event):
                    await piece.wait()
                else:
                    yield piece
        finally:
            self.open_streams -= 1

    async def aclose(self) -> None:
        return None

    def _reply(self) -> list[Piece | BaseException | int | asyncio.Event]:
        chance = self._chance
        pieces: list[Any] = [Thought("hm "), Thought("so", "sig")] if chance.random() < 0.2 else []
        if chance.random() < 0.5:
            pieces += [Text("let me "), Text("see ")]
        kind = chance.choice(["calls"] * 6 + ["answer"] * 3 + ["ask", "empty", "cut"])
        match kind:
            case "calls":
                pieces += [self._call(n) for n in range(chance.choice([1, 1, 2, 3, 4]))]
                pieces += [Usage(10, 5), Stop("tool_use")]
            case "answer":
                pieces += [Text("it is a.txt"), Usage(10, 5), Stop("end_turn")]
            case "ask":
                pieces += [Call("q", "ask_user", '{"question": "which?"}'), self._call(1)]
                pieces += [Stop("tool_use")]
            case "empty":
                pieces = [Stop("refusal")] if chance.random() < 0.5 else []
            case "cut":
                pieces += [Call("1", "read_file", '{"do": "o'), Stop("max_tokens")]
        for _ in range(chance.choice([0, 0, 1, 2])):
            pieces.insert(chance.randint(0, len(pieces)), chance.randint(1, 4))
        if chance.random() < 0.2:
            pieces.insert(chance.randint(0, len(pieces)), self._fault())
        return pieces

    def _fault(self) -> BaseException | asyncio.Event:
        faults: list[BaseException | asyncio.Event] = [
            ProviderError("overloaded", retryable=True, kind="rate"),
            ProviderError("gone", retryable=True, kind="network"),
            ProviderError("no key", kind="auth"),
            ProviderError("too long", kind="overflow"),
            ProviderError("wait", retryable=True, retry_after_s=50),
            KeyError("bug"),
            asyncio.CancelledError("stray"),
            asyncio.Event(),
        ]
        return self._chance.choice(faults)

    def _call(self, number: int) -> Call:
        chance = self._chance
        name = chance.choice(["read_file", "write_file", "run_command", "read_file", "outward"])
        if self._real_commands and name == "run_command":
            line = chance.choice(["sleep 600", "echo hi", "sleep 600 & sleep 50", "false"])
            return Call(f"w{number}", "run_command", json.dumps({"command": line}))
        if chance.random() < 0.06:
            name = chance.choice(["no_such_tool", "", "switch_to_editing"])
        broken = chance.random() < 0.05
        given = '{"do": 7}' if broken else json.dumps({"do": chance.choice(DOINGS)})
        return Call(f"w{number}", name, given)


def unpaired(request: ModelRequest) -> str:
    """What is wrong with the pairing of calls and results in a request; empty when nothing."""
    messages = request.messages
    for place, message in enumerate(messages):
        asked = [call.call_id for call in message.calls] if message.role == "assistant" else []
        following = messages[place + 1].blocks if place + 1 < len(messages) else ()
        answered = [block.call_id for block in following if block.type == "tool_result"]
        if (asked or answered) and asked != answered:
            return f"message {place} asks {asked}, and {answered} is answered"
    return ""
