"""Connections: one household may hold only a few, and a client that takes no answer is hung up on."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from prometheus_client import CollectorRegistry, generate_latest

from cartagena.endpoints.asgi import Receive, Scope, Send
from cartagena.server.http.client_address import Addresses
from cartagena.server.http.rate_limits import Connections
from cartagena.server.http.uvicorn_server import CarefulProtocol, uvicorn_config
from tests.server.http_house import raw_exchange, serving
from tests.waiting import until

MANY = 12_000_000
GULP = 2_000_000
SWALLOW = 0.5
"""Seconds that a slow client takes for a gulp."""
ASKED = b"GET / HTTP/1.1\r\nhost: x\r\n%s\r\n"


class Hasty(CarefulProtocol):
    """Waits a blink."""

    patience = 0.3
    patience_taking = 1.5


async def generous(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers everything with more than any buffer holds."""
    if scope["type"] == "lifespan":
        for _ in range(2):
            kind = (await receive())["type"]
            await send({"type": f"{kind}.complete"})
        return
    length = [(b"content-length", b"%d" % MANY)]
    await send({"type": "http.response.start", "status": 200, "headers": length})
    await send({"type": "http.response.body", "body": bytes(MANY)})


@asynccontextmanager
async def generous_server(
    connections: Connections, protocol: type[CarefulProtocol] = Hasty
) -> AsyncIterator[int]:
    config = uvicorn_config(generous, port=0, graceful_seconds=1, connections=connections)
    config.http = protocol
    async with serving(config) as port:
        yield port


def narrow(port: int) -> socket.socket:
    """A connection with room for a few kilobytes."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", port))
    return connection


class Hastier(Hasty):
    """Waits half a blink for what is never taken."""

    patience_taking = 0.3


class CountedConnections(Connections):
    """Counts those that are open."""

    held = 0

    def admit(self, peer: str) -> bool:
        admitted = super().admit(peer)
        self.held += admitted
        return admitted

    def leave(self, peer: str) -> None:
        super().leave(peer)
        self.held -= 1


async def test_who_takes_no_answer_is_hung_up_on() -> None:
    connections = CountedConnections()
    async with generous_server(connections, Hastier) as port:
        for ending in (b"", b"connection: close\r\n"):
            with narrow(port) as lazy:
                lazy.sendall(ASKED % ending)
                await until(lambda: connections.held == 1)
                await until(lambda: connections.held == 0)


async def test_who_takes_it_slowly_gets_all_of_it() -> None:
    async with generous_server(Connections()) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(ASKED % b"connection: close\r\n")
        taken, began = 0, time.monotonic()
        async with asyncio.timeout(60):
            while piece := await reader.read(65_536):
                # In gulps, which together take longer than the server waits for a client that takes nothing.
                if taken // GULP < (taken + len(piece)) // GULP:
                    await asyncio.sleep(SWALLOW)
                taken += len(piece)
        writer.close()
    assert taken > MANY
    assert time.monotonic() - began > Hasty.patience_taking


async def test_an_address_may_hold_only_so_many_connections() -> None:
    connections = CountedConnections(most=2)
    async with generous_server(connections, CarefulProtocol) as port:
        with narrow(port), narrow(port) as second:
            await until(lambda: connections.held == 2)
            said = await raw_exchange(port)
            assert said.startswith(b"HTTP/1.1 429 ")
            assert b"\r\nretry-after: 5\r\n" in said
            assert b'"code":"too_many"' in said
            assert connections.refused == {429: 1}
            second.close()
            await until(lambda: connections.held == 1)


async def test_what_is_refused_before_it_is_a_request_is_counted() -> None:
    registry, connections = CollectorRegistry(), Connections()
    registry.register(connections)
    async with generous_server(connections, CarefulProtocol) as port:
        await raw_exchange(port, b"no HTTP at all\r\n\r\n")
        await raw_exchange(port, b"GET / HTTP/1.1\r\nx: " + b"x" * 40_000)
    page = generate_latest(registry).decode()
    assert 'cartagena_http_refused_total{status="400"} 1.0' in page
    assert 'cartagena_http_refused_total{status="431"} 1.0' in page


def test_a_trusted_proxy_speaks_for_many() -> None:
    connections = Connections(Addresses(("10.0.0.0/8",)), most=1)
    assert all(connections.admit("10.0.0.1") for _ in range(5))
    assert [connections.admit("192.0.2.1") for _ in range(2)] == [True, False]
    connections.leave("10.0.0.1")
    connections.leave("192.0.2.1")
    assert connections.admit("192.0.2.1")


def test_the_addresses_of_one_site_are_one_household() -> None:
    connections = Connections(most=1)
    assert connections.admit("2001:db8:1:2::3")
    assert not connections.admit("2001:db8:1:2::4")
    assert connections.admit("2001:db8:1:3::3")
