"""The shard map, and the databases it leads to."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from random import Random
from uuid import UUID

import asyncpg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartagena.server.shared.ids import BUCKETS, bucket_of, new_id
from cartagena.server.shared.reading import SettingsError
from cartagena.server.store.databases import DatabaseAway, Databases, reach
from cartagena.server.store.migrate import upgrade
from cartagena.server.store.pool import Connection
from cartagena.server.store.shards import ShardMap
from tests.server.databases import empty_database, opened, postgres_address, settings_for, until_blocked
from tests.waiting import until
from tools.own_servers import free_port

ONE, TWO = "postgresql://one/games", "postgresql://two/games"


def game_in(bucket: int) -> UUID:
    return new_id(1_700_000_000_000, bucket.to_bytes(2) + bytes(8))


def test_one_address_holds_every_bucket() -> None:
    shard_map = ShardMap.parse(f" {ONE} ")
    assert shard_map.primaries == (ONE,)
    assert {shard_map.primary_of(bucket) for bucket in range(BUCKETS)} == {ONE}


def test_every_bucket_leads_to_the_database_that_names_it() -> None:
    shard_map = ShardMap.parse(f"512-1022={TWO}, 0-511={ONE} ,1023={ONE}")
    assert set(shard_map.primaries) == {ONE, TWO}
    assert [shard_map.primary_of(bucket) for bucket in (0, 511, 512, 1022, 1023)] == [ONE, ONE, TWO, TWO, ONE]


@given(st.lists(st.integers(1, BUCKETS - 1), unique=True, max_size=20), st.randoms(use_true_random=False))
def test_any_cut_of_the_buckets_is_read_in_any_order(cuts: list[int], chance: Random) -> None:
    bounds = [0, *sorted(cuts), BUCKETS]
    ranges = list(zip(bounds, [bound - 1 for bound in bounds[1:]], strict=False))
    entries = [f"{first}-{last}=postgresql://db{first}/games" for first, last in ranges]
    chance.shuffle(entries)
    shard_map = ShardMap.parse(",".join(entries))
    for first, last in ranges:
        for bucket in (first, last):
            assert shard_map.primary_of(bucket) == f"postgresql://db{first}/games"


def test_an_address_may_hold_commas_and_equals_signs() -> None:
    several = "postgresql://10.0.0.1:5432,10.0.0.2:5432/games?target_session_attrs=primary"
    shard_map = ShardMap.parse(f"0-9={several},10-1023={ONE}")
    assert (shard_map.primary_of(9), shard_map.primary_of(10)) == (several, ONE)


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        (f"0-511={ONE}", "no database for buckets 512-1023"),
        (f"0-511={ONE},513-1022={TWO}", "no database for bucket 512 and bucket 1023"),
        (f"0-600={ONE},512-1023={TWO}", "more than one database for buckets 512-600"),
        (f"0-1023={ONE},7={ONE}", "more than one database for bucket 7"),
        (f"0-1024={ONE}", "no such buckets as 0-1024"),
        (f"511-0={ONE},512-1023={TWO}", "no such buckets as 511-0"),
        ("0-1023=one.example.org", "no address of a PostgreSQL database for buckets 0-1023"),
        ("one.example.org", "cannot be read at entry 1"),
        ("", "cannot be read at entry 1"),
    ],
)
def test_a_wrong_map_is_told_where_it_is_wrong(text: str, trouble: str) -> None:
    with pytest.raises(
        SettingsError, match=f"^CARTAGENA_SHARDS .*{re.escape(trouble)}.*; for example CARTAGENA_SHARDS="
    ):
        ShardMap.parse(text)


@pytest.mark.parametrize(
    "text", ["0-5=postgresql://u:geheim@h/d", "x=postgresql://u:geheim@h/d", "0-1023=u:geheim@h"]
)
def test_no_password_is_told(text: str) -> None:
    with pytest.raises(SettingsError) as caught:
        ShardMap.parse(text)
    assert "geheim" not in str(caught.value)
    assert "geheim" not in repr(ShardMap.parse("postgresql://u:geheim@h/d"))


async def test_a_game_lives_in_the_database_of_its_bucket_and_nowhere_else() -> None:
    async with empty_database() as one, empty_database() as two:
        settings = settings_for(one, shards=f"0-511={one},512-1023={two}")
        await upgrade(settings, lambda _: None)
        async with opened(settings) as databases:
            games = {place: game_in(bucket) for place, bucket in ((one, 0), (two, 512))}
            for dsn, game in games.items():
                name = dsn.rpartition("/")[2]
                assert bucket_of(game) in {0, 512}
                assert await databases.shard_of(game).fetchval("SELECT current_database()") == name
            assert len(databases.shards()) == 2
            assert await databases.directory.fetchval("SELECT to_regclass('directory.players')") is not None
            second = databases.shard_of(games[two])
            assert await second.fetchval("SELECT to_regclass('shard.games')") is not None
            assert await second.fetchval("SELECT to_regnamespace('directory')") is None


async def test_the_directory_has_connections_of_its_own_in_the_same_database(databases: Databases) -> None:
    assert databases.shards() == (databases.shard_of(game_in(5)),)
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
