"""Chat completions, the request side: our conversation as the server wants it. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from agent_cockpit.events.messages import (
    Message,
    ReasoningBlock,
    ToolResultBlock,
    ToolUseBlock,
)
from agent_cockpit.providers.protocol import ModelRequest, ToolSchema

OPTIONAL = ("stream_options", "reasoning_effort", "temperature", "stream")
"""What a request does without when a server names it as its reason to refuse."""


def body_of(
    request: ModelRequest,
    *,
    model: str,
    temperature: float | None = None,
    without: frozenset[str] = frozenset(),
) -> dict[str, Any]:
    """The request's JSON; `without` leaves out some of `OPTIONAL`."""
    body: dict[str, Any] = {"model": model, "messages": chat_messages(request.messages)}
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
    if temperature is not None:
        body["temperature"] = temperature
    if request.effort:
        body["reasoning_effort"] = request.effort
    if "stream" not in without:
        body["stream"] = True
        body["stream_options"] = {"include_usage": True}
    return {key: value for key, value in body.items() if key not in without}


def encode(body: dict[str, Any]) -> bytes:
    """Compact JSON; half a surrogate pair, which no server takes, becomes `?`."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def chat_messages(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Messages in the server's shape; each tool call gets an id of its own."""
    messages = tuple(messages)
    ids = _wire_ids(messages)
    sent: list[dict[str, Any]] = []
    for message in messages:
        if message.role == "assistant":
            sent += _assistant(message, ids)
            continue
        sent += [
            {"role": "tool", "tool_call_id": ids.get(block.call_id, block.call_id)}
            | {"content": block.content}
            for block in message.blocks
            if isinstance(block, ToolResultBlock)
        ]
        if message.text:
            sent.append({"role": message.role, "content": message.text})
    return sent


def _assistant(message: Message, ids: dict[str, str]) -> list[dict[str, Any]]:
    calls = [
        {
            "id": ids[call.call_id],
            "type": "function",
            "function": {"name": call.name, "arguments": _arguments(call)},
        }
        for call in message.calls
    ]
    if not calls and not message.text:
        return []
    said: dict[str, Any] = {"role": "assistant", "content": message.text or None}
    if calls:
        said["tool_calls"] = calls
    return [said | _kept_reasoning(message)]


def _kept_reasoning(message: Message) -> dict[str, Any]:
    """Reasoning goes back only where the server sent it in a form that it wants back."""
    details = [
        part
        for block in message.blocks
        if isinstance(block, ReasoningBlock) and block.raw
        for part in block.raw.get("reasoning_details", ())
    ]
    return {"reasoning_details": details} if details else {}


def _arguments(call: ToolUseBlock) -> str:
    """Always a JSON object: a server that gets anything else refuses the whole history."""
    return json.dumps(call.input, ensure_ascii=False)


def _wire_ids(messages: tuple[Message, ...]) -> dict[str, str]:
    """The server's own ids where they are usable; ours where it reused one."""
    ids: dict[str, str] = {}
    used: set[str] = set()
    for message in messages:
        for call in message.calls:
            free = bool(call.provider_id) and call.provider_id not in used
            ids[call.call_id] = call.provider_id if free else call.call_id
            used.add(ids[call.call_id])
    return ids


def _tool(tool: ToolSchema) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
    return {"type": "function", "function": function}
