"""The databases while a service runs: reached in time or told what is missing, and left in order."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from uuid import uuid4

import asyncpg
import pytest

from cartagena.server.store.databases import DatabaseAway, Databases, reach
from cartagena.server.store.shards import Connection
from harness.servers import free_port
from tests.server.databases import empty_database, postgres_address, settings_for, until_blocked
from tests.waiting import until


async def test_the_directory_has_connections_of_its_own_in_the_same_database(databases: Databases) -> None:
    assert databases.shards() == (databases.shard_of(uuid4()),)
    assert databases.directory not in databases.shards()


async def test_postgresql_knows_who_is_connected(databases: Databases) -> None:
    told = await databases.directory.fetchrow(
        "SELECT current_setting('application_name'), current_setting('timezone')"
    )
    assert told is not None
    assert tuple(told) == ("cartagena test", "UTC")


async def test_a_statement_is_prepared_once(databases: Databases) -> None:
    async with databases.directory.acquire() as connection:
        for number in range(3):
            assert await connection.fetchval("SELECT $1::integer * 2", number) == 2 * number
        known = await connection.fetch("SELECT name FROM pg_prepared_statements WHERE statement LIKE '%* 2'")
    assert len(known) == 1


async def test_a_connection_comes_back_without_the_transaction_it_was_left_in(databases: Databases) -> None:
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)  # asyncpg complains there, rightly
    pool = databases.directory
    async with pool.acquire() as connection:
        await connection.execute("BEGIN")
        await connection.execute("CREATE TABLE public.half_done ()")
    async with pool.acquire() as connection:
        assert not connection.is_in_transaction()
        assert await connection.fetchval("SELECT to_regclass('public.half_done')") is None


@asynccontextmanager
async def statement_under_way(dsn: str) -> AsyncIterator[tuple[Databases, "asyncio.Task[int]"]]:
    """Databases with a statement that answers 7 when the block ends."""
    databases = await Databases.open(settings_for(dsn), program="cartagena test", patience=0)
    holder = await asyncpg.connect(dsn)
    await holder.execute("SELECT pg_advisory_lock(7)")
    slow = asyncio.create_task(databases.directory.fetchval("SELECT 7 FROM pg_advisory_xact_lock(7)"))
    await until_blocked(databases)
    try:
        yield databases, slow
    finally:
        await holder.close()


async def test_closing_waits_for_what_is_under_way(database_dsn: str) -> None:
    async with statement_under_way(database_dsn) as (databases, slow):
        closing = asyncio.create_task(databases.close())
        ended: list[str] = []
        slow.add_done_callback(lambda _: ended.append("statement"))
        closing.add_done_callback(lambda _: ended.append("pools"))
    await closing
    assert (await slow, ended) == (7, ["statement", "pools"])


async def test_closing_does_not_wait_for_ever(database_dsn: str) -> None:
    async with statement_under_way(database_dsn) as (databases, slow):
        await databases.close(timeout=0.2)
        with pytest.raises((asyncpg.PostgresError, asyncpg.InterfaceError, OSError)):
            await slow


async def test_a_database_that_comes_late_is_waited_for() -> None:
    async with empty_database() as dsn:
        tries = 0

        async def late() -> Connection:
            nonlocal tries
            tries += 1
            # The first tries go to a port where nothing listens: a real refusal.
            return await asyncpg.connect(dsn if tries == 3 else f"postgresql://127.0.0.1:{free_port()}/games")

        connection = await reach(dsn, late, variable="CARTAGENA_DIRECTORY", patience=20)
        await connection.close()
        assert tries == 3


async def missing_database(server: str) -> str:
    return f"{server.rpartition('/')[0]}/no_such_database"


async def nothing_there(_: str) -> str:
    return f"postgresql://anne:geheim@127.0.0.1:{free_port()}/cartagena"


async def unreadable(_: str) -> str:
    return "postgresql://anne:geheim@localhost:port/cartagena"


@pytest.mark.parametrize(
    ("place", "advice"),
    [
        (missing_database, "there is no such database; create it with `createdb no_such_database`"),
        (nothing_there, "nothing answers there"),
        (unreadable, "this address cannot be understood"),
    ],
)
async def test_what_is_missing_is_told_without_the_password(
    place: Callable[[str], Awaitable[str]], advice: str
) -> None:
    dsn = await place(await postgres_address())
    with pytest.raises(DatabaseAway, match=r"or set CARTAGENA_DIRECTORY to another database$") as caught:
        await Databases.open(settings_for(dsn), program="cartagena test", patience=0)
    assert advice in str(caught.value)
    assert "geheim" not in f"{caught.value} {caught.value.__cause__}"


async def test_a_missing_shard_closes_what_was_opened_before() -> None:
    async with empty_database() as dsn:
        name = dsn.rpartition("/")[2]
        settings = settings_for(dsn, shards=f"postgresql://127.0.0.1:{free_port()}/games")
        with pytest.raises(DatabaseAway, match="or set CARTAGENA_SHARDS"):
            await Databases.open(settings, program="cartagena test", patience=0)
        await until_disconnected(name)


async def until_disconnected(database: str) -> None:
    """Wait until PostgreSQL has noticed that all connections to a database were closed."""
    connection = await asyncpg.connect(await postgres_address())
    query = "SELECT count(*) = 0 FROM pg_stat_activity WHERE datname = $1"
    await until(lambda: connection.fetchval(query, database), what="the end of all connections")
    await connection.close()
