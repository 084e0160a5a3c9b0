"""A model that routes prompts to modes; its verdict is shown and may be overruled."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Callable
from typing import cast

from agent_cockpit.events.messages import Message
from agent_cockpit.providers.protocol import ModelRequest, Piece, Provider, Text

_INSTRUCTIONS = """Decide what kind of goal the newest prompt is, and answer with one word.
edit: a change of the code is asked for, also as a follow-up of an earlier answer.
test_only: only tests are to be added or changed.
investigate: a question, an explanation, a greeting, also in the middle of building."""


class ProviderClassifier:
    """Asks a provider once a prompt; opens it for the question and closes it after."""

    def __init__(self, open_provider: Callable[[], Provider]) -> None:
        self._open = open_provider

    async def classify(self, prompt: str, *, history: list[str]) -> str | None:
        """The word that the model answers with; the router takes only words that it knows."""
        provider = self._open()
        asked = "\n".join([*history, f"newest prompt: {prompt}"])
        request = ModelRequest(
            messages=(Message.of("system", _INSTRUCTIONS), Message.of("user", asked)),
            mode="investigate",
        )
        try:
            pieces = cast("AsyncGenerator[Piece, None]", provider.stream(request))
            async with contextlib.aclosing(pieces):
                words = [piece.text async for piece in pieces if isinstance(piece, Text)]
        finally:
            await provider.aclose()
        return "".join(words).strip().strip(".`\"'").lower()
