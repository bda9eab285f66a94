"""Fixtures for tests of the client: a service on a database of their own."""

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.client.client_service import Service, node, unlimited
from tests.server.databases import migrated_database


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def client_database() -> AsyncIterator[str]:
    """The address of this worker's database."""
    async with migrated_database() as dsn:
        yield dsn


@pytest_asyncio.fixture
async def service(client_database: str) -> AsyncIterator[Service]:
    """A web node without limits."""
    async with node(unlimited(client_database)) as service:
        yield service
