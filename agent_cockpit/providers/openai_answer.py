"""Chat completions, the answer side: bytes or JSON to pieces. Pure.

Law: the pieces, joined, are the same however the bytes were cut; calls come whole, and only
after the server's own end mark.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json

from agent_cockpit.errors import ProviderError
from agent_cockpit.providers.protocol import Call, Piece, Stop, Text, Thought, Usage
from agent_cockpit.providers.server_errors import Address, error_in_stream
from agent_cockpit.providers.sse import EventParser, ServerEvent
from agent_cockpit.providers.think import ThinkSplitter

_REASONS = {
    "stop": "end_turn",
    "tool_calls": "tool_use",
    "function_call": "tool_use",
    "length": "max_tokens",
    "content_filter": "refusal",
}


class StreamReader:
    """Owns one streamed answer from its first byte to its end mark.

    Every method raises `ProviderError` where the stream is broken or carries an error.
    """

    def __init__(self, address: Address) -> None:
        self._address = address
        self._parser = EventParser()
        self._answer = Assembler(address)
        self._any_data = False
        self.done = False
        """The server said `[DONE]`: nothing more needs to be read."""

    @property
    def complete(self) -> bool:
        """The server said that the answer is whole; what may still come is a count of tokens."""
        return self.done or self._answer.finished

    def feed(self, chunk: bytes) -> list[Piece]:
        """The pieces that this chunk completes."""
        return self._take(self._parser.feed(chunk))

    def end(self) -> list[Piece]:
        """The last pieces: whole calls, usage, the reason of the stop."""
        pieces = [] if self.complete else self._take(self._parser.end())
        if not self._any_data:
            raise ProviderError(
                "the model server closed the stream without any data", kind="answer", retryable=True
            )
        if not self.complete:
            raise ProviderError(
                "the answer was cut off: the stream ended without its end mark",
                kind="answer",
                retryable=True,
            )
        return pieces + self._answer.end()

    def _take(self, events: list[ServerEvent]) -> list[Piece]:
        pieces: list[Piece] = []
        for event in events:
            data = event.data.strip()
            if self.done or not data or data.startswith(":"):
                continue
            if data == "[DONE]":
                self.done = self._any_data = True
                continue
            chunk = self._parse(data)
            if event.name == "error" and "error" not in chunk:
                raise error_in_stream(self._address, chunk)
            self._any_data = self._any_data or event.name != "ping"
            pieces += self._answer.feed(chunk)
        return pieces

    def _parse(self, data: str) -> dict[str, Any]:
        try:
            chunk = from_json(data)
        except ValueError as error:
            raise self._malformed(data) from error
        if not isinstance(chunk, dict):
            raise self._malformed(data)
        return chunk

    def _malformed(self, data: str) -> ProviderError:
        return ProviderError(
            f"the model server sent a malformed event: {self._address.safe(data[:200])}",
            kind="answer",
            retryable=True,
        )


def whole_answer(address: Address, body: bytes) -> list[Piece]:
    """The pieces of an answer that was not streamed."""
    try:
        answer = from_json(body)
    except ValueError as error:
        raise ProviderError(
            f"the model server sent no JSON: {address.safe(body[:200].decode('utf-8', 'replace'))}",
            kind="answer",
            retryable=True,
        ) from error
    assembler = Assembler(address)
    pieces = assembler.feed(answer if isinstance(answer, dict) else {})
    if not assembler.heard:
        raise ProviderError("the model server sent an answer without a choice", kind="answer")
    return pieces + assembler.end()


@dataclass(slots=True)
class _OpenCall:
    """A call whose fragments are still coming."""

    provider_id: str = ""
    name: str = ""
    arguments: str = ""

    def is_whole(self) -> bool:
        try:
            return isinstance(from_json(self.arguments), dict)
        except ValueError:
            return False


class Assembler:
    """Owns the parts of one answer; `feed` takes its JSON chunks (or the whole) in order."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._split = ThinkSplitter()
        self._calls: list[_OpenCall] = []
        self._by_index: dict[int, _OpenCall] = {}
        self._usage: Usage | None = None
        self._reason = ""
        self._details: list[Any] = []
        self._refused = False
        self.heard = False
        """A choice came, even an empty one."""

    @property
    def finished(self) -> bool:
        """The server gave the reason why it stopped."""
        return bool(self._reason)

    def feed(self, chunk: dict[str, Any]) -> list[Piece]:
        """The text that one chunk brings, as pieces; the rest is kept for `end`."""
        if chunk.get("error"):
            raise error_in_stream(self._address, chunk["error"])
        self._usage = _usage(chunk.get("usage")) or self._usage
        choices = chunk.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            return []
        choice = choices[0]
        self.heard = True
        delta = choice.get("delta") or choice.get("message")
        pieces = self._delta(delta) if isinstance(delta, dict) else []
        reason = choice.get("finish_reason")
        if isinstance(reason, str) and reason:
            self._reason = reason
        return pieces

    def end(self) -> list[Piece]:
        """What is known only now: held-back text, whole calls, usage, the stop."""
        pieces = self._split.end()
        if self._details:
            pieces.append(Thought("", raw={"reasoning_details": self._details}))
        for call in self._calls:
            if not call.name:
                raise ProviderError(
                    "the model server sent a tool call without a name",
                    kind="answer",
                    retryable=True,
                )
            pieces.append(Call(call.provider_id, call.name, call.arguments.strip() or "{}"))
        if self._usage:
            pieces.append(self._usage)
        pieces.append(Stop(self._stop()))
        return pieces

    def _stop(self) -> str:
        if self._refused:
            return "refusal"
        reason = _REASONS.get(self._reason, self._reason)
        return "tool_use" if self._calls and reason in ("end_turn", "") else reason or "end_turn"

    def _delta(self, delta: dict[str, Any]) -> list[Piece]:
        pieces: list[Piece] = []
        thought = delta.get("reasoning_content") or delta.get("reasoning")
        if isinstance(thought, str) and thought:
            pieces.append(Thought(thought))
        details = delta.get("reasoning_details")
        if isinstance(details, list):
            self._details += details
        pieces += self._content(delta.get("content"))
        refusal = delta.get("refusal")
        if isinstance(refusal, str) and refusal:
            self._refused = True
            pieces.append(Text(refusal))
        calls = delta.get("tool_calls")
        for fragment in calls if isinstance(calls, list) else ():
            if isinstance(fragment, dict):
                self._fragment(fragment)
        return pieces

    def _content(self, content: Any) -> list[Piece]:
        """Text; a few servers send a list of parts instead."""
        if isinstance(content, str):
            return self._split.feed(content)
        pieces: list[Piece] = []
        for part in content if isinstance(content, list) else ():
            if not isinstance(part, dict):
                continue
            if isinstance(part.get("text"), str):
                pieces += self._split.feed(part["text"])
            thinking = part.get("thinking")
            for inner in thinking if isinstance(thinking, list) else ():
                if isinstance(inner, dict) and isinstance(inner.get("text"), str):
                    pieces.append(Thought(inner["text"]))
        return pieces

    def _fragment(self, fragment: dict[str, Any]) -> None:
        function = fragment.get("function")
        function = function if isinstance(function, dict) else {}
        name, provider_id = _text(function.get("name")), _text(fragment.get("id"))
        arguments = function.get("arguments")
        index = fragment.get("index")
        call = self._known(index)
        if call is None or (name and self._begins(call, index, provider_id, arguments)):
            call = _OpenCall()
            self._calls.append(call)
            if isinstance(index, int):
                self._by_index[index] = call
        call.provider_id = call.provider_id or provider_id
        call.name = call.name or name
        if isinstance(arguments, str):
            call.arguments += arguments
        elif isinstance(arguments, dict):
            call.arguments = json.dumps(arguments, ensure_ascii=False)

    def _known(self, index: Any) -> _OpenCall | None:
        """The call that a fragment with this index goes on with: without one, the last."""
        if isinstance(index, int):
            return self._by_index.get(index)
        return self._calls[-1] if self._calls else None

    def _begins(self, known: _OpenCall, index: Any, provider_id: str, arguments: Any) -> bool:
        """Whether a fragment with a name is another call. Servers give every call the index 0,
        leave the index out, or repeat name and id in each fragment."""
        if provider_id and known.provider_id and provider_id != known.provider_id:
            return True
        return not isinstance(index, int) and bool(arguments) and known.is_whole()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _usage(value: Any) -> Usage | None:
    if not isinstance(value, dict):
        return None
    details = value.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    cached = cached if cached is not None else value.get("prompt_cache_hit_tokens")
    prompt, completion = _count(value.get("prompt_tokens")), _count(value.get("completion_tokens"))
    return Usage(prompt, completion, _count(cached)) if prompt or completion else None


def _count(value: Any) -> int:
    return max(0, int(value)) if isinstance(value, int | float) and value == value else 0
