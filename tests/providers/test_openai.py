"""The OpenAI-compatible voice against a real server on this machine."""

from __future__ import annotations

import asyncio
import json
import ssl
import subprocess
import sys
from typing import Any

import pytest

from agent_cockpit.errors import SettingsError
from agent_cockpit.providers.openai import OpenAIProvider
from agent_cockpit.providers.protocol import (
    Call,
    Stop,
    Text,
    Thought,
    Usage,
)
from tests.providers.openai_client import KEY, REQUEST, answer, drain, fault, text, voice
from tests.support.chat_server import (
    Asked,
    ChatServer,
    calls,
    events,
    failure,
    hang,
    raw,
    says,
    silent,
    slowly,
)


async def test_an_answer_streams_and_ends_with_usage_and_a_reason() -> None:
    with ChatServer([says("Hello over there", usage=(12, 3))]) as server:
        pieces = await answer(server, temperature=0.5)

    assert text(pieces) == "Hello over there"
    assert len([piece for piece in pieces if isinstance(piece, Text)]) == 3
    assert pieces[-2:] == [Usage(12, 3), Stop("end_turn")]
    sent = server.requests[0]
    assert sent.path == "/v1/chat/completions"
    assert sent.headers["authorization"] == f"Bearer {KEY}"
    assert sent.json["model"] == "test-model"
    assert sent.json["temperature"] == 0.5
    assert sent.json["stream_options"] == {"include_usage": True}
    assert sent.json["tools"][0]["function"]["name"] == "read_file"
    assert sent.json["messages"][0] == {"role": "system", "content": "Be brief."}


async def test_several_calls_of_one_reply_come_whole_and_in_order() -> None:
    script = [calls(("read_file", {"path": "ä.py"}), ("list_files", {}), text="I look.")]
    with ChatServer(script) as server:
        pieces = await answer(server)

    asked = [piece for piece in pieces if isinstance(piece, Call)]
    assert [(c.name, json.loads(c.arguments)) for c in asked] == [
        ("read_file", {"path": "ä.py"}),
        ("list_files", {}),
    ]
    assert asked[0].provider_id != asked[1].provider_id
    assert pieces[-1] == Stop("tool_use")


async def test_the_first_piece_comes_before_the_answer_is_over() -> None:
    with ChatServer([hang(says("Hello there"), after_parts=2)]) as server:
        async with voice(server.base_url) as provider:
            stream = provider.stream(REQUEST)
            assert await anext(stream) == Text("Hello")
            await stream.aclose()


async def test_closing_the_stream_closes_the_connection_at_once() -> None:
    with ChatServer([hang(says("Hello there"), after_parts=2)]) as server:
        async with voice(server.base_url) as provider:
            stream = provider.stream(REQUEST)
            await anext(stream)
            await stream.aclose()
            await asyncio.to_thread(server.wait_for_disconnects)

    assert server.disconnects == 1


