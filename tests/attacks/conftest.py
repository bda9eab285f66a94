"""What attacks are made on: two nodes of a whole service, over HTTP, as a stranger reaches them."""

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.server.databases import migrated_database, nats_address, settings_for
from tests.server.service_nodes import Node, running_node


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def attacked_database() -> AsyncIterator[str]:
    """The address of this worker's database."""
    async with migrated_database() as dsn:
        yield dsn


@pytest_asyncio.fixture
async def nodes(attacked_database: str) -> AsyncIterator[tuple[Node, Node]]:
    """Two nodes; their limits are a hundred times wider, since an attacker may have a hundred addresses."""
    settings = settings_for(
        attacked_database,
        CARTAGENA_NATS=await nats_address(),
        CARTAGENA_POOL="3",
        CARTAGENA_DIRECTORY_POOL="3",
        CARTAGENA_PACE="100",
    )
    async with running_node(settings) as here, running_node(settings) as there:
        yield here, there
