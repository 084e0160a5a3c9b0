"""The voice of OpenAI-compatible servers: chat completions, streamed where the server can."""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from urllib.parse import urlsplit

from agent_cockpit.errors import ProviderError, SettingsError
from agent_cockpit.providers.http import ModelServer, Patience, ServerReply
from agent_cockpit.providers.openai_answer import StreamReader, whole_answer
from agent_cockpit.providers.openai_wire import OPTIONAL, body_of, encode
from agent_cockpit.providers.protocol import ModelRequest, Piece
from agent_cockpit.providers.server_errors import Address, is_page, page, refusal, words_of
from agent_cockpit.text import has_hidden, reveal, shorten

_ERROR_BYTES = 64_000
_ANSWER_BYTES = 32_000_000
_UNWANTED = re.compile(
    r"support|allow|invalid|unknown|unrecogni[sz]ed|unexpected|disabled|extra|permitted|must be",
    re.IGNORECASE,
)


class OpenAIProvider:
    """One server and one model.

    Remembers, for its life, which optional parts of a request the server refuses. The key
    never appears in an error, a log or a `repr`.
    """

    name = "openai"

    def __init__(
        self,
        *,
        model: str,
        base_url: str,
        api_key: str | None,
        temperature: float | None = None,
        timeout_s: float = 240,
        idle_timeout_s: float = 30,
        end_timeout_s: float = 2,
        context_window: int | None = None,
    ) -> None:
        self.model = model
        self.context_window = context_window
        self._temperature = temperature
        self._address = Address(url=_url(base_url), model=model, key=_key(api_key))
        patience = Patience(timeout_s, idle_timeout_s, min(idle_timeout_s, end_timeout_s))
        self._server = ModelServer(self._address, patience)
        self._without: frozenset[str] = frozenset()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Piece, None]:
        """One call, as pieces; see the protocol."""
        while True:
            sent = body_of(
                request, model=self.model, temperature=self._temperature, without=self._without
            )
            async with self._server.post("chat/completions", encode(sent)) as reply:
                if 200 <= reply.status < 300:
                    async with contextlib.aclosing(self._pieces(reply)) as pieces:
                        async for piece in pieces:
                            yield piece
                    return
                body = (await reply.body(_ERROR_BYTES)).decode("utf-8", "replace")
                refused = _refused_option(reply.status, body, frozenset(sent))
                if refused is None:
                    now = datetime.now(UTC)
                    raise refusal(self._address, reply.status, reply.headers, body, now=now)
            self._without |= {refused}

    async def aclose(self) -> None:
        """Close all connections; harmless when repeated."""
        await self._server.aclose()

    async def _pieces(self, reply: ServerReply) -> AsyncGenerator[Piece, None]:
        kind = reply.headers.get("content-type", "").lower()
        if "html" in kind:
            raise page(self._address)
        if "json" in kind or "stream" in self._without:
            body = await reply.body(_ANSWER_BYTES)
            if is_page(reply.headers, body[:200].decode("utf-8", "replace")):
                raise page(self._address)
            for piece in whole_answer(self._address, body):
                yield piece
            return
        reader = StreamReader(self._address)
        async with contextlib.aclosing(reply.chunks()) as chunks:
            try:
                async for chunk in chunks:
                    for piece in reader.feed(chunk):
                        yield piece
                    if reader.done:
                        break
                    if reader.complete:
                        reply.expect_the_end()
            except ProviderError:
                if not reader.complete:
                    raise
            for piece in reader.end():
                yield piece
            await reply.drain(chunks)


def _refused_option(status: int, body: str, sent: frozenset[str]) -> str | None:
    """The optional part of the request that the server names as its reason to refuse."""
    if status not in (400, 404, 405, 422, 501):
        return None
    words = f"{words_of(body)} {body[:2000]}".replace("include_usage", "stream_options")
    for option in OPTIONAL:
        if option in sent and re.search(rf"\b{option}(?:ing|ed)?\b", words, re.IGNORECASE):
            return option if _UNWANTED.search(words) else None
    return None


def _url(base_url: str) -> str:
    """The base URL without its last slash; a password in it is refused, for it would show."""
    url = base_url.strip().rstrip("/").removesuffix("/chat/completions")
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or has_hidden(url) or len(url.split()) != 1:
        shown = shorten(reveal(base_url), 200)
        raise SettingsError(f"base_url `{shown}` is no address: write `https://host/v1`")
    if parts.username or parts.password:
        raise SettingsError("base_url holds a user name or password: use api_key instead")
    return url


def _key(api_key: str | None) -> str:
    key = (api_key or "").strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise SettingsError(
            "the API key holds spaces or characters that no key has: set OPENAI_API_KEY again"
        )
    return key
