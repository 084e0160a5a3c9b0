"""From recorded bytes to pieces: whole, in order, and never half a call."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_cockpit.errors import ProviderError
from agent_cockpit.providers.openai_answer import StreamReader, whole_answer
from agent_cockpit.providers.protocol import Call, Piece, Stop, Text, Thought, Usage
from agent_cockpit.providers.server_errors import Address

WIRE = Path(__file__).parents[2] / "snapshots" / "wire"
ADDRESS = Address(url="http://127.0.0.1:1/v1", model="m")

RECORDED: dict[str, list[Piece]] = {
    "text.sse": [
        Text("naïve 日本 🌍\u2028line\n\n`x`"),
        Usage(31, 9, 16),
        Stop("end_turn"),
    ],
    "calls.sse": [
        Text("I look."),
        Call("call_a", "read_file", '{"path":"ä.py"}'),
        Call("call_b", "search_repo", '{"query":"a\\"b"}'),
        Usage(50, 20),
        Stop("tool_use"),
    ],
    "local_server.sse": [
        Thought("First look."),
        Call("x1", "run", '{"command":"git status"}'),
        Usage(12, 7),
        Stop("tool_use"),
    ],
}


def read(*chunks: bytes) -> list[Piece]:
    """All pieces, with text and thought joined where they follow each other."""
    reader = StreamReader(ADDRESS)
    pieces = [piece for chunk in chunks for piece in reader.feed(chunk)]
    return joined(pieces + reader.end())


def joined(pieces: list[Piece]) -> list[Piece]:
    result: list[Piece] = []
    for piece in pieces:
        last = result[-1] if result else None
        if isinstance(piece, Text) and isinstance(last, Text):
            result[-1] = Text(last.text + piece.text)
        elif isinstance(piece, Thought) and isinstance(last, Thought) and not piece.raw:
            result[-1] = Thought(last.text + piece.text)
        else:
            result.append(piece)
    return result


def stream(*deltas: dict[str, Any], finish: str | None = "stop", done: bool = True) -> bytes:
    chunks: list[dict[str, Any]] = [{"choices": [{"index": 0, "delta": d}]} for d in deltas]
    if finish:
        chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    return body(*chunks, done=done)


def body(*chunks: Any, done: bool = True) -> bytes:
    lines = [json.dumps(chunk) for chunk in chunks] + (["[DONE]"] if done else [])
    return "".join(f"data: {line}\n\n" for line in lines).encode()


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_bytes_read_the_same_cut_at_every_position(name: str) -> None:
    recorded = (WIRE / name).read_bytes()

    for at in range(len(recorded) + 1):
        assert read(recorded[:at], recorded[at:]) == RECORDED[name]


@pytest.mark.parametrize("name", RECORDED)
@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 1000])
def test_recorded_bytes_read_the_same_in_chunks_of_any_size(name: str, size: int) -> None:
    recorded = (WIRE / name).read_bytes()

    chunks = [recorded[at : at + size] for at in range(0, len(recorded), size)]
    assert read(*chunks) == RECORDED[name]


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_bytes_that_break_off_never_yield_half_a_call(name: str) -> None:
    recorded = (WIRE / name).read_bytes()
    whole = [piece for piece in RECORDED[name] if isinstance(piece, Call | Stop)]
    finish = recorded.index(b'"finish_reason":"')

    for length in range(len(recorded)):
        reader = StreamReader(ADDRESS)
        early = reader.feed(recorded[:length])
        assert not [piece for piece in early if isinstance(piece, Call)]
        late = ended(reader)
        if late is not None:
            assert length > finish
            assert [piece for piece in late if isinstance(piece, Call | Stop)] == whole


def ended(reader: StreamReader) -> list[Piece] | None:
    """The last pieces; None when the stream was cut too early for them."""
    try:
        return reader.end()
    except ProviderError:
        return None


def call(index: int | None, provider_id: str | None, name: str | None, arguments: Any) -> Any:
    fragment: dict[str, Any] = {"function": {"arguments": arguments}}
    if index is not None:
        fragment["index"] = index
    if provider_id is not None:
        fragment["id"] = provider_id
    if name is not None:
        fragment["function"]["name"] = name
    return {"tool_calls": [fragment]}


A, B = '{"path":"a"}', '{"path":"b"}'


@pytest.mark.parametrize(
    ("deltas", "expected"),
    [
        ([call(0, "c1", "f", A), call(1, "c2", "g", B)], [("c1", "f", A), ("c2", "g", B)]),
        ([call(None, "c1", "f", A), call(None, "c2", "f", B)], [("c1", "f", A), ("c2", "f", B)]),
        ([call(None, "c1", "f", A[:5]), call(None, None, None, A[5:])], [("c1", "f", A)]),
        (
            [call(0, "c1", "f", A), call(None, "c2", "f", B[:4]), call(None, None, None, B[4:])],
            [("c1", "f", A), ("c2", "f", B)],
        ),
        ([call(0, "c1", "f", A), call(0, "c2", "f", B)], [("c1", "f", A), ("c2", "f", B)]),
        ([call(0, "same", "f", A), call(1, "same", "f", B)], [("same", "f", A), ("same", "f", B)]),
        (
            [call(None, "same", "f", A), call(None, "same", "f", B)],
            [("same", "f", A), ("same", "f", B)],
        ),
        ([call(None, None, "f", A), call(None, None, "g", B)], [("", "f", A), ("", "g", B)]),
        ([call(0, "c", "f", A[:3]), call(0, "c", "f", A[3:])], [("c", "f", A)]),
        (
            [call(0, "c1", "f", ""), call(1, "c2", "g", ""), call(0, None, None, A)],
            [("c1", "f", A), ("c2", "g", "{}")],
        ),
        ([call(0, "c", "f", A), call(0, "c", "f", "")], [("c", "f", A)]),
        ([call(None, "c", "f", A), call(None, "c", "f", "")], [("c", "f", A)]),
        ([call(None, "c", "f", part) for part in A], [("c", "f", A)]),
        ([call(0, "c", "f", {"path": "a"})], [("c", "f", '{"path": "a"}')]),
        ([call(0, "c", "f", "")], [("c", "f", "{}")]),
        ([call(0, "c", "f", None)], [("c", "f", "{}")]),
        ([call(0, "c", "f", "path=a")], [("c", "f", "path=a")]),
        ([call(0, "c", None, ""), call(0, None, "f", A)], [("c", "f", A)]),
        ([{"tool_calls": None}, {"tool_calls": [None, 3]}, call(0, "c", "f", A)], [("c", "f", A)]),
    ],
)
def test_fragments_find_their_call(deltas: list[Any], expected: list[tuple[str, str, str]]) -> None:
    pieces = read(stream(*deltas, finish="tool_calls"))

    found = [(p.provider_id, p.name, p.arguments) for p in pieces if isinstance(p, Call)]
    assert found == expected
    assert pieces[-1] == Stop("tool_use")


def test_a_call_without_a_name_is_an_error() -> None:
    with pytest.raises(ProviderError, match="without a name"):
        read(stream(call(0, "c", None, A)))


@pytest.mark.parametrize(
    ("finish", "reason"),
    [
        ("stop", "end_turn"),
        ("length", "max_tokens"),
        ("content_filter", "refusal"),
        ("odd_word", "odd_word"),
        (None, "end_turn"),
    ],
)
def test_the_reason_is_put_in_our_words(finish: str | None, reason: str) -> None:
    assert read(stream({"content": "x"}, finish=finish))[-1] == Stop(reason)


def test_a_call_cut_by_the_token_limit_is_marked_as_such() -> None:
    pieces = read(stream(call(0, "c", "write_file", '{"path":"k.txt","con'), finish="length"))

    assert pieces == [Call("c", "write_file", '{"path":"k.txt","con'), Stop("max_tokens")]


def test_calls_that_end_with_stop_are_calls() -> None:
    assert read(stream(call(0, "c", "f", A), finish="stop"))[-1] == Stop("tool_use")


def test_the_end_mark_may_be_missing_when_the_reason_came() -> None:
    assert read(stream({"content": "x"}, done=False)) == [Text("x"), Stop("end_turn")]


@pytest.mark.parametrize(
    "cut",
    [
        stream({"content": "Hel"}, finish=None, done=False),
        stream({"reasoning": "x"}, finish=None, done=False),
        stream(call(0, "c", "f", A), finish=None, done=False),
    ],
)
def test_a_stream_with_neither_is_cut_off(cut: bytes) -> None:
    with pytest.raises(ProviderError, match="cut off"):
        read(cut)


def test_chunks_without_a_choice_and_keep_alives_are_passed_over() -> None:
    alive = b': PROCESSING\n\nevent: ping\ndata: {"type":"ping"}\n\ndata:\n\ndata: : COMMENT\n\n'
    empty = body(
        {"choices": [], "prompt_filter_results": []},
        {"usage": None},
        {"choices": None},
        {"choices": [None]},
        {"choices": [{"delta": None}]},
        done=False,
    )

    assert read(alive + empty + stream({"content": "ok"})) == [Text("ok"), Stop("end_turn")]


def test_pings_alone_are_no_data() -> None:
    with pytest.raises(ProviderError, match="without any data"):
        read(b'event: ping\ndata: {"type":"ping"}\n\n' * 3)


def test_the_last_usage_counts() -> None:
    choice = {"delta": {"content": "x"}}
    chunks = [{"choices": [choice], "usage": {"prompt_tokens": count}} for count in (1, 2)]

    assert Usage(2, 0) in read(body(*chunks))


@pytest.mark.parametrize("usage", [{}, [], "x", {"prompt_tokens": "3"}, {"prompt_tokens": None}])
def test_a_usage_that_is_none_is_left_out(usage: Any) -> None:
    pieces = read(body({"choices": [{"delta": {"content": "x"}}], "usage": usage}))

    assert pieces == [Text("x"), Stop("end_turn")]


def test_content_in_parts_is_understood() -> None:
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "yes"},
        None,
    ]

    assert read(stream({"content": parts})) == [Thought("hm"), Text("yes"), Stop("end_turn")]


def test_reasoning_that_must_go_back_is_kept_whole() -> None:
    first, second = {"type": "reasoning.text", "text": "a"}, {"signature": "s"}
    pieces = read(
        stream({"reasoning": "a", "reasoning_details": [first]}, {"reasoning_details": [second]})
    )

    assert pieces[:2] == [Thought("a"), Thought("", raw={"reasoning_details": [first, second]})]


def test_a_refusal_is_text_with_its_reason() -> None:
    assert read(stream({"refusal": "I will not."})) == [Text("I will not."), Stop("refusal")]


def test_an_error_after_text_is_raised_and_the_call_before_it_never_comes() -> None:
    reader = StreamReader(ADDRESS)
    assert reader.feed(stream({"content": "par"}, finish=None, done=False)) == [Text("par")]
    reader.feed(stream(call(0, "c", "f", A), finish=None, done=False))

    with pytest.raises(ProviderError, match="upstream busy"):
        reader.feed(body({"error": {"message": "upstream busy"}, "choices": []}))


def test_a_whole_answer_gives_the_same_pieces() -> None:
    message = {
        "content": "<think>hm</think>I look.",
        "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": {"path": "a"}}}],
    }
    answer = {
        "choices": [{"message": message, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2},
    }

    assert whole_answer(ADDRESS, json.dumps(answer).encode()) == [
        Thought("hm"),
        Text("I look."),
        Call("c", "f", '{"path": "a"}'),
        Usage(1, 2),
        Stop("tool_use"),
    ]


KEYS = (
    "arguments choices content delta error finish_reason function id index message name "
    "prompt_tokens reasoning_details text thinking tool_calls usage"
)
JSON = st.recursive(
    st.sampled_from([None, True, 0, -1, 1.5, "", "x", "stop"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(KEYS.split()), inner, max_size=3)
    ),
    max_leaves=8,
)
OUTER = st.sampled_from(["choices", "usage", "error"])
INNER = st.sampled_from(["content", "tool_calls", "reasoning_details", "refusal"])
slow = settings(max_examples=60)


@slow
@given(chunk=st.dictionaries(OUTER, JSON, max_size=3))
def test_no_chunk_of_any_shape_raises_another_error(chunk: Any) -> None:
    with contextlib.suppress(ProviderError):
        read(body(chunk, chunk))


@slow
@given(delta=st.dictionaries(INNER, JSON, max_size=3))
def test_no_delta_of_any_shape_raises_another_error(delta: Any) -> None:
    with contextlib.suppress(ProviderError):
        read(stream(delta, delta))
