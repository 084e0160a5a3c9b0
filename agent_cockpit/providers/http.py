"""The only module that knows the network library; everything else speaks bytes.

The library is imported, and the client built, in a thread at the first request: that costs a
tenth of a second, which no screen should wait for.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from time import monotonic
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from agent_cockpit.errors import ProviderError
from agent_cockpit.providers.server_errors import Address

if TYPE_CHECKING:
    import httpx

_CONNECT_TIMEOUT_S = 10.0
_DRAIN_S = 0.2
TOGETHER_S = 1 / 34
"""Of an answer that comes word by word, what came in a screen's frame is read at once: waking
for each word cost more than reading it. Longer than such a frame: two beats of the same length
would add up, as far apart as they happened to begin."""
_SINGLE_CHUNKS = 8
"""So many chunks are read as they come, and a short answer is not held up."""
_WORDS_BYTES = 8_192
"""A longer chunk is a server that is ahead of us, which must not wait."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a server is waited for: for the first byte of its answer, in each later silence,
    and in all for what may follow once the answer is whole."""

    first_s: float
    silence_s: float
    end_s: float


class ModelServer:
    """Owns the connections to one server."""

    def __init__(self, address: Address, patience: Patience) -> None:
        self._address = address
        self._patience = patience
        self._client: httpx.AsyncClient | None = None
        self._building = asyncio.Lock()

    @contextlib.asynccontextmanager
    async def post(self, path: str, body: bytes) -> AsyncIterator[ServerReply]:
        """Send JSON; leaving the block closes the connection unless the reply was read to its
        end. Faults of the network become `ProviderError`."""
        client = await self._open()
        headers = {"Content-Type": "application/json", "Accept": "text/event-stream, */*;q=0.5"}
        if self._address.key:
            headers["Authorization"] = f"Bearer {self._address.key}"
        with _translated(self._address):
            request = client.build_request("POST", path, content=body, headers=headers)
            async with asyncio.timeout(self._patience.first_s):
                response = await client.send(request, stream=True)
        try:
            yield ServerReply(response, self._address, self._patience)
        finally:
            await response.aclose()

    async def aclose(self) -> None:
        """Close all connections; harmless when repeated, and a later request opens anew."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _open(self) -> httpx.AsyncClient:
        async with self._building:
            if self._client is None:
                with _translated(self._address):
                    self._client = await asyncio.to_thread(self._build)
            return self._client

    def _build(self) -> httpx.AsyncClient:
        import httpx

        near = is_loopback(self._address.url)
        plain = self._address.url.startswith("http:")
        return httpx.AsyncClient(
            base_url=self._address.url,
            timeout=httpx.Timeout(None, connect=_CONNECT_TIMEOUT_S),
            trust_env=not near,
            verify=ssl.create_default_context() if near and not plain else not near,
        )


