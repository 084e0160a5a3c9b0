"""A real model server on 127.0.0.1 that says what a script tells it to.

    with ChatServer([calls(("read_file", {"path": "a.py"})), says("done")]) as server:
        ...  # point base_url at server.base_url
    assert server.requests[0].json["model"] == "test-model"

It runs in a thread of its own, so tests with and without an event loop use it alike. Each
request takes the next item of the script; an item may be a function of the request.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any

from tests.support.chat_chunks import CallSpec, chunks_of, whole_of
from tests.support.waiting import WITHIN_S, until


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as it came; header names in small letters."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        """The body as JSON."""
        parsed: dict[str, Any] = json.loads(self.body)
        return parsed

    @property
    def streamed(self) -> bool:
        """Whether a stream was asked for."""
        return bool(self.json.get("stream"))

    @property
    def last_text(self) -> str:
        """The content of the last message."""
        return str(self.json["messages"][-1].get("content") or "")


@dataclass(frozen=True, slots=True)
class Answer:
    """One reply: parts of a body, sent one by one.

    `pause_s` waits between parts. `ends` says how it ends: `well`, by breaking the connection
    inside a chunk (`cut`), or not at all (`hang`: until the client or the test goes).
    """

    parts: tuple[bytes, ...] = ()
    status: int = 200
    headers: tuple[tuple[str, str], ...] = (("Content-Type", "text/event-stream"),)
    pause_s: float = 0.0
    ends: str = "well"
    silent: bool = False
    held_at: int = 0
    until: threading.Event | None = None
    floods: bool = False


ScriptItem = Answer | Callable[[Asked], "ScriptItem"]
"""A reply, or what gives one when it has seen the request: `lambda asked: says("hi")`."""


def says(text: str, *, usage: tuple[int, int] = (10, 5)) -> ScriptItem:
    """An answer of text, word by word; whole where no stream was asked for."""
    return _spoken(text, (), usage, "stop")


def calls(*wanted: CallSpec, text: str = "", usage: tuple[int, int] = (10, 5)) -> ScriptItem:
    """Tool calls, their arguments in fragments, after an optional text."""
    return _spoken(text, wanted, usage, "tool_calls")


def events(*chunks: dict[str, Any] | str, done: bool = True) -> Answer:
    """Any chunks as server-sent events; a text is sent as it stands."""
    lines = [chunk if isinstance(chunk, str) else json.dumps(chunk) for chunk in chunks]
    lines += ["[DONE]"] if done else []
    return Answer(tuple(f"data: {line}\n\n".encode() for line in lines))


def raw(*parts: bytes, content_type: str = "text/event-stream", status: int = 200) -> Answer:
    """Any bytes."""
    return Answer(parts, status, (("Content-Type", content_type),))


def failure(status: int, message: str = "", *headers: tuple[str, str]) -> Answer:
    """An error reply in JSON, such as `failure(429, "slow down", ("Retry-After", "2"))`."""
    body = json.dumps({"error": {"message": message, "code": status}}).encode()
    return Answer((body,), status, (("Content-Type", "application/json"), *headers))


def html(status: int = 200) -> Answer:
    """A page for browsers."""
    body = b"<!DOCTYPE html><html><title>Welcome</title><body>Hi</body></html>"
    return Answer((body,), status, (("Content-Type", "text/html; charset=utf-8"),))


def silent() -> Answer:
    """Takes the request and never says a word."""
    return Answer(silent=True, ends="hang")


def empty_stream() -> Answer:
    """Status 200 and an event stream without an event."""
    return Answer()


def cut(item: ScriptItem, *, after_parts: int) -> ScriptItem:
    """The first parts of an answer, then a connection that breaks inside the next."""
    return _changed(item, lambda a: replace(a, parts=a.parts[:after_parts], ends="cut"))


def hang(item: ScriptItem, *, after_parts: int) -> ScriptItem:
    """The first parts of an answer, then nothing more, with the connection open."""
    return _changed(item, lambda a: replace(a, parts=a.parts[:after_parts], ends="hang"))


def held(item: ScriptItem, until: threading.Event, *, after_parts: int) -> ScriptItem:
    """The first parts of an answer, and the others once the test says so."""
    return _changed(item, lambda a: replace(a, held_at=after_parts, until=until))


def flooding(item: ScriptItem, until: threading.Event, *, after_parts: int) -> ScriptItem:
    """The first parts of an answer, the last of them again and again until the test has enough,
    and then the others."""
    return _changed(item, lambda a: replace(a, held_at=after_parts, until=until, floods=True))


def slowly(item: ScriptItem, pause_s: float) -> ScriptItem:
    """The same answer with a pause before each part."""
    return _changed(item, lambda a: replace(a, pause_s=pause_s))


def fixing_script(
    *,
    path: str = "calc.py",
    old: str = "return total / (len(numbers) - 1)",
    new: str = "return total / len(numbers)",
    answer: str = "Fixed: it divides by the count now.",
) -> list[ScriptItem]:
    """A model that reads a file, mends one line, runs the tests and says so, naming the file."""
    return [
        calls(("read_file", {"path": path}), text=f"I read {path}."),
        calls(("str_replace", {"path": path, "old_string": old, "new_string": new})),
        calls(("run_tests", {})),
        says(f"{answer} See {path}."),
    ]


@dataclass(slots=True)
class _Facts:
    """What happened so far; every change is announced."""

    changed: threading.Condition = field(default_factory=threading.Condition)
    requests: list[Asked] = field(default_factory=list)
    connections: int = 0
    disconnects: int = 0
    taken: int = 0


class ChatServer:
    """Owns the thread, the loop in it and the listening socket, from `with` to its end.

    `repeat_last` answers every request after the script with its last item; otherwise such a
    request gets status 400.
    """

    def __init__(self, script: Iterable[ScriptItem] = (), *, repeat_last: bool = False) -> None:
        self._script: Sequence[ScriptItem] = list(script)
        self._repeat_last = repeat_last
        self._facts = _Facts()
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, name="chat-server", daemon=True)
        self._port = 0
        self._over = asyncio.Event()

    @property
    def base_url(self) -> str:
        """What a client is given."""
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def requests(self) -> tuple[Asked, ...]:
        """The chat requests so far."""
        return tuple(self._facts.requests)

    @property
    def connections(self) -> int:
        """How many connections were opened."""
        return self._facts.connections

    @property
    def disconnects(self) -> int:
        """How often a client went away before its answer was over."""
        return self._facts.disconnects

    def wait_for_requests(self, count: int) -> None:
        """Return once that many have come; `TimeoutError` after the deadline."""
        self._wait(lambda: len(self._facts.requests) >= count, f"{count} requests")

    def wait_for_disconnects(self, count: int = 1) -> None:
        """Return once that many clients went away early; `TimeoutError` after the deadline."""
        self._wait(lambda: self._facts.disconnects >= count, f"{count} disconnects")

    def __enter__(self) -> ChatServer:
        self._thread.start()
        if not self._ready.wait(WITHIN_S):
            raise TimeoutError("the test server did not start")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(WITHIN_S)

    def _wait(self, fact: Callable[[], bool], words: str) -> None:
        with self._facts.changed:
            if not self._facts.changed.wait_for(fact, WITHIN_S):
                raise TimeoutError(f"the test server waited for {words}")

    def _serve(self) -> None:
        try:
            self._loop.run_until_complete(self._main())
        finally:
            self._loop.close()

    async def _main(self) -> None:
        handlers: set[asyncio.Task[None]] = set()

        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._facts.connections += 1
            task = asyncio.ensure_future(self._connection(reader, writer))
            handlers.add(task)
            task.add_done_callback(handlers.discard)

        server = await asyncio.start_server(accept, "127.0.0.1", 0)
        self._port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._over.wait()
        server.close()
        for task in tuple(handlers):
            task.cancel()
        await asyncio.gather(*handlers, return_exceptions=True)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (asked := await _read_request(reader)) is not None:
                if not await self._reply(asked, reader, writer):
                    return
            writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _reply(
        self, asked: Asked, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Send the answer; False when the connection is over."""
        answer = self._answer(asked)
        gone = asyncio.ensure_future(reader.read(1))
        sending = asyncio.ensure_future(_send(answer, writer))
        await asyncio.wait({gone, sending}, return_when=asyncio.FIRST_COMPLETED)
        if gone.done() and not sending.done():
            sending.cancel()
            self._announce(disconnect=True)
        gone.cancel()
        await asyncio.gather(gone, sending, return_exceptions=True)
        return answer.ends == "well" and not sending.cancelled() and sending.exception() is None

    def _answer(self, asked: Asked) -> Answer:
        if asked.path.endswith("/models"):
            models = b'{"object": "list", "data": [{"id": "test-model", "object": "model"}]}'
            return raw(models, content_type="application/json")
        self._announce(asked)
        index = self._facts.taken
        if index >= len(self._script):
            if not (self._repeat_last and self._script):
                return failure(400, "the script of this test server is over")
            index = len(self._script) - 1
        self._facts.taken += 1
        return _answer(self._script[index], asked)

    def _announce(self, asked: Asked | None = None, *, disconnect: bool = False) -> None:
        with self._facts.changed:
            if asked is not None:
                self._facts.requests.append(asked)
            self._facts.disconnects += disconnect
            self._facts.changed.notify_all()


