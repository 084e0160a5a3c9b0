"""Our conversation in the server's shape."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent_cockpit.events.messages import (
    Block,
    Message,
    ReasoningBlock,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
)
from agent_cockpit.providers.openai_wire import body_of, chat_messages, encode
from agent_cockpit.providers.protocol import ModelRequest, ToolSchema


def said(role: Any, *blocks: Block) -> Message:
    return Message(role=role, blocks=blocks)


def use(call_id: str, provider_id: str = "", **given: Any) -> ToolUseBlock:
    return ToolUseBlock(call_id=call_id, name="read_file", input=given, provider_id=provider_id)


def test_calls_and_results_are_tied_by_the_servers_own_id() -> None:
    sent = chat_messages(
        [
            said("assistant", TextBlock(text="I look."), use("ours", "theirs", path="ä")),
            said("user", ToolResultBlock(call_id="ours", content="x = 1")),
        ]
    )

    assert sent == [
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [
                {
                    "id": "theirs",
                    "type": "function",
                    "function": {"name": "read_file", "arguments": '{"path": "ä"}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "theirs", "content": "x = 1"},
    ]


def test_calls_without_an_id_or_with_a_used_one_get_ours() -> None:
    sent = chat_messages(
        [
            said("assistant", use("o1", "call_1"), use("o2", "call_1"), use("o3")),
            said("user", *(ToolResultBlock(call_id=f"o{n}", content=str(n)) for n in (1, 2, 3))),
            said("assistant", use("o4", "call_1")),
            said("user", ToolResultBlock(call_id="o4", content="4")),
        ]
    )

    ids = [call["id"] for message in sent for call in message.get("tool_calls", ())]
    answered = [message["tool_call_id"] for message in sent if message["role"] == "tool"]
    assert ids == answered == ["call_1", "o2", "o3", "o4"]


def test_text_that_joined_a_running_goal_follows_the_results() -> None:
    sent = chat_messages(
        [said("user", ToolResultBlock(call_id="a", content="r"), TextBlock(text="and faster"))]
    )

    assert [message["role"] for message in sent] == ["tool", "user"]


def test_two_prompts_in_a_row_stay_two() -> None:
    sent = chat_messages([Message.of("user", "one"), Message.of("user", "two")])

    assert [message["content"] for message in sent] == ["one", "two"]


def test_a_broken_call_goes_back_as_an_empty_object() -> None:
    broken = ToolUseBlock(call_id="a", name="f", broken='{"path": "a",}')

    sent = chat_messages([said("assistant", broken)])

    assert sent[0]["tool_calls"][0]["function"]["arguments"] == "{}"


def test_reasoning_stays_here_unless_the_server_wants_it_back() -> None:
    details = [{"type": "reasoning.encrypted", "data": "x"}]
    plain = ReasoningBlock(text="hm", raw=None)
    wanted = ReasoningBlock(text="hm", raw={"reasoning_details": details})

    assert chat_messages([said("assistant", plain)]) == []
    [sent] = chat_messages([said("assistant", plain, TextBlock(text="yes"))])
    assert sent == {"role": "assistant", "content": "yes"}
    [sent] = chat_messages([said("assistant", wanted, TextBlock(text="yes"))])
    assert sent["reasoning_details"] == details


def test_an_assistant_that_only_calls_has_no_content() -> None:
    [sent] = chat_messages([said("assistant", use("a"))])

    assert sent["content"] is None


def test_only_what_is_set_is_sent() -> None:
    bare = body_of(ModelRequest(messages=(Message.of("user", "x"),)), model="m")
    full = body_of(
        ModelRequest(
            messages=(), tools=(ToolSchema("f", "does f", {"type": "object"}),), effort="low"
        ),
        model="m",
        temperature=0,
    )

    assert set(bare) == {"model", "messages", "stream", "stream_options"}
    assert full["temperature"] == 0
    assert full["reasoning_effort"] == "low"
    assert full["tools"] == [
        {
            "type": "function",
            "function": {"name": "f", "description": "does f", "parameters": {"type": "object"}},
        }
    ]


@pytest.mark.parametrize(
    ("without", "gone"),
    [
        ({"stream_options"}, {"stream_options"}),
        ({"stream"}, {"stream", "stream_options"}),
        ({"temperature"}, {"temperature"}),
    ],
)
def test_what_the_server_refused_is_left_out(without: set[str], gone: set[str]) -> None:
    request = ModelRequest(messages=())
    whole = body_of(request, model="m", temperature=1)
    less = body_of(request, model="m", temperature=1, without=frozenset(without))

    assert set(whole) - set(less) == gone


def test_half_a_surrogate_pair_does_not_stop_a_request() -> None:
    body = {"content": "a\ud83db 🌍"}

    assert json.loads(encode(body)) == {"content": "a?b 🌍"}
