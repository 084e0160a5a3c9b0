"""A chat-completions server that answers `bench …` prompts: `python -m tests.bench.server`.

It prints its port, and of each answer the moments at which its tenths begin (`id/0` to `id/9`;
of one of numbered words those of all of them) and that of its last token (`id`).
"""

from __future__ import annotations

import asyncio
import json
import time

from tests.bench.answer import ASKED, WORDS, answer_tokens

PARTS = 10


def files() -> list[str]:
    """The files that a prompt with `c=` has read, as many as it says."""
    return [f"notes{number}.md" for number in range(40)]


_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


async def serve() -> None:
    """Serve until the process is ended."""
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.partition(b"content-length:")[2].split(b"\r\n")[0] or 0)
    body = json.loads(await reader.readexactly(length) or "{}")
    messages = body.get("messages", [])
    asked = ASKED.findall(json.dumps(messages))
    number, rate, ident, calls = asked[-1] if asked else ("1", "0", "none", "")
    writer.write(_HEAD)
    if (done := _results_since(messages)) < int(calls or 0):
        await _end(writer, {"delta": _reading(f"{ident}-{done}", files()[done])}, "tool_calls")
        return
    tokens, began_at = answer_tokens(int(number), ident), time.monotonic()
    for place, token in enumerate(tokens):
        if rate != "0":
            await writer.drain()
            await asyncio.sleep(max(0.0, began_at + place / int(rate) - time.monotonic()))
        parts = len(tokens) if ident.startswith(WORDS) else PARTS
        if place % max(1, len(tokens) // parts) == 0:
            print(f"{ident}/{place * parts // len(tokens)}", time.monotonic(), flush=True)
        writer.write(_event({"delta": {"content": token}}))
    print(ident, time.monotonic(), flush=True)
    await _end(writer, {"delta": {}}, "stop")


async def _end(writer: asyncio.StreamWriter, choice: dict[str, object], reason: str) -> None:
    writer.write(
        _event({**choice, "finish_reason": reason}) + _chunk(b"data: [DONE]\n\n") + _chunk(b"")
    )
    await writer.drain()
    writer.close()


def _results_since(messages: list[dict[str, object]]) -> int:
    """How many calls were made since the newest `bench` prompt."""
    places = [place for place, each in enumerate(messages) if ASKED.search(json.dumps(each))]
    after = messages[places[-1] :] if places else []
    return sum(message["role"] == "tool" for message in after)


def _reading(call_id: str, path: str) -> dict[str, object]:
    function = {"name": "read_file", "arguments": json.dumps({"path": path})}
    return {"tool_calls": [{"index": 0, "id": call_id, "type": "function", "function": function}]}


def _event(choice: dict[str, object]) -> bytes:
    data = json.dumps({"choices": [{"index": 0, **choice}]})
    return _chunk(f"data: {data}\n\n".encode())


def _chunk(data: bytes) -> bytes:
    """As most servers send a word: a chunk of its own."""
    return b"%x\r\n%s\r\n" % (len(data), data)


if __name__ == "__main__":
    asyncio.run(serve())