async def _read_request(reader: asyncio.StreamReader) -> Asked | None:
    """The next request; None at the end of the connection, and for what is no HTTP."""
    try:
        head = await reader.readexactly(1)
        if not head.isalpha():
            return None
        head += await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.decode("latin-1").strip().split("\r\n")
    headers = {
        name.strip().lower(): value.strip()
        for name, _, value in (line.partition(":") for line in lines)
    }
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Asked(first.split()[1], headers, body)


async def _write(part: bytes, writer: asyncio.StreamWriter) -> None:
    writer.write(b"%x\r\n%b\r\n" % (len(part), part))
    await writer.drain()


async def _send(answer: Answer, writer: asyncio.StreamWriter) -> None:
    if not answer.silent:
        head = [f"HTTP/1.1 {answer.status} Scripted", "Transfer-Encoding: chunked"]
        head += [f"{name}: {value}" for name, value in answer.headers]
        writer.write("\r\n".join([*head, "", ""]).encode("latin-1"))
        await writer.drain()
    for place, part in enumerate(answer.parts):
        await asyncio.sleep(answer.pause_s)
        if answer.until is not None and place == answer.held_at:
            while answer.floods and not answer.until.is_set():
                await _write(answer.parts[place - 1], writer)
                await asyncio.sleep(0.002)
            await until(answer.until.is_set)
        if part:
            await _write(part, writer)
    if answer.ends == "hang":
        await asyncio.Event().wait()
    elif answer.ends == "cut":
        writer.write(b"ff\r\ndata: {")
        await writer.drain()
        writer.close()
    else:
        writer.write(b"0\r\n\r\n")
        await writer.drain()


def _spoken(
    text: str, wanted: Sequence[CallSpec], usage: tuple[int, int], reason: str
) -> ScriptItem:
    def answer(asked: Asked) -> Answer:
        turn = sum(m.get("role") == "assistant" for m in asked.json["messages"])
        if asked.streamed:
            return events(*chunks_of(turn, text, wanted, usage, reason))
        body = json.dumps(whole_of(turn, text, wanted, usage, reason)).encode()
        return raw(body, content_type="application/json")

    return answer


def _changed(item: ScriptItem, change: Callable[[Answer], Answer]) -> ScriptItem:
    return lambda asked: change(_answer(item, asked))


def _answer(item: ScriptItem, asked: Asked) -> Answer:
    while not isinstance(item, Answer):
        item = item(asked)
    return item
