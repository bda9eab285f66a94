"""The wire of a client: it keeps every byte that it receives, and sends requests to the nodes in turn."""

import itertools
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

import httpx


@dataclass(slots=True, kw_only=True)
class Exchange:
    """One request of a client and everything that came back, as far as it came."""

    method: str
    path: str
    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytearray = field(default_factory=bytearray, repr=False)


class Wire(httpx.AsyncBaseTransport):
    """Sends the requests of one client to the nodes in turn, and keeps all that comes back."""

    def __init__(self, nodes: Sequence[str], *, first: int = 0) -> None:
        self.exchanges: list[Exchange] = []
        self._nodes = itertools.cycle([httpx.URL(node) for node in (*nodes[first:], *nodes[:first])])
        self._transport = httpx.AsyncHTTPTransport(retries=0, trust_env=False)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request to the next node."""
        node = next(self._nodes)
        request.url = request.url.copy_with(host=node.host, port=node.port)
        request.headers["host"] = f"{node.host}:{node.port}"
        response = await self._transport.handle_async_request(request)
        exchange = Exchange(
            method=request.method,
            path=request.url.path,
            status=response.status_code,
            headers=tuple(response.headers.raw),
        )
        self.exchanges.append(exchange)
        assert isinstance(response.stream, httpx.AsyncByteStream)
        response.stream = _Kept(response.stream, exchange.body)
        return response

    async def aclose(self) -> None:
        """Hang up."""
        await self._transport.aclose()


class _Kept(httpx.AsyncByteStream):
    """A byte stream that keeps a copy."""

    def __init__(self, stream: httpx.AsyncByteStream, kept: bytearray) -> None:
        self._stream = stream
        self._kept = kept

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            self._kept += chunk
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
