"""Databases for tests, and the servers on which they are."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest

from cartagena.server.shared.settings import Settings
from cartagena.server.store.databases import Databases
from cartagena.server.store.migrate import upgrade
from harness.services import own_database, services
from tests.template import template_on
from tests.waiting import until

POSTGRES, NATS = services()


async def postgres_address() -> str:
    """A PostgreSQL in which databases can be made; without one the test fails and says what to do."""
    address = POSTGRES.address(os.environ)
    if trouble := await POSTGRES.own.trouble_at(address):
        pytest.fail(f"PostgreSQL is not running ({trouble}): run `make services`")
    return address


async def nats_address() -> str:
    """A NATS server; without one the test fails and says what to do."""
    address = NATS.address(os.environ)
    if trouble := await NATS.own.trouble_at(address):
        pytest.fail(f"NATS is not running ({trouble}): run `make services`")
    return address


@asynccontextmanager
async def empty_database() -> AsyncIterator[str]:
    """The address of a new database with nothing in it."""
    async with own_database(await postgres_address(), "test") as dsn:
        yield dsn


@asynccontextmanager
async def migrated_database() -> AsyncIterator[str]:
    """The address of a new database with the newest schemas of games and directory."""
    server = await postgres_address()
    template = await template_on(server, _migrate)
    async with own_database(server, "test", template=template) as dsn:
        connection = await asyncpg.connect(dsn)
        # Two databases of one service must not be mistaken for each other.
        await connection.execute("UPDATE shard.identity SET id = DEFAULT")
        await connection.close()
        yield dsn


async def _migrate(dsn: str) -> None:
    await upgrade(settings_for(dsn), lambda _: None)


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Databases]:
    """Pools to the databases of some settings."""
    databases = await Databases.open(settings, program="cartagena test", patience=0)
    try:
        yield databases
    finally:
        await databases.close()


def settings_for(directory: str, *, shards: str | None = None, **others: str) -> Settings:
    """Settings with these databases, by default one for everything; `others` are named as variables."""
    environment = {"CARTAGENA_DIRECTORY": directory, "CARTAGENA_SHARDS": shards or directory}
    return Settings.read(environment | others)


async def until_blocked(databases: Databases, number: int = 1) -> None:
    """Wait until `number` statements in the directory's database wait for a lock."""
    what = f"{number} statements that wait for a lock"
    await until(lambda: databases.directory.fetchval(_BLOCKED, number), what=what)


async def forget_everything(databases: Databases) -> None:
    """Empty every table, so that a test finds nothing of the one before."""
    for pool in {id(pool): pool for pool in (databases.directory, *databases.shards())}.values():
        await pool.execute(_EMPTY_ALL)


_BLOCKED = """
SELECT count(*) >= $1 FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock'
"""

# Deleting the few rows takes a tenth of the time of TRUNCATE, which makes every file anew.
_EMPTY_ALL = """
DO $$
DECLARE
    place text;
BEGIN
    SET LOCAL session_replication_role = replica;  -- no foreign key asks for an order
    FOR place IN
        SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
        WHERE schemaname IN ('shard', 'directory') AND tablename NOT IN ('alembic_version', 'identity')
    LOOP
        EXECUTE 'DELETE FROM ' || place;
    END LOOP;
END
$$
"""
