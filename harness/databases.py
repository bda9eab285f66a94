"""Databases for one run: each new, with a name of its own, and gone at the end."""

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import asyncpg


@asynccontextmanager
async def own_database(server: str, purpose: str, *, template: str = "template0") -> AsyncIterator[str]:
    """The address of a new database on a server, a copy of `template`; its name says what it is for."""
    name = f"cartagena_{purpose}_{secrets.token_hex(8)}"
    await _command(server, f"CREATE DATABASE {name} TEMPLATE {template}")
    try:
        yield _address(server, name)
    finally:
        await drop_database(server, name)


async def make_template(server: str, name: str, fill: Callable[[str], Awaitable[None]]) -> None:
    """Make a database for others to copy, unless it exists; `fill` is given its address.

    Several processes may ask at the same time: the first makes it, the others wait. It gets its name when it
    is complete, so a process that dies on the way leaves nothing that could be taken for it.
    """
    connection = await asyncpg.connect(server)
    try:
        await connection.execute("SELECT pg_advisory_lock(hashtext($1))", name)
        if await connection.fetchval("SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", name):
            return
        await connection.execute(f"DROP DATABASE IF EXISTS {name}_new WITH (FORCE)")
        await connection.execute(f"CREATE DATABASE {name}_new TEMPLATE template0")
        await fill(_address(server, f"{name}_new"))
        await connection.execute(f"ALTER DATABASE {name}_new RENAME TO {name}")
    finally:
        # The lock ends with it.
        await connection.close()


async def drop_database(server: str, name: str) -> None:
    """Drop a database if it is there, and cut its connections."""
    await _command(server, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def _address(server: str, name: str) -> str:
    return urlsplit(server)._replace(path=f"/{name}").geturl()


async def _command(server: str, command: str) -> None:
    connection = await asyncpg.connect(server)
    try:
        await connection.execute(command)
    finally:
        await connection.close()
