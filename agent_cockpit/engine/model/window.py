"""What is known of the window that the model reads through: its size, and how full it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from agent_cockpit.events.messages import Message
from agent_cockpit.providers.protocol import Provider, ToolSchema
from agent_cockpit.rules.model.context import Gauge, size_of
from agent_cockpit.settings import HarnessConfig

_REPLY_PART = 8
_MOST_REPLY_TOKENS = 8_000
"""Kept free for the reply: an eighth of the window, up to this."""
_OVERFLOWN_PART = 0.7
"""Of a request that a server found too long; its true limit is rarely told."""


@dataclass
class Window:
    """Learns from the servers' answers; owned by the conversation, new for another model."""

    gauge: Gauge = field(default_factory=Gauge)
    frame_characters: int = 0
    """Of the tool schemas in the newest request."""
    tried_at: int = 0
    """Characters that the last compaction left, whether it helped or not; until a tenth is new
    it is not tried again."""
    _limit: int | None = None

    def size(self, config: HarnessConfig, provider: Provider) -> int:
        """Tokens that fit: the least that settings, provider and past overflows allow."""
        sizes = (config.max_context_tokens, provider.context_window, self._limit)
        return min(size for size in sizes if size)

    def room(self, size: int) -> int:
        """Tokens that messages may take, beside the tools and the reply to come."""
        reply = min(_MOST_REPLY_TOKENS, size // _REPLY_PART)
        return size - reply - self.gauge.tokens(self.frame_characters)

    def used(self, messages: Sequence[Message]) -> int:
        """Tokens of a request with these messages."""
        return self.gauge.tokens(size_of(messages) + self.frame_characters)

    def framed_by(self, tools: Sequence[ToolSchema]) -> None:
        """Measure the tools that go with every request from now on."""
        self.frame_characters = sum(
            len(str(tool.input_schema)) + len(tool.description) + len(tool.name) for tool in tools
        )

    def counted(self, messages: Sequence[Message], tokens: int) -> None:
        """A server counted the request of these messages."""
        self.gauge = self.gauge.learned(size_of(messages) + self.frame_characters, tokens)

    def overflown(self, messages: Sequence[Message]) -> None:
        """A server found the request of these messages too long."""
        limit = int(self.used(messages) * _OVERFLOWN_PART)
        self._limit = min(limit, self._limit or limit)
