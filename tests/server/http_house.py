"""The house: the sample service behind a real uvicorn on a loopback port, its log and clock at hand."""

import asyncio
import io
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import msgspec
import uvicorn

from cartagena.server.http.api.ops import ReadyCheck
from cartagena.server.http.app import build_app
from cartagena.server.http.http_settings import HttpSettings
from cartagena.server.http.observability import Instruments, json_log
from cartagena.server.http.uvicorn_server import CarefulProtocol, uvicorn_config
from tests.server.http_sample import TABLE, KnownSessions, sample_routes
from tests.waiting import PATIENCE, until

ANNE = {"authorization": "Bearer ct_anne"}
MARY = {"authorization": "Bearer ct_mary"}
READER = {"authorization": "Bearer ct_reader"}
ACTIONS = f"/api/tables/{TABLE}/actions"
NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For clients that only speak to this machine: reading real certificates takes long."""
APART = 0.01
"""Seconds between two pieces of a request that must arrive one by one."""


class HandClock:
    """A clock that stands still until it is moved by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass(kw_only=True)
class House:
    """A running service and everything that a test wants to look at."""

    client: httpx.AsyncClient
    port: int
    sessions: KnownSessions
    clock: HandClock
    log: io.BytesIO = field(repr=False)

    async def act(self, does: str = "act", **headers: str) -> httpx.Response:
        """Send a wish as Anne."""
        body = {"key": "01234567-89ab-7000-8000-000000000002", "does": does}
        return await self.client.post(ACTIONS, json=body, headers={**ANNE, **headers})

    # Any: whatever a line of JSON holds.
    def lines(self) -> list[dict[str, Any]]:
        """What has been logged."""
        return [msgspec.json.decode(line) for line in self.log.getvalue().splitlines()]

    async def line_about(self, answer: httpx.Response) -> dict[str, Any]:
        """The line of the log about a request; it is written after the answer has left."""
        request_id = answer.headers["x-request-id"]

        def line() -> dict[str, Any] | None:
            lines = (line for line in self.lines() if line["event"] == "request")
            return next((line for line in lines if line["request_id"] == request_id), None)

        found = await until(line, what="the line of the log")
        assert found is not None
        return found


@asynccontextmanager
async def serving(config: uvicorn.Config) -> AsyncIterator[int]:
    """Run uvicorn on a free port while the block lasts; gives the port."""
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    await until(lambda: server.started or task.done(), what="the start of uvicorn")
    assert server.started
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await task


class Proxy(httpx.AsyncHTTPTransport):
    """The proxy before a service: a browser speaks https to it, and it speaks http to a port of ours."""

    def __init__(self, port: int) -> None:
        super().__init__(verify=NO_CERTIFICATES)
        self._port = port

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Pass a request on, with the `Host` that the browser asked for."""
        passed = httpx.Request(
            request.method,
            request.url.copy_with(scheme="http", host="127.0.0.1", port=self._port),
            headers=request.headers,
            stream=request.stream,
            extensions=request.extensions,
        )
        return await super().handle_async_request(passed)


def client_of(port: int) -> httpx.AsyncClient:
    """A client of a server on this machine."""
    return httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE, verify=NO_CERTIFICATES)


@asynccontextmanager
async def house(
    settings: HttpSettings | None = None,
    *,
    ready_checks: dict[str, ReadyCheck] | None = None,
    protocol: type[CarefulProtocol] = CarefulProtocol,
) -> AsyncIterator[House]:
    """The sample service, running."""
    sessions, clock, log = KnownSessions(), HandClock(), io.BytesIO()
    app = build_app(
        sample_routes(),
        sessions=sessions,
        settings=settings or HttpSettings(own_origins=frozenset({"https://cartagena.example"})),
        ready_checks=ready_checks or {},
        instruments=Instruments(clock=clock, log=json_log(log)),
    )
    config = uvicorn_config(app, port=0, graceful_seconds=1)
    config.http = protocol
    async with (
        serving(config) as port,
        client_of(port) as client,
    ):
        yield House(client=client, port=port, sessions=sessions, clock=clock, log=log)


async def raw_exchange(port: int, *pieces: bytes) -> bytes:
    """Send bytes as they are, piece by piece, and read until the other side hangs up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            # Nothing shows when the server has read a piece; without a pause TCP would join it with the next.
            await asyncio.sleep(APART)
        async with asyncio.timeout(PATIENCE):
            return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.close()
