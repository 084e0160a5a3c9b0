"""One model call: pieces to a whole message, with retries and live text."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from typing import Any, Literal, cast
from uuid import uuid4

from pydantic_core import from_json

from agent_cockpit.errors import ProviderError
from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import ModelUpdate
from agent_cockpit.events.messages import Block, Message, ReasoningBlock, TextBlock, ToolUseBlock
from agent_cockpit.events.sitting import RetryWaiting
from agent_cockpit.providers.protocol import (
    Call,
    ModelRequest,
    Piece,
    Provider,
    Stop,
    Text,
    Thought,
    Usage,
)
from agent_cockpit.settings import HarnessConfig

FRAME_SECONDS = 0.016
"""Text is announced as it comes, and joined when it comes faster: half of a screen's frame."""

_TOGETHER_S = 0.002
"""What gathered while the provider rested is read within this, and announced as one."""

LONGEST_WAIT_SECONDS = 60.0
"""A server's Retry-After above this is not waited for; the goal ends and says so."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model call came to; never empty."""

    message: Message
    usage: Usage | None
    stop_reason: str


async def complete(
    provider: Provider,
    request: ModelRequest,
    *,
    config: HarnessConfig,
    publish: Callable[[Event], Event],
    task_id: str,
) -> Completion:
    """Call the model, again where the error may pass, and return its whole message.

    Text is announced as it comes; `RetryWaiting` voids what a failed try announced. An empty
    reply counts as a fault that may pass. Raises `ProviderError` in the end.
    """
    attempts = config.transport_max_retries + 1
    for attempt in range(1, attempts + 1):
        live = _LiveText(publish, task_id)
        try:
            reply = await _read(provider, request, live)
        except ProviderError as error:
            wait_s = error.retry_after_s or config.retry_backoff_seconds * attempt
            if not error.retryable or attempt == attempts or wait_s > LONGEST_WAIT_SECONDS:
                raise
            publish(
                RetryWaiting(
                    task_id=task_id,
                    attempt=attempt,
                    attempts=attempts,
                    wait_s=wait_s,
                    error=str(error),
                )
            )
            await asyncio.sleep(wait_s)
        else:
            return reply
        finally:
            live.close()
    raise AssertionError("the last attempt returns or raises")


async def _read(provider: Provider, request: ModelRequest, live: _LiveText) -> Completion:
    draft = _Draft()
    stream = cast("AsyncGenerator[Piece, None]", provider.stream(request))
    async with contextlib.aclosing(stream) as pieces:
        async for piece in pieces:
            draft.take(piece)
            if isinstance(piece, Text):
                live.say(piece.text, "answer")
            elif isinstance(piece, Thought):
                live.say(piece.text, "thought")
    live.flush()
    message = draft.message()
    if not message.text.strip("\0 \n\t\r") and not message.calls:
        stop = draft.stop_reason or "no reason given"
        raise ProviderError(
            f"The model answered with nothing at all (it stopped with: {stop}).",
            retryable=True,
            kind="answer",
        )
    return Completion(message, draft.usage, draft.stop_reason)


@dataclass(slots=True)
class _Draft:
    """The message so far; adjacent text and reasoning pieces join into one block."""

    blocks: list[Block] = field(default_factory=list)
    usage: Usage | None = None
    stop_reason: str = ""
    _text: list[str] = field(default_factory=list)
    _thought: list[str] = field(default_factory=list)

    def take(self, piece: Piece) -> None:
        match piece:
            case Text(text):
                self._end_thought()
                self._text.append(text)
            case Thought(text, signature, raw):
                self._end_text()
                self._thought.append(text)
                if signature or raw is not None:
                    self._end_thought(signature, raw)
            case Call(provider_id, name, arguments):
                self._end_text()
                self._end_thought()
                self.blocks.append(_tool_use(provider_id, name, arguments))
            case Usage():
                self.usage = piece
            case Stop(reason):
                self.stop_reason = reason

    def message(self) -> Message:
        self._end_text()
        self._end_thought()
        return Message(role="assistant", blocks=tuple(self.blocks))

    def _end_text(self) -> None:
        if self._text:
            self.blocks.append(TextBlock(text=_whole("".join(self._text))))
            self._text = []

    def _end_thought(self, signature: str = "", raw: dict[str, Any] | None = None) -> None:
        if self._thought or signature or raw is not None:
            text = _whole("".join(self._thought))
            self.blocks.append(ReasoningBlock(text=text, signature=signature, raw=raw))
            self._thought = []


def _tool_use(provider_id: str, name: str, arguments: str) -> ToolUseBlock:
    call_id, arguments = uuid4().hex, _whole(arguments)
    try:
        values = from_json(arguments) if arguments.strip() else {}
    except ValueError:
        values = None
    if not isinstance(values, dict):
        return ToolUseBlock(call_id=call_id, name=name, provider_id=provider_id, broken=arguments)
    return ToolUseBlock(call_id=call_id, name=name, input=values, provider_id=provider_id)


def _whole(text: str) -> str:
    """The text with the halves of characters joined; a half without its other is marked."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class _LiveText:
    """Announces text as it comes, at most one event a frame and kind, in the order it came."""

    def __init__(self, publish: Callable[[Event], Event], task_id: str) -> None:
        self._publish = publish
        self._task_id = task_id
        self._kind: Literal["answer", "thought"] = "answer"
        self._waiting: list[str] = []
        self._timer: asyncio.TimerHandle | None = None
        self._next_at = 0.0

    def say(self, text: str, kind: Literal["answer", "thought"]) -> None:
        """Add a piece; it is announced when those that came with it are there, too."""
        if not text:
            return
        if kind != self._kind:
            self.flush()
            self._kind = kind
        self._waiting.append(text)
        if self._timer is None:
            loop = asyncio.get_running_loop()
            at = max(self._next_at, loop.time() + _TOGETHER_S)
            self._timer = loop.call_at(at, self._announce)

    def _announce(self) -> None:
        self._next_at = asyncio.get_running_loop().time() + FRAME_SECONDS
        self.flush()

    def flush(self) -> None:
        """Announce what waits, now."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._waiting:
            delta, self._waiting = "".join(self._waiting), []
            self._publish(ModelUpdate(task_id=self._task_id, delta=delta, kind=self._kind))

    def close(self) -> None:
        """Announce what waits and stop; text of a stopped call was seen, so it stays."""
        self.flush()
