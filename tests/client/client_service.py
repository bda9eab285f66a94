"""A service for tests of the client: the real web node on a real database, behind a real uvicorn."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from random import Random

import uvicorn
from prometheus_client import CollectorRegistry

from cartagena.client import AsyncClient, Patience, Player, Pledge, tables
from cartagena.client.sample_bot import hasty
from cartagena.endpoints.routing import Route
from cartagena.messages.accounts import MeMessage
from cartagena.messages.requests import TermsMessage
from cartagena.messages.updates import Update
from cartagena.server.http.streams.hub import StreamHub
from cartagena.server.http.uvicorn_server import uvicorn_config
from cartagena.server.resources import Resources, opened_resources
from cartagena.server.shared.settings import Settings
from cartagena.server.web_app import opened_web
from tests.server.databases import settings_for
from tests.waiting import until

HURRIED = Patience(first=0.01, longest=0.05, answer=5, heartbeat=5)
"""So little patience that no test has to wait for a client."""
TWO = TermsMessage(ruleset="jamaica", seats=2)


@dataclass
class Visitor:
    """A guest and their client."""

    client: AsyncClient
    me: MeMessage


@dataclass
class Service:
    """A running node."""

    port: int
    resources: Resources
    hub: StreamHub
    routes: tuple[Route, ...] = field(repr=False)
    visitors: AsyncExitStack = field(repr=False)

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    async def guest(self, name: str | None = None, *, url: str | None = None) -> Visitor:
        """A new guest; their requests go to `url` if one is given."""
        client = AsyncClient(url or self.url, patience=HURRIED)
        self.visitors.push_async_callback(client.close)
        return Visitor(client, await client.become_guest(name))


def unlimited(dsn: str) -> Settings:
    """The settings of a service that never asks anybody to wait."""
    return settings_for(dsn, CARTAGENA_PACE="1000", CARTAGENA_POOL="4", CARTAGENA_DIRECTORY_POOL="4")


@asynccontextmanager
async def node(settings: Settings, port: int = 0) -> AsyncIterator[Service]:
    """A web node as `cartagena serve --no-worker` makes it."""
    async with (
        opened_resources(settings, program="cartagena test") as resources,
        opened_web(resources, CollectorRegistry()) as web,
        running(uvicorn_config(web.app, port=port, graceful_seconds=1), web.hub) as where,
        AsyncExitStack() as visitors,
    ):
        yield Service(port=where, resources=resources, hub=web.hub, routes=web.routes, visitors=visitors)


@asynccontextmanager
async def running(config: uvicorn.Config, hub: StreamHub) -> AsyncIterator[int]:
    """Let uvicorn serve while the block lasts; yield the port."""
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    await until(lambda: server.started or task.done(), what="the start of uvicorn")
    assert server.started
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        await hub.drain()
        server.should_exit = True
        await asyncio.wait([task])


async def seated(visitors: list[Visitor], terms: TermsMessage = TWO) -> tuple[str, list[Player]]:
    """A table where `visitors` sit, the first of them as host; each has promised a number."""
    host, *others = visitors
    pledge = Pledge.draw(Random(0).randbytes)
    opened = await host.client.send(tables.open_table(terms, nonce_hash=pledge.nonce_hash))
    players = [Player(opened.current, host.me.id, hasty, pledge=pledge)]
    for number, other in enumerate(others, 1):
        pledge = Pledge.draw(Random(number).randbytes)
        told = await other.client.send(
            tables.sit(opened.id, nonce_hash=pledge.nonce_hash, invite=opened.invite)
        )
        players.append(Player(told, other.me.id, hasty, pledge=pledge))
    return opened.id, players


async def dealt(visitors: list[Visitor], terms: TermsMessage = TWO) -> Update:
    """A table where `visitors` sit and whose game has begun, as the last of them was told."""
    table_id, players = await seated(visitors, terms)
    told = await visitors[0].client.send(tables.start(table_id))
    for visitor, player in zip(visitors, players, strict=True):
        player.hear(told)
        wish = player.wish()
        assert wish is not None
        told = await visitor.client.send(wish)
    return told


async def at_start(service: Service) -> tuple[list[Visitor], list[Player], Update]:
    """Two players at a table that is about to start, and the update that says so."""
    visitors = [await service.guest("Anne"), await service.guest("Bart")]
    table_id, players = await seated(visitors)
    told = await visitors[0].client.send(tables.start(table_id))
    return visitors, players, told


async def look(visitor: Visitor, player: Player) -> None:
    """Let a player hear the current state of their table."""
    player.hear((await visitor.client.send(tables.see(player.table_id))).current)


async def grant(visitor: Visitor, player: Player, verb: str) -> None:
    """Send the player's wish, whose path must end with `verb`."""
    wish = player.wish()
    assert wish is not None
    assert wish.path.endswith(verb)
    player.answered(wish, await visitor.client.send(wish))
