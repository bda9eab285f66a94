"""A commit that only the primary has: it must not be acknowledged before its standby has it too."""

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID, uuid4

import pytest
import pytest_asyncio

from cartagena.rules.legality import legal
from cartagena.server.http.response_headers import refusal_of
from cartagena.server.store import databases
from cartagena.server.store.migrate import upgrade
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.table import Table
from harness.cluster.databases import GAMES, Primary, Standby, address
from harness.servers import give_to_postgres
from tests.server.databases import opened, settings_for
from tests.server.tables_world import World, terms
from tests.waiting import until

pytestmark = pytest.mark.processes

WAITS = "SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
CANCEL = "SELECT bool_or(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"


class Pair:
    """A primary and its synchronous standby, and a node that uses them."""

    def __init__(self, folder: Path) -> None:
        self.primary = Primary(folder / "primary")
        self.standby = Standby(self.primary)

    @asynccontextmanager
    async def node(self) -> AsyncIterator[World]:
        """A node on whichever database can be written now."""
        where = address(self.primary, GAMES, self.standby)
        async with opened(settings_for(where, CARTAGENA_POOL="3", CARTAGENA_DIRECTORY_POOL="2")) as open_ones:
            yield World(open_ones)


@pytest_asyncio.fixture
async def pair(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Pair]:
    """A primary and a standby with today's schema; a node gives up on a commit after a second."""
    monkeypatch.setattr(databases, "COMMAND_SECONDS", 1.0)
    monkeypatch.setattr(databases, "CONFIRM_SECONDS", 0.5)
    folder = Path(tempfile.mkdtemp())
    give_to_postgres(folder)
    made = Pair(folder)
    try:
        await asyncio.to_thread(made.primary.start)
        await made.primary.create(GAMES)
        await asyncio.to_thread(made.standby.start)
        await upgrade(settings_for(made.primary.dsn(GAMES)), lambda _: None)
        yield made
    finally:
        await asyncio.to_thread(made.standby.stop)
        await asyncio.to_thread(made.primary.stop)
        shutil.rmtree(folder)


async def moved(world: World, table: Table, key: UUID) -> Table:
    """Play the first legal action of the seat to act."""
    assert table.position is not None
    return await world.act(table, legal(table.position)[0], key)


async def is_refused(world: World, table: Table, key: UUID) -> bool:
    """Whether a move is refused in a way that lets it be sent again."""
    with pytest.raises((ServiceError, *databases.AWAY)) as error:
        await moved(world, table, key)
    return refusal_of(error.value).problem.code == Problem.UNAVAILABLE.code


async def last_seq(world: World, table: Table) -> int:
    cursor = await world.store.seq_of(table.id)
    assert cursor is not None
    return cursor[0]


async def test_what_the_standby_has_not_confirmed_is_not_acknowledged(pair: Pair) -> None:
    async with pair.node() as here, pair.node() as there:
        table = await moved(here, await here.started(terms()), uuid4())
        key = uuid4()
        await asyncio.to_thread(pair.standby.stop)
        assert await is_refused(here, table, key)
        assert await last_seq(here, table) == table.seq + 1, "the primary alone has it"
        assert await is_refused(here, table, key), "sent again it is found, and still only there"
        assert await is_refused(there, table, key)
        await asyncio.to_thread(pair.standby.follow_again)
        await until(pair.standby.is_synchronous, what="a standby that follows")
        after = await moved(there, table, key)
        assert after.seq == table.seq + 1 == await last_seq(here, table)


async def test_a_wait_that_somebody_cancels_at_the_primary_is_no_acknowledgement(pair: Pair) -> None:
    async with pair.node() as here:
        table = await here.started(terms())
        await asyncio.to_thread(pair.standby.stop)
        waiting = asyncio.create_task(is_refused(here, table, uuid4()))
        await until(lambda: pair.primary.ask(WAITS), what="a commit that waits for the standby")
        await pair.primary.ask(CANCEL)
        assert await waiting


async def test_after_a_failover_all_that_was_acknowledged_is_there(pair: Pair) -> None:
    async with pair.node() as here:
        table = await moved(here, await here.started(terms()), uuid4())
        key = uuid4()
        await asyncio.to_thread(pair.standby.stop)
        assert await is_refused(here, table, key)
    await asyncio.to_thread(pair.primary.kill)
    await asyncio.to_thread(pair.standby.follow_again)
    await asyncio.to_thread(pair.standby.promote)
    async with pair.node() as there:
        assert await last_seq(there, table) == table.seq
        assert (await moved(there, table, key)).seq == table.seq + 1
        assert (await moved(there, table, key)).seq == table.seq + 1
