"""A chat-completions server that answers `bench …` prompts: `python -m tests.bench.server`.

It prints its port, and for each answer its id and the moment of its last token.
"""

from __future__ import annotations

import asyncio
import json
import time

from tests.bench.answer import ASKED, answer_tokens

_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"


async def serve() -> None:
    """Serve until the process is ended."""
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.partition(b"content-length:")[2].split(b"\r\n")[0] or 0)
    body = json.loads(await reader.readexactly(length) or "{}")
    asked = ASKED.findall(json.dumps(body.get("messages", [])))
    number, rate, ident = asked[-1] if asked else ("1", "0", "none")
    writer.write(_HEAD)
    began_at = time.monotonic()
    for place, token in enumerate(answer_tokens(int(number), ident)):
        if rate != "0":
            await writer.drain()
            await asyncio.sleep(max(0.0, began_at + place / int(rate) - time.monotonic()))
        writer.write(_event({"delta": {"content": token}}))
    print(ident, time.monotonic(), flush=True)
    writer.write(_event({"delta": {}, "finish_reason": "stop"}) + b"data: [DONE]\n\n")
    await writer.drain()
    writer.close()


def _event(choice: dict[str, object]) -> bytes:
    return b"data: " + json.dumps({"choices": [{"index": 0, **choice}]}).encode() + b"\n\n"


if __name__ == "__main__":
    asyncio.run(serve())
