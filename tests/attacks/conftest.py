"""What the attacks target: two nodes of a whole service, reached over HTTP as a stranger would."""

from collections.abc import AsyncIterator

import pytest_asyncio

from cartagena.server.store.databases import Databases
from tests.server.conftest import (
    database_dsn,
    databases,
    directory,
    either_settings,
    gate,
    nats_url,
    settings,
    usual_work,
)
from tests.server.databases import settings_for
from tests.server.service_nodes import Node, running_node

__all__ = [
    "database_dsn",
    "databases",
    "directory",
    "either_settings",
    "gate",
    "nats_url",
    "nodes",
    "settings",
    "usual_work",
]


@pytest_asyncio.fixture
async def nodes(
    database_dsn: str,
    nats_url: str,
    databases: Databases,  # noqa: ARG001 - it empties them
) -> AsyncIterator[tuple[Node, Node]]:
    """Two nodes; their limits are a hundred times wider, since an attacker may have a hundred addresses."""
    wide = settings_for(
        database_dsn,
        CARTAGENA_NATS=nats_url,
        CARTAGENA_POOL="3",
        CARTAGENA_DIRECTORY_POOL="3",
        CARTAGENA_PACE="100",
    )
    async with running_node(wide) as here, running_node(wide) as there:
        yield here, there
