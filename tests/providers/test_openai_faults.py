"""What goes wrong with a model server, in words that say what to do."""

from __future__ import annotations

import socket

import pytest

from agent_cockpit.errors import ProviderError
from agent_cockpit.providers.protocol import Stop, Text, Usage
from tests.providers.openai_client import KEY, REQUEST, answer, fault, fault_of, voice
from tests.support.chat_chunks import chunks_of
from tests.support.chat_server import (
    Answer,
    ChatServer,
    ScriptItem,
    cut,
    empty_stream,
    events,
    failure,
    hang,
    html,
    raw,
    says,
    silent,
)


@pytest.mark.parametrize(
    ("item", "kind", "retryable", "words"),
    [
        (failure(401, f"Incorrect API key provided: {KEY}"), "auth", False, "OPENAI_API_KEY"),
        (failure(403, "no"), "auth", False, "check OPENAI_API_KEY"),
        (failure(404, "model `x` does not exist"), "model", False, "`test-model`"),
        (failure(429, "slow down"), "rate", True, "slow down"),
        (failure(429, "insufficient_quota: see billing"), "rate", False, "no credit"),
        (failure(400, "maximum context length is 4096"), "overflow", False, "too long"),
        (failure(413, "too big"), "overflow", False, "too long"),
        (failure(500, "boom"), "server", True, "in trouble (500): boom"),
        (failure(529, "overloaded"), "server", True, "529"),
        (failure(400, "tools[0] is wrong"), "server", False, "tools[0] is wrong"),
        (failure(400, "bad \x1b]0;evil\x07 \u202ename"), "server", False, "bad name"),
        (failure(307, "", ("Location", "https://x/v1")), "server", False, "https://x/v1"),
        (html(200), "server", False, "web page, not an API"),
        (html(404), "server", False, "set base_url"),
        (html(502), "server", True, "in trouble (502)"),
        (empty_stream(), "answer", True, "without any data"),
        (raw(b": PROCESSING\n\n" * 5), "answer", True, "without any data"),
        (raw(b"data: caf\xe9\n\n"), "answer", True, "no UTF-8"),
        (raw(b'data: {"choices":[{"delta":{"role":"adata: {"x"\n\n'), "answer", True, "malformed"),
        (raw(b"data: [1]\n\n"), "answer", True, "malformed"),
        (raw(b"data: " + b"x" * 9_000_000), "answer", True, "too long"),
        (raw(b"no json", content_type="application/json"), "answer", True, "no JSON"),
        (raw(b"{}", content_type="application/json"), "answer", False, "without a choice"),
        (events({"error": {"message": "upstream busy", "code": 502}}), "server", True, "busy"),
        (events({"error": "EXPLODED"}), "server", False, "EXPLODED"),
        (events({"error": {"message": "slow", "code": "429"}}), "rate", True, "slow"),
        (events({"error": {"type": "exceed_context_size_error"}}), "overflow", False, "too long"),
        (raw(b'event: error\ndata: {"message": "gone"}\n\n'), "server", False, "gone"),
        (cut(says("Hello there you"), after_parts=2), "network", True, "broke"),
    ],
)
async def test_a_fault_says_what_it_is_and_what_to_do(
    item: ScriptItem, kind: str, retryable: bool, words: str
) -> None:
    error = await fault_of(item)

    assert words in str(error)
    assert (error.kind, error.retryable) == (kind, retryable)
    assert "\x1b" not in str(error)


async def test_a_stream_without_end_mark_is_an_error_after_its_text() -> None:
    chunk = {"choices": [{"index": 0, "delta": {"content": "Hel"}}]}
    with ChatServer([events(chunk, done=False)]) as server:
        async with voice(server.base_url) as provider:
            stream = provider.stream(REQUEST)
            assert await anext(stream) == Text("Hel")
            with pytest.raises(ProviderError, match="cut off") as caught:
                await anext(stream)

    assert caught.value.retryable


async def test_without_a_key_the_text_says_which_variable_to_set() -> None:
    error = await fault_of(failure(401, "no key"), api_key=None)

    assert "wants a key (401): set OPENAI_API_KEY" in str(error)


async def test_the_servers_wish_to_wait_is_told() -> None:
    error = await fault_of(failure(429, "slow down", ("Retry-After", "7")))

    assert error.retry_after_s == 7


async def test_a_silent_server_is_given_up() -> None:
    error = await fault_of(silent(), timeout_s=0.2)

    assert error.retryable
    assert "said nothing" in str(error)


async def test_a_silence_inside_the_stream_is_given_up() -> None:
    error = await fault_of(
        hang(says("Hello there"), after_parts=2), timeout_s=60, idle_timeout_s=0.2
    )

    assert error.retryable
    assert "said nothing" in str(error)


@pytest.mark.parametrize("also", ["", ": still there\n\n"], ids=["silent", "pinging"])
async def test_a_server_that_never_ends_a_whole_answer_is_not_waited_for(also: str) -> None:
    *words, reason, count = events(*chunks_of(1, "Hello there", (), (10, 5), "stop")).parts[:-1]
    pings = (also.encode(),) * 1_000 if also else ()
    item = Answer((*words, reason + count, *pings), pause_s=0.02, ends="hang")
    with ChatServer([item]) as server:
        pieces = await answer(server, timeout_s=600, idle_timeout_s=600, end_timeout_s=0.3)
    assert "".join(piece.text for piece in pieces if isinstance(piece, Text)) == "Hello there"
    assert Usage(10, 5, 0) in pieces
    assert pieces[-1] == Stop("end_turn")


async def test_nobody_listening_is_asked_after() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    error = await fault(f"http://127.0.0.1:{port}/v1")

    assert f"is the server running at http://127.0.0.1:{port}/v1?" in str(error)
    assert (error.kind, error.retryable) == ("network", True)


async def test_an_unknown_name_is_told_from_a_server_that_is_down(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    error = await fault("http://no-such-host.invalid/v1")

    assert "name in http://no-such-host.invalid/v1 is not known" in str(error)


async def test_tls_to_a_server_without_is_explained() -> None:
    with ChatServer([says("x")]) as server:
        error = await fault(server.base_url.replace("http:", "https:"))

    assert "write http:// in base_url" in str(error)
    assert (error.kind, error.retryable) == ("network", False)