async def test_cancelling_a_waiting_call_closes_the_connection_at_once() -> None:
    with ChatServer([silent()]) as server:
        async with voice(server.base_url) as provider:
            task = asyncio.ensure_future(drain(provider))
            await asyncio.to_thread(server.wait_for_requests, 1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await asyncio.to_thread(server.wait_for_disconnects)


async def test_one_connection_serves_call_after_call() -> None:
    with ChatServer([says("one"), says("two")]) as server:
        async with voice(server.base_url) as provider:
            assert text(await drain(provider)) == "one"
            assert text(await drain(provider)) == "two"

    assert server.disconnects == 0
    assert server.connections == 1


async def test_a_server_that_cannot_count_tokens_is_asked_without() -> None:
    refused = failure(400, "Unrecognized request argument supplied: stream_options")
    with ChatServer([refused, says("Hello"), says("again")]) as server:
        async with voice(server.base_url) as provider:
            assert text(await drain(provider)) == "Hello"
            assert text(await drain(provider)) == "again"

    assert ["stream_options" in asked.json for asked in server.requests] == [True, False, False]
    assert all(asked.streamed for asked in server.requests)


@pytest.mark.parametrize("status", [400, 404, 422])
async def test_a_server_that_cannot_stream_is_asked_for_the_whole(status: int) -> None:
    refused = failure(status, "streaming is not supported for this model")
    script = [refused, calls(("read_file", {"path": "a"}), text="Look"), says("again")]
    with ChatServer(script) as server:
        async with voice(server.base_url) as provider:
            pieces = await drain(provider)
            assert text(await drain(provider)) == "again"

    assert text(pieces) == "Look"
    assert [piece.name for piece in pieces if isinstance(piece, Call)] == ["read_file"]
    assert [asked.streamed for asked in server.requests] == [True, False, False]
    assert "stream_options" not in server.requests[1].json


async def test_a_model_that_takes_no_temperature_is_asked_without() -> None:
    refused = failure(400, "Unsupported value: 'temperature' does not support 0.5")
    with ChatServer([refused, says("Hello")]) as server:
        assert text(await answer(server, temperature=0.5)) == "Hello"

    assert "temperature" not in server.requests[1].json


async def test_a_server_may_refuse_one_thing_after_the_other() -> None:
    script = [
        failure(422, "extra field stream_options is not permitted"),
        failure(400, "temperature is not supported"),
        says("Hello"),
    ]
    with ChatServer(script) as server:
        assert text(await answer(server, temperature=0.5)) == "Hello"

    assert not {"stream_options", "temperature"} & set(server.requests[2].json)


async def test_a_refusal_that_repeats_itself_ends() -> None:
    refused = failure(400, "stream_options, stream, temperature: all not supported")
    with ChatServer([refused], repeat_last=True) as server:
        error = await fault(server.base_url)

    assert "refused the request (400)" in str(error)
    assert len(server.requests) <= 4


async def test_a_server_that_streams_nothing_though_asked_is_understood() -> None:
    whole = {"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]}
    body = json.dumps(whole).encode()
    with ChatServer([raw(body, content_type="application/json")]) as server:
        assert text(await answer(server)) == "Hi"


async def test_keep_alives_count_as_signs_of_life() -> None:
    beat = raw(*[b": alive\n\n"] * 8, b'data: {"choices":[{"delta":{"content":"ok"},')
    rest = (b'"finish_reason":"stop"}]}\n\n', b"data: [DONE]\n\n")

    def alive(asked: Asked) -> Any:
        return slowly(raw(*beat.parts, *rest), 0.5)

    with ChatServer([alive]) as server:
        assert text(await answer(server, idle_timeout_s=3)) == "ok"


@pytest.mark.parametrize(("sent_parts", "idle_timeout_s"), [(4, 2), (5, 100)])
async def test_a_server_that_never_hangs_up_after_the_answer_does_not_spoil_it(
    sent_parts: int, idle_timeout_s: float
) -> None:
    whole = hang(says("Hello"), after_parts=sent_parts)  # the fifth says that it is over
    with ChatServer([whole]) as server:
        pieces = await answer(server, idle_timeout_s=idle_timeout_s)

    assert text(pieces) == "Hello"
    assert pieces[-1] == Stop("end_turn")


async def test_reasoning_comes_apart_from_the_answer() -> None:
    deltas = [
        {"content": None, "reasoning_content": "two "},
        {"reasoning": "and two"},
        {"content": "4", "reasoning_content": None},
    ]
    chunks: list[dict[str, Any]] = [{"choices": [{"delta": delta}]} for delta in deltas]
    with ChatServer([events(*chunks)]) as server:
        pieces = await answer(server)

    assert text(pieces) == "4"
    assert [piece.text for piece in pieces if isinstance(piece, Thought)] == ["two ", "and two"]


async def test_a_proxy_is_never_asked_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:9")
    with ChatServer([says("direct")]) as server:
        assert text(await answer(server)) == "direct"


async def test_a_proxy_is_asked_for_other_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    with ChatServer([says("by proxy")]) as server:
        for name in ("HTTP_PROXY", "http_proxy"):
            monkeypatch.setenv(name, server.base_url.removesuffix("/v1"))
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        async with voice("http://model.example/v1") as provider:
            assert text(await drain(provider)) == "by proxy"

    assert server.requests[0].path == "http://model.example/v1/chat/completions"


async def test_for_this_machine_no_tls_is_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_context(*args: Any, **settings: Any) -> ssl.SSLContext:
        raise AssertionError("a TLS context was built")

    monkeypatch.setattr(ssl, "create_default_context", no_context)
    with ChatServer([says("Hello")]) as server:
        assert text(await answer(server)) == "Hello"


async def test_closing_twice_is_harmless_and_a_later_call_opens_anew() -> None:
    with ChatServer([says("one"), says("two")]) as server:
        async with voice(server.base_url) as provider:
            await provider.aclose()
            assert text(await drain(provider)) == "one"
            await provider.aclose()
            await provider.aclose()
            assert text(await drain(provider)) == "two"


@pytest.mark.parametrize(
    "base_url",
    [
        "",
        "localhost:8080/v1",
        "ftp://x/v1",
        "http://",
        "http://x:port/v1",
        "http://a b/v1",
        "http://[::1/v1",
        "http://\u202ex/v1",
        "http://x\x00/v1",
    ],
)
def test_a_base_url_that_is_none_is_refused_at_once(base_url: str) -> None:
    with pytest.raises(SettingsError, match="write `https://host/v1`"):
        OpenAIProvider(model="m", base_url=base_url, api_key=None)


def test_a_password_in_the_base_url_is_refused_without_naming_it() -> None:
    with pytest.raises(SettingsError) as caught:
        OpenAIProvider(model="m", base_url="https://me:hunter2@x/v1", api_key=None)

    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("key", ["two words", "ключ", "line\nbreak"])
def test_a_key_that_cannot_be_sent_is_refused_without_naming_it(key: str) -> None:
    with pytest.raises(SettingsError) as caught:
        OpenAIProvider(model="m", base_url="https://x/v1", api_key=key)

    assert key not in str(caught.value)


def test_a_whole_endpoint_as_base_url_is_understood() -> None:
    provider = OpenAIProvider(
        model="m", base_url="https://x/v1/chat/completions/", api_key=f" {KEY}\n"
    )

    assert KEY not in repr(provider)
    assert KEY not in repr(vars(provider)["_server"])


def test_the_network_library_is_loaded_at_the_first_call_only() -> None:
    code = (
        "import sys\n"
        "from agent_cockpit.providers.openai import OpenAIProvider\n"
        "OpenAIProvider(model='m', base_url='http://127.0.0.1:1/v1', api_key=None)\n"
        "assert 'httpx' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