class ServerReply:
    """A reply whose body is still coming; header names are found in any letter case."""

    def __init__(
        self,
        response: httpx.Response,
        address: Address,
        patience: Patience,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """`sleep` and `clock` are those by which what comes may gather."""
        self._response = response
        self._address = address
        self._patience = patience
        self._over_at: float | None = None
        self._sleep = sleep
        self._clock = clock
        self.status: int = response.status_code
        self.headers: Mapping[str, str] = response.headers

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        """The body as it arrives; a break and a silence that is too long raise
        `ProviderError`."""
        body = cast("AsyncGenerator[bytes, None]", self._response.aiter_bytes())
        loop = asyncio.get_running_loop()
        waits = _Waits()
        async with contextlib.aclosing(body):
            for number in count():
                wait_s = self._patience.silence_s if number else self._patience.first_s
                over_at = loop.time() + wait_s if self._over_at is None else self._over_at
                waiting = loop.call_soon(waits.begin)
                with _translated(self._address):
                    async with asyncio.timeout_at(over_at):
                        chunk = await anext(body, None)
                waiting.cancel()
                if chunk is None:
                    return
                came_at, may_rest = self._clock(), number >= _SINGLE_CHUNKS
                if (rests_s := waits.took(len(chunk), came_at, may_rest=may_rest)) > 0:
                    await self._sleep(rests_s)
                yield chunk

    def expect_the_end(self) -> None:
        """All that matters has come: what still comes must come soon. Harmless when repeated."""
        if self._over_at is None:
            self._over_at = asyncio.get_running_loop().time() + self._patience.end_s

    async def drain(self, chunks: AsyncGenerator[bytes, None]) -> None:
        """Read what may follow the end mark, so that the connection can serve again; a server
        that does not end its reply at once loses it."""
        with contextlib.suppress(ProviderError, TimeoutError):
            async with asyncio.timeout(_DRAIN_S):
                async for _ in chunks:
                    pass

    async def body(self, limit_bytes: int) -> bytes:
        """The whole body, or its first `limit_bytes`."""
        read = bytearray()
        async with contextlib.aclosing(self.chunks()) as chunks:
            async for chunk in chunks:
                read += chunk
                if len(read) >= limit_bytes:
                    break
        return bytes(read[:limit_bytes])


class _Waits:
    """Tells chunks that had to be waited for from those that lay there already: a server may
    cut what it sends in one go into a chunk for each word, and none of them is to wait.

    One that was waited for begins a frame, and so does the next one when it comes later than a
    frame; else it rests until then, and is read with all that gathered behind it.
    """

    def __init__(self) -> None:
        self._is_waited_for = False
        self._has_rested = False
        self._next_frame_at = 0.0
        self._bytes = 0

    def begin(self) -> None:
        """The loop has come round: the next chunk is not there yet."""
        self._is_waited_for = True

    def took(self, size: int, now: float, *, may_rest: bool) -> float:
        """Take in a chunk of so many bytes; for how many seconds it rests. What gathered behind
        one that rested does not, nor does a server that is ahead."""
        was_waited_for, self._is_waited_for = self._is_waited_for, False
        if not was_waited_for:
            self._bytes += size
            return 0.0
        is_ahead, self._bytes = max(self._bytes, size) >= _WORDS_BYTES, size
        rests_s = max(0.0, self._next_frame_at - now)
        if rests_s and (is_ahead or self._has_rested or not may_rest):
            self._has_rested = False
            return 0.0
        self._has_rested = rests_s > 0
        self._next_frame_at = now + rests_s + TOGETHER_S
        return rests_s


def is_loopback(url: str) -> bool:
    """Whether the URL names this machine, without asking a name server."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False


@contextlib.contextmanager
def _translated(address: Address) -> Iterator[None]:
    """Turn what the network library raises into our error, with advice."""
    import httpx

    try:
        yield
    except TimeoutError as error:
        raise _network("the model server at {} said nothing for too long", address) from error
    except httpx.ConnectTimeout as error:
        raise _network("{} does not answer: is the address right?", address) from error
    except httpx.ConnectError as error:
        raise _no_connection(address, error) from error
    except httpx.ProxyError as error:
        text = "the proxy between here and {} refuses: check HTTPS_PROXY and NO_PROXY"
        raise _network(text, address) from error
    except (httpx.InvalidURL, httpx.UnsupportedProtocol, UnicodeError) as error:
        raise _network("base_url {} is no address of a server", address, retryable=False) from error
    except (httpx.TransportError, httpx.StreamError, httpx.DecodingError) as error:
        raise _network("the connection to {} broke", address) from error
    except ImportError as error:
        text = "cannot use the proxy for {}: SOCKS proxies are not supported"
        raise _network(text, address, retryable=False) from error


def _no_connection(address: Address, error: Exception) -> ProviderError:
    causes = list(_causes(error))
    said = " ".join(str(cause) for cause in causes)
    if any(isinstance(cause, ssl.SSLError) for cause in causes) or "SSL" in said:
        if "WRONG_VERSION_NUMBER" in said or "record layer" in said:
            text = "{} speaks no TLS: write http:// in base_url"
        else:
            text = "the certificate of {} cannot be verified: set SSL_CERT_FILE if it is your own"
        return _network(text, address, retryable=False)
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return _network("the name in {} is not known: check base_url and the network", address)
    return _network("cannot connect: is the server running at {}?", address)


def _causes(error: BaseException | None) -> list[BaseException]:
    causes: list[BaseException] = []
    while error is not None and error not in causes:
        causes.append(error)
        error = error.__cause__ or error.__context__
    return causes


def _network(text: str, address: Address, *, retryable: bool = True) -> ProviderError:
    return ProviderError(text.format(address.url), kind="network", retryable=retryable)
