"""The relay of `make faults`, in this process or in one of its own: it carries all, and cuts at will."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from structlog.testing import capture_logs

from cartagena.rules.play import legal
from cartagena.server.store.databases import Databases
from tests.server.databases import opened, settings_for
from tests.server.tables_world import PLAYERS, World, terms
from tools.faults_link import Link
from tools.faults_relay import Cut, Relay


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


@pytest.mark.parametrize("kind", [Relay, Link])
async def test_the_relay_lets_a_commit_through_and_loses_its_answer(
    world: World, database_dsn: str, kind: type[Relay | Link]
) -> None:
    table = await world.started(terms())
    assert table.position is not None
    code, key = legal(table.position)[0], uuid4()
    async with relayed(database_dsn, kind) as (relay, far):
        cut = asyncio.create_task(relay.cut(Cut.BEFORE_ANSWER, within=20))
        # The wish has to reach it first, which may be in another process.
        await asyncio.sleep(0.5)
        with capture_logs() as logs:
            after = await far.act(table, code, key)
        assert await cut
    # The node could not know, asked, and found that it had been written.
    assert [entry["event"] for entry in logs] == ["commit_unknown"]
    assert await world.store.find_key(table.id, key) == (after.seq, PLAYERS[table.to_act or 0].id)


@pytest.mark.parametrize("kind", [Relay, Link])
async def test_the_relay_carries_everything_while_nothing_is_asked_of_it(
    world: World, database_dsn: str, kind: type[Relay | Link]
) -> None:
    table = await world.started(terms())
    async with relayed(database_dsn, kind) as (_, far):
        with capture_logs() as logs:
            after = await far.play(table, Random(4), 10)
    assert (after.seq, logs) == (table.seq + 10, [])
