"""What a provider is asked and what it yields; the engine knows voices by this file alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Protocol

from agent_cockpit.events.messages import Message


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """A tool as the model is told of it; `input_schema` is JSON schema of an object."""

    name: str
    description: str
    input_schema: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One model call. `mode` is edit, investigate, test_only, plan, build or summary: what the
    prompt file already says in words, for voices that need no words. `effort` is None, low,
    medium or high."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSchema, ...] = ()
    mode: str = "edit"
    effort: str | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Thought:
    """A piece of reasoning; `signature` and `raw` are set on the last piece of a block."""

    text: str
    signature: str = ""
    raw: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """One whole tool call; `arguments` is the JSON text as it came, possibly broken."""

    provider_id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of this call as the server counted them."""

    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Stop:
    """Why the model stopped: end_turn, tool_use, max_tokens, refusal, or the server's word."""

    reason: str


Piece = Text | Thought | Call | Usage | Stop


class Provider(Protocol):
    """A voice. `context_window` is in tokens, None when unknown."""

    name: str
    model: str
    context_window: int | None

    def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        """One call, as pieces; one try (the engine retries).

        Raises `ProviderError` at any point, also after text was yielded. A stream that ends
        without the server's own end mark raises, never ends quietly. Closing the iterator
        closes the connection at once.
        """
        ...

    async def aclose(self) -> None:
        """Give back connections; harmless when repeated."""
        ...
