"""The scripted server itself: it says what it is told and sees what it must."""

from __future__ import annotations

import http.client
import json
from urllib.parse import urlsplit

import pytest

from tests.support.chat_server import (
    ChatServer,
    calls,
    cut,
    failure,
    fixing_script,
    html,
    says,
    silent,
)
from tests.support.waiting import WITHIN_S


def connect(server: ChatServer) -> http.client.HTTPConnection:
    place = urlsplit(server.base_url)
    return http.client.HTTPConnection(place.hostname or "", place.port, timeout=WITHIN_S)


def post(connection: http.client.HTTPConnection, **body: object) -> http.client.HTTPResponse:
    wanted = {"messages": [{"role": "user", "content": "hi"}]} | body
    connection.request("POST", "/v1/chat/completions", json.dumps(wanted))
    return connection.getresponse()


def test_a_script_is_played_in_order_over_one_connection() -> None:
    with ChatServer([says("one"), failure(429, "slow", ("Retry-After", "2")), html()]) as server:
        connection = connect(server)
        first = json.loads(post(connection).read())
        second = post(connection)
        second.read()
        third = post(connection)
        third.read()
        over = post(connection)
        over.read()
        connection.close()

    assert first["choices"][0]["message"]["content"] == "one"
    assert (second.status, second.getheader("Retry-After")) == (429, "2")
    assert "html" in (third.getheader("Content-Type") or "")
    assert over.status == 400
    assert len(server.requests) == 4


def test_a_streamed_answer_ends_with_usage_and_done() -> None:
    with ChatServer([calls(("f", {"a": "b" * 30}), text="I look")]) as server:
        connection = connect(server)
        lines = post(connection, stream=True).read().decode().strip().split("\n\n")
        connection.close()

    assert lines[-1] == "data: [DONE]"
    chunks = [json.loads(line.removeprefix("data: ")) for line in lines[:-1]]
    deltas = [choice["delta"] for chunk in chunks for choice in chunk["choices"]]
    parts = [call for delta in deltas for call in delta.get("tool_calls", ())]
    assert "".join(delta.get("content") or "" for delta in deltas) == "I look"
    assert json.loads("".join(part["function"]["arguments"] for part in parts)) == {"a": "b" * 30}
    assert chunks[-1]["usage"] == {"prompt_tokens": 10, "completion_tokens": 5}


def test_an_item_may_look_at_the_request() -> None:
    with ChatServer([lambda asked: says(asked.last_text.upper())]) as server:
        connection = connect(server)
        answer = json.loads(post(connection).read())
        connection.close()

    assert answer["choices"][0]["message"]["content"] == "HI"


def test_a_cut_answer_breaks_the_connection_inside_a_chunk() -> None:
    with ChatServer([cut(says("one two three"), after_parts=2)]) as server:
        connection = connect(server)
        response = post(connection, stream=True)
        with pytest.raises(http.client.IncompleteRead):
            response.read()
        connection.close()

    assert server.disconnects == 0


def test_a_client_that_goes_away_is_noticed() -> None:
    with ChatServer([silent()]) as server:
        connection = connect(server)
        connection.request("POST", "/v1/chat/completions", "{}")
        server.wait_for_requests(1)
        connection.close()
        server.wait_for_disconnects(1)


def test_the_models_are_listed_without_using_the_script() -> None:
    with ChatServer([says("one")]) as server:
        connection = connect(server)
        connection.request("GET", "/v1/models")
        models = json.loads(connection.getresponse().read())
        connection.close()

    assert models["data"][0]["id"] == "test-model"
    assert server.requests == ()


def test_the_fixing_script_reads_edits_tests_and_answers() -> None:
    with ChatServer(fixing_script(path="a.py", old="1", new="2")) as server:
        connection = connect(server)
        names = []
        for _ in range(4):
            message = json.loads(post(connection).read())["choices"][0]["message"]
            names += [call["function"]["name"] for call in message.get("tool_calls", ())]
        connection.close()

    assert names == ["read_file", "str_replace", "run_tests"]
    assert "a.py" in message["content"]
