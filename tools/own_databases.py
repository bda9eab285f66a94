"""Databases for one run: each new, with a name of its own, and gone at the end."""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import asyncpg


@asynccontextmanager
async def own_database(server: str, purpose: str) -> AsyncIterator[str]:
    """The address of a new, empty database on a server; its name tells what it is for."""
    name = f"cartagena_{purpose}_{secrets.token_hex(8)}"
    await _command(server, f"CREATE DATABASE {name} TEMPLATE template0")
    try:
        yield urlsplit(server)._replace(path=f"/{name}").geturl()
    finally:
        await _command(server, f"DROP DATABASE {name} WITH (FORCE)")


async def _command(server: str, command: str) -> None:
    connection = await asyncpg.connect(server)
    try:
        await connection.execute(command)
    finally:
        await connection.close()
