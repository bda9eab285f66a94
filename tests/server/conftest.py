"""Fixtures for tests of the service: a real PostgreSQL and a real NATS server.

Every worker of pytest makes one database for itself and drops it at the end; `databases` empties it before
each test. A test that needs more than one, or one of its own, takes it from `tests.server.databases`.
"""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from cartagena.server.accounts import codes
from cartagena.server.shared.settings import Settings
from cartagena.server.store.databases import Databases
from cartagena.server.store.migrate import upgrade
from cartagena.server.store.shards import Pool
from tests.server.api_accounts_house import ORIGINS
from tests.server.databases import (
    empty_database,
    forget_everything,
    migrated_database,
    nats_address,
    opened,
    settings_for,
)
from tests.server.stream_world import GAME, Log, World, world
from tests.server.worker_bots import GATE
from tests.server.worker_world import Gate


@pytest.fixture(scope="session", autouse=True)
def usual_work() -> Iterator[int]:
    """How slow a guess at a code is made; here it is quick, because hashing took a third of the time."""
    usual = codes.WORK
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(codes, "WORK", 2)
        yield usual


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def database_dsn() -> AsyncIterator[str]:
    """The address of this worker's database; it holds games and directory."""
    async with migrated_database() as dsn:
        yield dsn


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def nats_url() -> str:
    """The address of a NATS server; many use it at once, so take subjects of your own."""
    return await nats_address()


@pytest_asyncio.fixture
async def settings(database_dsn: str) -> Settings:
    """Settings of a service on this worker's database, few connections each."""
    return settings_for(database_dsn, CARTAGENA_POOL="4", CARTAGENA_DIRECTORY_POOL="4")


@pytest.fixture(params=ORIGINS, ids=["http", "https"])
def either_settings(request: pytest.FixtureRequest, database_dsn: str) -> Settings:
    """Settings of a service at home, and of one behind https: tests that involve cookies run twice."""
    return settings_for(database_dsn, CARTAGENA_URL=request.param)


@pytest_asyncio.fixture
async def databases(settings: Settings) -> AsyncIterator[Databases]:
    """The databases, opened in the loop of this test, every table empty."""
    async with opened(settings) as databases:
        await forget_everything(databases)
        yield databases
        # A test that empties nothing must not find the name of its guest taken.
        await forget_everything(databases)


@pytest_asyncio.fixture
async def directory(databases: Databases) -> Pool:
    """The database of players, lobby and ratings."""
    return databases.directory


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gate:
    """The gate that holds the gated bots of this process and of processes that it starts."""
    monkeypatch.setenv(GATE, str(tmp_path))
    return Gate(tmp_path)


@pytest.fixture
async def here() -> AsyncIterator[World]:
    """A server of streams with one table, at which nothing happens by itself."""
    log = Log()
    log.open(GAME)
    async with world(log) as made:
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def pair() -> AsyncIterator[Settings]:
    """Every bucket in the first database, none in the second."""
    async with empty_database() as one, empty_database() as two:
        settings = settings_for(one, shards=f"0-1023={one},none={two}", CARTAGENA_POOL="4")
        await upgrade(settings, lambda _: None)
        yield settings


@pytest_asyncio.fixture
async def two_shards(pair: Settings) -> Settings:
    """The databases of `pair`, emptied."""
    async with opened(pair) as databases:
        await forget_everything(databases)
    return pair
