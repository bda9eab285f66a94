"""Two roles for tests: one that owns the tables, and one of nodes that may read and write rows only."""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import asyncpg

from tests.server.databases import empty_database, postgres_address


@dataclass(frozen=True, kw_only=True)
class Roles:
    """Their names, and the password of both."""

    owner: str
    node: str
    password: str = field(repr=False)

    def as_owner(self, dsn: str) -> str:
        """The address of a database for the owner."""
        return self._address(dsn, self.owner)

    def as_node(self, dsn: str) -> str:
        """The address of a database for a node."""
        return self._address(dsn, self.node)

    def _address(self, dsn: str, role: str) -> str:
        parts = urlsplit(dsn)
        port = f":{parts.port}" if parts.port else ""
        return parts._replace(netloc=f"{role}:{self.password}@{parts.hostname or ''}{port}").geturl()


@asynccontextmanager
async def two_roles() -> AsyncIterator[Roles]:
    """Two roles without any rights while the block lasts; drop the databases that they use before it ends."""
    server, number = await postgres_address(), secrets.token_hex(8)
    roles = Roles(
        owner=f"cartagena_test_{number}_owner",
        node=f"cartagena_test_{number}_node",
        password=secrets.token_hex(8),
    )
    for name in (roles.owner, roles.node):
        await command(server, f"CREATE ROLE {name} LOGIN PASSWORD '{roles.password}'")
    try:
        yield roles
    finally:
        for name in (roles.owner, roles.node):
            await command(server, f"DROP ROLE {name}")


@asynccontextmanager
async def owned_database(roles: Roles) -> AsyncIterator[str]:
    """An empty database that belongs to the owner; yield its address for the role that made it."""
    async with empty_database() as dsn:
        name = urlsplit(dsn).path.removeprefix("/")
        await command(dsn, f"ALTER DATABASE {name} OWNER TO {roles.owner}")
        yield dsn


async def command(dsn: str, statement: str) -> None:
    """Run one statement."""
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()
