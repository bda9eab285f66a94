"""The relay of `make faults`, in this process or in one of its own: it carries all, and cuts at will."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import pytest
from structlog.testing import capture_logs

from cartagena.rules.legality import legal
from cartagena.server.store.databases import Databases
from harness.tcp_proxy import Cut, Link, Relay
from tests.server.databases import opened, settings_for
from tests.server.tables_world import PLAYERS, World, terms
from tests.waiting import PATIENCE, until

KINDS = [Relay, pytest.param(Link, marks=pytest.mark.processes)]


@pytest.fixture
def world(databases: Databases) -> World:
    """Tables without a relay."""
    return World(databases)


@asynccontextmanager
async def relayed(database_dsn: str, kind: type[Relay | Link]) -> AsyncIterator[tuple[Relay | Link, World]]:
    """Tables that reach their database through a relay."""
    parts = urlsplit(database_dsn)
    relay = kind(parts.port or 5432)
    await relay.start()
    user = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
    dsn = parts._replace(netloc=f"{user}127.0.0.1:{relay.port}").geturl()
    try:
        async with opened(settings_for(dsn, CARTAGENA_POOL="4", CARTAGENA_DIRECTORY_POOL="1")) as databases:
            yield relay, World(databases)
    finally:
        await relay.stop()


@pytest.mark.parametrize("kind", KINDS)
async def test_the_relay_lets_a_commit_through_and_loses_its_answer(
    world: World, database_dsn: str, kind: type[Relay | Link]
) -> None:
    table = await world.started(terms())
    written: dict[UUID, tuple[int, UUID]] = {}
    async with relayed(database_dsn, kind) as (relay, far):
        cut = asyncio.create_task(relay.cut(Cut.BEFORE_ANSWER, within=PATIENCE))

        async def act_until_cut() -> bool:
            # The wish has to reach the relay first, which may be in another process.
            nonlocal table
            assert table.position is not None
            key, player = uuid4(), PLAYERS[table.to_act or 0].id
            table = await far.act(table, legal(table.position)[0], key)
            written[key] = table.seq, player
            return cut.done()

        with capture_logs() as logs:
            await until(act_until_cut, pause=0.05)
        assert await cut
    # The node could not know whether it was written, asked, and found that it was.
    assert [entry["event"] for entry in logs] == ["commit_unknown"]
    for key, found in written.items():
        assert await world.store.find_key(table.id, key) == found


@pytest.mark.parametrize("kind", KINDS)
async def test_the_relay_carries_everything_while_nothing_is_asked_of_it(
    world: World, database_dsn: str, kind: type[Relay | Link]
) -> None:
    table = await world.started(terms())
    async with relayed(database_dsn, kind) as (_, far):
        with capture_logs() as logs:
            after = await far.play(table, Random(4), 10)
    assert (after.seq, logs) == (table.seq + 10, [])
